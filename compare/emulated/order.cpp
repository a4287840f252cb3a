#include "compare/emulated/order.hpp"

#include <algorithm>

namespace ladder::emulated {

Epoch CopyId::epoch() const {
  return {block | static_cast<std::uint32_t>(kind) << bits_of_block, 0, number, static_cast<std::uint16_t>(owner)};
}

Knowledge CopyId::knowledge() const {
  return {epoch().block, 0, {{static_cast<std::uint16_t>(owner), number}}};
}

void Order::Known::join(const Known& other) {
  acquired.join(other.acquired);
  read_from_all.join(other.read_from_all);
  read_from_block.join(other.read_from_block);
  fenced_for_all.join(other.fenced_for_all);
  fenced_for_block.join(other.fenced_for_block);
  fenced_for_copies.join(other.fenced_for_copies);
}

void Order::begin(std::uint32_t block) {
  block_ = block;
  interval_ = 0;
  for (unsigned t = 0; t < most_threads; ++t) {
    threads_[t].clocks.fill(0);
    threads_[t].clocks[t % lanes] = 1;
    if (fences_) threads_[t].known = {};
  }
  fences_ = changed_ = false;
}

void Order::barrier() {
  ++interval_;
  if (!changed_) return;
  changed_ = false;
  // In pairs, and pairs of pairs: what 1,024 threads know apart is copied ten times, not a thousand times.
  static std::array<Known, most_threads> of_block;
  for (unsigned t = 0; t < most_threads; ++t) of_block[t] = threads_[t].known;
  for (unsigned stride = 1; stride < most_threads; stride *= 2)
    for (unsigned t = 0; t < most_threads; t += 2 * stride) of_block[t].join(of_block[t + stride]);
  for (Thread& thread : threads_) thread.known = of_block[0];
}

void Order::sync_warp(unsigned warp, std::uint32_t mask) {
  Thread* const first = &threads_[warp * lanes];
  std::array<std::uint32_t, lanes> latest{};
  Known all;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    for (unsigned k = 0; k < lanes; ++k) latest[k] = std::max(latest[k], first[lane].clocks[k]);
    if (fences_) all.join(first[lane].known);
  }
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    first[lane].clocks = latest;
    ++first[lane].clocks[lane];
    if (fences_) first[lane].known = all;
  }
}

void Order::fence(unsigned thread, Scope scope) {
  fences_ = changed_ = true;
  Known& self = threads_[thread].known;
  self.acquired.join(self.read_from_block);
  self.read_from_block = {};
  if (scope == Scope::device) {
    self.acquired.join(self.read_from_all);
    self.read_from_all = {};
  }
  self.fenced_for_block = all_known_to(thread);
  if (scope == Scope::device) self.fenced_for_all = self.fenced_for_block;
  ++threads_[thread].clocks[thread % lanes];
}

void Order::acquire(unsigned thread, std::uintptr_t address, const Messages& messages) {
  const auto found = messages.find(address);
  if (found == messages.end()) return;
  fences_ = changed_ = true;
  Known& self = threads_[thread].known;
  self.read_from_all.join(found->second.to_all);
  if (found->second.block == block_) self.read_from_block.join(found->second.to_block);
}

void Order::release(unsigned thread, std::uintptr_t address, Messages& messages, bool hands_on) {
  const Known& self = threads_[thread].known;
  if (!hands_on) messages.erase(address);
  if (self.fenced_for_block.empty() && self.fenced_for_all.empty()) return;
  Message& message = messages[address];
  message.to_all.join(self.fenced_for_all);
  if (message.block != block_) message.to_block = {};
  message.block = block_;
  message.to_block.join(self.fenced_for_block);
}

void Order::fence_for_copies(unsigned thread) {
  fences_ = changed_ = true;
  threads_[thread].known.fenced_for_copies.join(all_known_to(thread));
  ++threads_[thread].clocks[thread % lanes];
}

Order::Known Order::hand_on(unsigned thread) {
  Known known = threads_[thread].known;
  known.acquired = all_known_to(thread);
  ++threads_[thread].clocks[thread % lanes];
  return known;
}

void Order::learn(unsigned thread, const Known& known) {
  fences_ = changed_ = true;
  threads_[thread].known.join(known);
}

Epoch Order::now(unsigned thread) const {
  return {block_, interval_, threads_[thread].clocks[thread % lanes], static_cast<std::uint16_t>(thread)};
}

bool Order::ordered(const Epoch& before, unsigned thread) const {
  const Thread& self = threads_[thread];
  if (before.block == block_) {
    if (before.interval < interval_ || before.thread == thread) return true;
    if (before.thread / lanes == thread / lanes && before.clock <= self.clocks[before.thread % lanes]) return true;
  }
  return self.known.acquired.covers(before);
}

bool Order::ordered_for_copies(const Epoch& before, unsigned thread) const {
  return threads_[thread].known.fenced_for_copies.covers(before);
}

bool Order::known_to_any(const Epoch& before) const {
  return std::ranges::any_of(threads_, [&](const Thread& thread) { return thread.known.acquired.covers(before); });
}

bool Order::one_fence_short(const Epoch& before) const {
  return before.block != block_ && std::ranges::any_of(threads_, [&](const Thread& thread) {
           return thread.known.read_from_all.covers(before) || thread.known.read_from_block.covers(before);
         });
}

Knowledge Order::all_known_to(unsigned thread) const {
  const Thread& self = threads_[thread];
  Knowledge::Clocks clocks;
  clocks.reserve(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (self.clocks[lane] > 0) clocks.emplace_back(static_cast<std::uint16_t>(thread / lanes * lanes + lane), self.clocks[lane]);
  Knowledge all = self.known.acquired;
  all.join({block_, interval_, std::move(clocks)});
  return all;
}

}  // namespace ladder::emulated
