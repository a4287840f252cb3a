#include "compare/emulated/races.hpp"

namespace ladder::emulated {

namespace {

constexpr std::size_t widest_relaxed = 8;  // bytes

bool writes(const Seen& seen) {
  return seen.access != Access::load;
}

// A pair that CUDA lets happen at the same time.
bool strong(const Seen& a, const Seen& b) {
  const bool a_atomic = a.access == Access::atomic, b_atomic = b.access == Access::atomic;
  if (!(a_atomic || a.is_volatile) || !(b_atomic || b.is_volatile)) return false;
  return a_atomic || b_atomic || a.epoch.block != b.epoch.block || a.published || b.published;
}

}  // namespace

void Races::begin_kernel() {
  order.begin_kernel();
  global_.begin_generation();
}

void Races::begin_block(unsigned block) {
  order.begin_block(block);
  running_.shared.begin_generation();
  running_.fenced = {};
  running_.fenced_at = {};
}

void Races::fence(unsigned thread, Scope scope) {
  order.fence(thread, scope);
  running_.fenced[thread] = true;
  running_.fenced_at[thread] = order.now(thread).clock;
}

std::optional<Race> Races::access(unsigned thread, const MemoryAccess& access, Space space) {
  const Seen now = seen_now(thread, access);
  std::optional<Race> race;
  (space == Space::global ? global_ : running_.shared).each(access.address, access.size, [&](Cell& cell) {
    if (!race)
      if (const Seen* const before = conflict(cell, now)) race = {*before, now, order.one_fence_short(before->epoch)};
    remember(cell, now);
  });

  const bool is_atomic = access.access == Access::atomic;
  if (is_atomic || (now.is_volatile && !writes(now))) order.acquire(thread, access.address, space);
  if (is_atomic || (now.is_volatile && writes(now))) order.release(thread, access.address, space, is_atomic);
  return race;
}

Seen Races::seen_now(unsigned thread, const MemoryAccess& access) {
  Seen now{order.now(thread), access.access, false, false, access.place};
  now.is_volatile = access.is_volatile && access.size <= widest_relaxed && access.address % access.size == 0;
  now.published = now.is_volatile && writes(now) && running_.fenced[thread];
  if (writes(now)) running_.fenced[thread] = false;
  return now;
}

bool Races::races(const Seen& before, const Seen& now) const {
  return before.exists() && (writes(before) || writes(now)) && !strong(before, now) && !order.ordered(before.epoch, now.epoch.thread);
}

bool Races::seen_by_the_last(const Cell& cell, const Seen& now) const {
  const Epoch& last = cell.last_atomic;
  if (last.clock == 0 || !cell.strong->only_atomics() || now.access == Access::atomic) return false;
  return last.block == now.epoch.block && running_.fenced_at[last.thread] > last.clock && order.ordered(last, now.epoch.thread);
}

const Seen* Races::conflict(const Cell& cell, const Seen& now) const {
  const auto in = [&](const std::unique_ptr<AccessSet>& set) -> const Seen* {
    if (set == nullptr) return nullptr;
    set->enter(now.epoch);
    if (now.access == Access::atomic && set->only_atomics()) return nullptr;
    return set->find([&](const Seen& before) { return races(before, now); });
  };
  if (races(cell.write, now)) return &cell.write;
  if (const Seen* const before = in(cell.strong); before != nullptr && !seen_by_the_last(cell, now)) return before;
  if (!writes(now)) return nullptr;
  if (races(cell.load, now)) return &cell.load;
  return in(cell.loads);
}

void Races::remember(Cell& cell, const Seen& now) const {
  const auto add_to = [&](std::unique_ptr<AccessSet>& set) {
    if (set == nullptr) set = std::make_unique<AccessSet>();
    set->add(now);
  };
  if (now.access == Access::atomic || (writes(now) && now.is_volatile)) {
    add_to(cell.strong);
    cell.last_atomic = now.access == Access::atomic ? now.epoch : Epoch{};
  } else if (writes(now)) {
    cell.write = now;
    cell.load = {};
    cell.loads = nullptr;
    cell.strong = nullptr;
    cell.last_atomic = {};
  } else if (cell.loads == nullptr &&
             (!cell.load.exists() || (cell.load.is_volatile == now.is_volatile && order.ordered(cell.load.epoch, now.epoch.thread)))) {
    cell.load = now;  // whatever is ordered after this one is ordered after the one it replaces
  } else {
    if (cell.loads == nullptr) {
      cell.loads = std::make_unique<AccessSet>();
      cell.loads->add(cell.load);
      cell.load = {};
    }
    cell.loads->add(now);
  }
}

}  // namespace ladder::emulated
