#include "compare/emulated/checking/races.hpp"

namespace ladder::emulated {

namespace {

constexpr std::size_t widest_relaxed = 8;  // bytes
constexpr std::uintptr_t word_size = 4;

bool writes(const Seen& seen) {
  return seen.access != Access::load;
}

const Seen* store_in(const Cell& cell) {
  if (cell.write.exists()) return &cell.write;
  return cell.strong == nullptr ? nullptr : cell.strong->find([](const Seen&) { return true; });
}

bool is_strong(const Seen& seen) {
  return seen.access == Access::atomic || seen.is_volatile;
}

// An atomic that does not reach the other's device.
bool is_too_narrow(const Seen& a, const Seen& b) {
  return a.device != b.device && (!a.of_system || !b.of_system);
}

// A pair that CUDA lets happen at the same time.
bool strong(const Seen& a, const Seen& b) {
  if (!is_strong(a) || !is_strong(b) || is_too_narrow(a, b)) return false;
  return a.access == Access::atomic || b.access == Access::atomic ||
         a.epoch.block != b.epoch.block || a.published || b.published;
}

}  // namespace

void Races::begin() {
  messages_.clear();
  barriers_.clear();
  read_only_.clear();
  global_.begin_generation();
  devices_ = {};
  has_copies_ = false;
}

void Races::end_kernel(unsigned device, unsigned first, unsigned blocks) {
  auto& [before, learnt] = devices_[device];
  before.join(std::exchange(learnt, {}));
  before.join(Knowledge::all_of(first, blocks));
  for (const CopyKind kind : {CopyKind::onto_barrier, CopyKind::of_threads, CopyKind::read_in_bulk,
                              CopyKind::written_in_bulk})
    if (has_copies_)
      before.join(Knowledge::all_of(CopyId{kind, first, 0, 0}.epoch().block, blocks));
}

void Races::join(unsigned devices) {
  Knowledge all;
  for (unsigned device = 0; device < devices; ++device) all.join(devices_[device].before);
  for (unsigned device = 0; device < devices; ++device) devices_[device].before = all;
}

void Races::begin_block(unsigned slot, unsigned number, unsigned threads, unsigned device) {
  while (blocks_.size() <= slot) blocks_.push_back(std::make_unique<Block>());
  select(slot);
  block_->order.begin(number, threads, device, devices_[device].before);
  block_->messages.clear();
  block_->barriers.clear();
  block_->uses.clear();
  block_->shared.begin_generation();
  block_->flags = {};
}

void Races::fence(unsigned thread, Scope scope) {
  order().fence(thread, scope);
  block_->flags[thread] = {.fenced = true};
}

// Looks at each cell, until `race_in` gives a race, and remembers the access there.
template <class RaceIn>
std::optional<Race> Races::visit(const Seen& now, const MemoryAccess& access, Space space,
                                 bool finds_older, const RaceIn& race_in) {
  std::optional<Race> race;
  if (!space.is_shared()) race = read_only_race(now, access);
  shadow_of(space).each(access.address, access.size, [&](Cell& cell) {
    if (!race) race = race_in(cell);
    remember(cell, now, finds_older);
  });
  return race;
}

std::optional<Race> Races::access(unsigned thread, const MemoryAccess& access, Space space,
                                  const Message* found) {
  const Seen now = seen_now(thread, access);
  if (space.is_shared() && blocks_[space.slot].get() != block_)
    blocks_[space.slot]->uses[{now.epoch.block, now.epoch.thread}] = now;
  const auto race_in = [&](const Cell& cell) -> std::optional<Race> {
    if (const Seen* const store = access.is_read_only ? store_in(cell) : nullptr;
        store != nullptr && !is_of_earlier_kernel(*store))
      return Race{.first = *store, .second = now, .read_only = true};
    const Seen* const before = conflict(cell, now, thread);
    if (before == nullptr) return {};
    return Race{.first = *before,
                .second = now,
                .one_fence_short = order().one_fence_short(before->epoch),
                .too_narrow = is_strong(*before) && is_strong(now) && is_too_narrow(*before, now)};
  };
  const auto race = visit(now, access, space, found != nullptr, race_in);

  Messages& messages = messages_of(space);
  const bool is_atomic = access.access == Access::atomic;
  if (is_atomic || (now.is_volatile && !writes(now))) {
    if (found == nullptr) order().acquire(thread, access.address, messages);
    else order().acquire(thread, access.address, {{access.address, *found}});
  }
  if (is_atomic || (now.is_volatile && writes(now)))
    order().release(thread, access.address, messages, is_atomic);
  return race;
}

std::optional<Race> Races::copy(unsigned thread, const MemoryAccess& access, Space space,
                                const CopyId& copy, bool in_bulk) {
  const Seen now{.epoch = copy.epoch(),
                 .access = access.access,
                 .device = static_cast<std::uint8_t>(order().device()),
                 .copier = static_cast<std::uint16_t>(thread),
                 .place = access.place};
  has_copies_ = has_copies_ || copy.kind != CopyKind::of_queue;
  return visit(now, access, space, false, [&](const Cell& cell) -> std::optional<Race> {
    if (const Seen* const before = conflict(cell, now, thread)) return Race{*before, now};
    const Seen* const store = in_bulk ? store_in(cell) : nullptr;
    if (store == nullptr || store->copier || order().ordered_for_copies(store->epoch, thread))
      return {};
    return Race{.first = *store, .second = now, .other_path = true};
  });
}

void Races::arrive(unsigned thread, const Location& barrier) {
  phases_of(barrier).now.join(order().hand_on(thread));
}

void Races::arrive_with(const CopyId& copies, const Location& barrier) {
  phases_of(barrier).now.acquired.join(copies.knowledge());
}

void Races::phase_is_over(const CopyId& copies, const Location& barrier) {
  if (copies.number > 0) arrive_with(copies, barrier);
  Phases& phases = phases_of(barrier);
  phases.last = std::exchange(phases.now, {});
}

void Races::learn(unsigned thread, const Location& barrier) {
  order().learn(thread, phases_of(barrier).last);
}

const Seen* Races::use_after_end() const {
  for (const auto& [thread, use] : block_->uses)
    if (!block_->order.known_to_any(use.epoch)) return &use;
  return nullptr;
}

Message Races::message_of(std::uintptr_t address, Space space) {
  const Messages& messages = messages_of(space);
  const auto found = messages.find(address);
  return found == messages.end() ? Message{} : found->second;
}

// A load that takes memory for constant, and a store while that kernel runs: no order helps.
std::optional<Race> Races::read_only_race(const Seen& now, const MemoryAccess& access) {
  if (!access.is_read_only && (read_only_.empty() || !writes(now))) return {};
  for (std::uintptr_t word = access.address / word_size;
       word * word_size < access.address + access.size; ++word) {
    if (access.is_read_only) read_only_[word] = now;
    else if (const auto load = read_only_.find(word);
             load != read_only_.end() && !is_of_earlier_kernel(load->second))
      return Race{.first = load->second, .second = now, .read_only = true};
  }
  return {};
}

Seen Races::seen_now(unsigned thread, const MemoryAccess& access) {
  Seen now{.epoch = order().now(thread),
           .access = access.access,
           .of_system = access.of_system,
           .device = static_cast<std::uint8_t>(order().device()),
           .bytes = static_cast<std::uint8_t>(access.size),  // 16 at most
           .place = access.place};
  now.is_volatile =
      access.is_volatile && access.size <= widest_relaxed && access.address % access.size == 0;
  Flags& flags = block_->flags[thread];
  if (now.is_volatile && !writes(now)) {
    flags.read_several = flags.read_several || (flags.read != 0 && flags.read != access.address);
    flags.read = access.address;
  }
  const bool from_another = flags.read_several || (flags.read != 0 && flags.read != access.address);
  now.published = now.is_volatile && writes(now) && flags.fenced && !from_another;
  if (writes(now) && !now.published) flags.fenced = false;
  return now;
}

bool Races::races(const Seen& before, const Seen& now, unsigned thread) const {
  return before.exists() && (writes(before) || writes(now)) && !strong(before, now) &&
         !block_->order.ordered(before.epoch, thread);
}

// By the thread, or issued by it.
const Seen* Races::conflict(const Cell& cell, const Seen& now, unsigned thread) const {
  const auto in = [&](const AccessSet::Pointer& set) -> const Seen* {
    if (set == nullptr) return nullptr;
    if (!now.copier) set->enter(now.epoch);
    if (now.access == Access::atomic && set->only_atomics_for(now)) return nullptr;
    return set->find([&](const Seen& before) { return races(before, now, thread); });
  };
  if (races(cell.write, now, thread)) return &cell.write;
  if (const Seen* const before = in(cell.strong); before != nullptr) {
    const bool all_seen = cell.observer.exists() && block_->order.ordered(cell.observer, thread);
    if (!all_seen || now.access == Access::atomic) return before;
  }
  if (!writes(now)) return nullptr;
  if (races(cell.load, now, thread)) return &cell.load;
  return in(cell.loads);
}

void Races::remember(Cell& cell, const Seen& now, bool finds_older) const {
  const auto add_to = [&](AccessSet::Pointer& set) {
    if (set == nullptr) set = AccessSet::make();
    set->add(now);
  };
  if (now.access == Access::atomic || (writes(now) && now.is_volatile)) {
    add_to(cell.strong);
    if (!finds_older)
      cell.observer = now.access == Access::atomic && cell.strong->is_chain() ? now.epoch : Epoch{};
    return;
  }
  if (writes(now)) {
    cell.write = now;
    cell.load = {};
    cell.loads = nullptr;
    cell.strong = nullptr;
    cell.observer = {};
    return;
  }
  if (now.is_volatile && !finds_older && cell.strong != nullptr && cell.strong->is_chain())
    cell.observer = now.epoch;
  if (cell.loads == nullptr &&
      (!cell.load.exists() || (!now.copier && cell.load.is_volatile == now.is_volatile &&
                               block_->order.ordered(cell.load.epoch, now.epoch.thread)))) {
    cell.load = now;  // whatever is ordered after this one is ordered after the one it replaces
    return;
  }
  if (cell.loads == nullptr) {
    cell.loads = AccessSet::make();
    cell.loads->add(cell.load);
    cell.load = {};
  }
  cell.loads->add(now);
}

}  // namespace ladder::emulated
