#include "compare/emulated/order.hpp"

#include <algorithm>

namespace ladder::emulated {

void Order::begin_kernel() {
  messages_of(Space::global).clear();
}

void Order::begin_block(unsigned block) {
  running_.block = block;
  running_.interval = 0;
  running_.acquired_any = false;
  messages_of(Space::shared).clear();
  for (unsigned t = 0; t < most_threads; ++t) {
    running_.threads[t] = {};
    running_.threads[t].clocks[t % lanes] = 1;
  }
}

void Order::barrier() {
  ++running_.interval;
  if (!running_.acquired_any) return;
  running_.acquired_any = false;
  Shared of_block;
  for (const Thread& thread : running_.threads) of_block = joined(of_block, thread.acquired);
  for (Thread& thread : running_.threads) thread.acquired = of_block;
}

void Order::sync_warp(unsigned warp, std::uint32_t mask) {
  Thread* const first = &running_.threads[warp * lanes];
  std::array<std::uint32_t, lanes> latest{};
  Shared acquired;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    for (unsigned k = 0; k < lanes; ++k) latest[k] = std::max(latest[k], first[lane].clocks[k]);
    acquired = joined(acquired, first[lane].acquired);
  }
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    first[lane].clocks = latest;
    ++first[lane].clocks[lane];
    first[lane].acquired = acquired;
  }
}

// It acquires what was read before it, and what is released after it is what is known now.
void Order::fence(unsigned thread, Scope scope) {
  Thread& self = running_.threads[thread];
  Shared known = joined(self.acquired, self.read_from_block);
  if (scope == Scope::device) known = joined(known, self.read_from_all);
  if (known != self.acquired) running_.acquired_any = true;
  self.acquired = known;
  self.read_from_block = nullptr;
  if (scope == Scope::device) self.read_from_all = nullptr;
  self.fenced_for_block = all_known_to(thread);
  if (scope == Scope::device) self.fenced_for_all = self.fenced_for_block;
  ++self.clocks[thread % lanes];
}

void Order::acquire(unsigned thread, std::uintptr_t address, Space space) {
  const Messages& messages = messages_of(space);
  const auto found = messages.find(address);
  if (found == messages.end()) return;
  Thread& self = running_.threads[thread];
  self.read_from_all = joined(self.read_from_all, found->second.to_all);
  if (found->second.block == running_.block) self.read_from_block = joined(self.read_from_block, found->second.to_block);
}

void Order::release(unsigned thread, std::uintptr_t address, Space space, bool hands_on) {
  Messages& messages = messages_of(space);
  const Thread& self = running_.threads[thread];
  if (!hands_on) messages.erase(address);
  if (self.fenced_for_block == nullptr) return;
  Message& message = messages[address];
  message.to_all = joined(message.to_all, self.fenced_for_all);
  if (message.block != running_.block) message.to_block = nullptr;
  message.block = running_.block;
  message.to_block = joined(message.to_block, self.fenced_for_block);
}

Epoch Order::now(unsigned thread) const {
  return {running_.block, running_.interval, running_.threads[thread].clocks[thread % lanes], static_cast<std::uint16_t>(thread)};
}

bool Order::ordered(const Epoch& before, unsigned thread) const {
  const Thread& self = running_.threads[thread];
  if (before.block == running_.block) {
    if (before.interval < running_.interval || before.thread == thread) return true;
    if (before.thread / lanes == thread / lanes && before.clock <= self.clocks[before.thread % lanes]) return true;
  }
  return covers(self.acquired, before);
}

bool Order::one_fence_short(const Epoch& before) const {
  return std::ranges::any_of(running_.threads,
                             [&](const Thread& thread) { return covers(thread.read_from_all, before) || covers(thread.read_from_block, before); });
}

bool Order::covers(const Shared& knowledge, const Epoch& epoch) {
  if (knowledge == nullptr) return false;
  const auto view = knowledge->find(epoch.block);
  if (view == knowledge->end()) return false;
  if (epoch.interval < view->second.interval) return true;
  const auto clock = view->second.clocks.find(epoch.thread);
  return clock != view->second.clocks.end() && epoch.clock <= clock->second;
}

Order::Shared Order::all_known_to(unsigned thread) const {
  const Thread& self = running_.threads[thread];
  Knowledge known;
  View& own = known[running_.block];
  own.interval = running_.interval;
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (self.clocks[lane] > 0) own.clocks[static_cast<std::uint16_t>(thread / lanes * lanes + lane)] = self.clocks[lane];
  return joined(std::make_shared<const Knowledge>(std::move(known)), self.acquired);
}

Order::Shared Order::joined(const Shared& a, const Shared& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  auto all = std::make_shared<Knowledge>(*a);
  for (const auto& [block, more] : *b) {
    View& view = (*all)[block];
    view.interval = std::max(view.interval, more.interval);
    for (const auto& [thread, clock] : more.clocks) view.clocks[thread] = std::max(view.clocks[thread], clock);
  }
  return all;
}

}  // namespace ladder::emulated
