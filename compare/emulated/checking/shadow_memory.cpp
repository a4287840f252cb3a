#include "compare/emulated/checking/shadow_memory.hpp"

#include <algorithm>

namespace ladder::emulated {

void AccessSet::enter(const Epoch& now) {
  if (mine_.empty()) return;
  const Epoch& last = mine_.back().epoch;
  if (last.block == now.block) {
    if (last.interval < now.interval) clear_mine();
    return;
  }
  const auto known =
      std::ranges::find(before_, last.block, [](const Seen& seen) { return seen.epoch.block; });
  if (known != before_.end()) {
    *known = mine_.back();
  } else {
    if (before_.size() == most_blocks) before_.erase(before_.begin());
    before_.push_back(mine_.back());
  }
  clear_mine();
}

void AccessSet::add(const Seen& seen) {
  devices_ |= 1U << seen.device;
  all_of_system_ = all_of_system_ && seen.of_system;
  if (seen.copier) {
    const auto known = std::ranges::find_if(copies_, [&](const Seen& copy) {
      return copy.epoch.block == seen.epoch.block && copy.epoch.thread == seen.epoch.thread;
    });
    if (known != copies_.end()) *known = seen;
    else copies_.push_back(seen);
    if (copies_.size() > most_copies) copies_.erase(copies_.begin());
    ++others_;
    of_one_thread_ = false;
    return;
  }
  enter(seen.epoch);
  if (!first_.exists()) first_ = seen.epoch;
  of_one_thread_ =
      of_one_thread_ && seen.epoch.block == first_.block && seen.epoch.thread == first_.thread;
  if (seen.access != Access::atomic) {
    began_with_other_ = began_with_other_ || (mine_.empty() && before_.empty());
    ++others_;
  }
  if (Seen* const own = of_thread(seen.epoch.thread)) {
    *own = seen;
    return;
  }
  mine_.push_back(seen);
  if (mine_.size() == most_searched + 1) {
    index_.assign(1024, none);
    for (std::size_t k = 0; k < mine_.size(); ++k)
      index_[mine_[k].epoch.thread] = static_cast<std::uint16_t>(k);
  } else if (mine_.size() > most_searched) {
    index_[seen.epoch.thread] = static_cast<std::uint16_t>(mine_.size() - 1);
  }
}

Seen* AccessSet::of_thread(std::uint16_t thread) {
  if (mine_.size() > most_searched)
    return index_[thread] == none ? nullptr : &mine_[index_[thread]];
  const auto own =
      std::ranges::find(mine_, thread, [](const Seen& seen) { return seen.epoch.thread; });
  return own == mine_.end() ? nullptr : &*own;
}

void AccessSet::clear_mine() {
  mine_.clear();
  index_.clear();
}

void AccessSet::clear() {
  clear_mine();
  before_.clear();
  copies_.clear();
  others_ = devices_ = 0;
  all_of_system_ = true;
  began_with_other_ = false;
  of_one_thread_ = true;
  first_ = {};
}

std::vector<AccessSet*>& AccessSet::dropped() {
  // cells may outlive what is destroyed at the end
  static std::vector<AccessSet*>& sets = *new std::vector<AccessSet*>;
  return sets;
}

void AccessSet::Recycle::operator()(AccessSet* set) const {
  set->clear();
  dropped().push_back(set);
}

AccessSet::Pointer AccessSet::make() {
  if (dropped().empty()) return Pointer(new AccessSet);
  AccessSet* const set = dropped().back();
  dropped().pop_back();
  return Pointer(set);
}

Cell& Shadow::fresh(std::uintptr_t word) {
  Cell& cell = cells_[word];
  if (cell.generation != generation_) {
    cell.split = false;
    cell.write.epoch = cell.load.epoch = cell.observer = {};
    cell.loads = nullptr;
    cell.strong = nullptr;
    cell.generation = generation_;
  }
  return cell;
}

// Each byte inherits what the word went through.
void Shadow::split(std::uintptr_t word, Cell& whole) {
  for (Cell& byte : splits_[word]) {
    byte = {};
    byte.write = whole.write;
    byte.load = whole.load;
    byte.observer = whole.observer;
    if (whole.loads != nullptr) *(byte.loads = AccessSet::make()) = *whole.loads;
    if (whole.strong != nullptr) *(byte.strong = AccessSet::make()) = *whole.strong;
  }
  whole.split = true;
}

}  // namespace ladder::emulated
