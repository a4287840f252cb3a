#include "compare/emulated/checking/happens_before.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "compare/emulated/types/lanes.hpp"

namespace ladder::emulated {

Epoch CopyId::epoch() const {
  return {block | static_cast<std::uint32_t>(kind) << bits_of_block, 0, number,
          static_cast<std::uint16_t>(owner)};
}

Knowledge CopyId::knowledge() const {
  return {epoch().block, 0, {{static_cast<std::uint16_t>(owner), number}}};
}

namespace {

constexpr std::array all_scopes{Scope::block, Scope::device, Scope::system};

Knowledge& at(ByScope& by_scope, Scope scope) {
  return by_scope[static_cast<std::size_t>(scope)];
}

void join_each(ByScope& to, const ByScope& from) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k].join(from[k]);
}

}  // namespace

void Order::Known::join(const Known& other) {
  acquired.join(other.acquired);
  join_each(read_from, other.read_from);
  join_each(fenced_for, other.fenced_for);
  fenced_for_copies.join(other.fenced_for_copies);
}

void Order::begin(std::uint32_t block, unsigned threads, unsigned device, const Knowledge& before) {
  if (fences_)
    for (Thread& thread : in_use()) thread.known = {};
  block_ = block;
  device_ = device;
  interval_ = 0;
  used_ = std::bit_ceil(std::max(threads, lanes));
  for (unsigned t = 0; t < used_; ++t) {
    threads_[t].clocks.fill(0);
    threads_[t].clocks[t % lanes] = 1;
    if (!before.empty()) threads_[t].known.acquired = before;
  }
  fences_ = !before.empty();
  changed_ = false;
}

void Order::barrier() {
  ++interval_;
  if (!changed_) return;
  changed_ = false;
  // In pairs, and pairs of pairs: what 1,024 threads know apart is copied ten times, not a thousand
  // times.
  static std::array<Known, most_threads> of_block;
  for (unsigned t = 0; t < used_; ++t) of_block[t] = threads_[t].known;
  for (unsigned stride = 1; stride < used_; stride *= 2)
    for (unsigned t = 0; t < used_; t += 2 * stride) of_block[t].join(of_block[t + stride]);
  for (Thread& thread : in_use()) thread.known = of_block[0];
}

void Order::sync_warp(unsigned warp, std::uint32_t mask) {
  Thread* const first = &threads_[warp * lanes];
  std::array<std::uint32_t, lanes> latest{};
  Known all;
  for (const unsigned lane : lanes_in(mask)) {
    for (unsigned k = 0; k < lanes; ++k) latest[k] = std::max(latest[k], first[lane].clocks[k]);
    if (fences_) all.join(first[lane].known);
  }
  for (const unsigned lane : lanes_in(mask)) {
    first[lane].clocks = latest;
    ++first[lane].clocks[lane];
    if (fences_) first[lane].known = all;
  }
}

void Order::fence(unsigned thread, Scope scope) {
  fences_ = changed_ = true;
  Known& self = threads_[thread].known;
  for (const Scope each : all_scopes)
    if (each <= scope) self.acquired.join(std::exchange(at(self.read_from, each), {}));
  const Knowledge all = all_known_to(thread);
  for (const Scope each : all_scopes)
    if (each <= scope) at(self.fenced_for, each) = all;
  ++threads_[thread].clocks[thread % lanes];
}

void Order::acquire(unsigned thread, std::uintptr_t address, const Messages& messages) {
  const auto found = messages.find(address);
  if (found == messages.end()) return;
  fences_ = changed_ = true;
  Message message = found->second;
  forget_others(message);
  join_each(threads_[thread].known.read_from, message.to);
}

void Order::release(unsigned thread, std::uintptr_t address, Messages& messages, bool hands_on) {
  const ByScope& fenced_for = threads_[thread].known.fenced_for;
  if (!hands_on) messages.erase(address);
  if (std::ranges::all_of(fenced_for, &Knowledge::empty)) return;
  Message& message = messages[address];
  forget_others(message);
  join_each(message.to, fenced_for);
}

// What is for another block, and for another device.
void Order::forget_others(Message& message) const {
  if (message.block != block_) at(message.to, Scope::block) = {};
  if (message.device != device_) at(message.to, Scope::device) = {};
  message.block = block_;
  message.device = device_;
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
  return {block_, interval_, threads_[thread].clocks[thread % lanes],
          static_cast<std::uint16_t>(thread)};
}

bool Order::ordered(const Epoch& before, unsigned thread) const {
  const Thread& self = threads_[thread];
  if (before.block == block_) {
    if (before.interval < interval_ || before.thread == thread) return true;
    if (before.thread / lanes == thread / lanes &&
        before.clock <= self.clocks[before.thread % lanes])
      return true;
  }
  return self.known.acquired.covers(before);
}

bool Order::ordered_for_copies(const Epoch& before, unsigned thread) const {
  return threads_[thread].known.fenced_for_copies.covers(before);
}

bool Order::known_to_any(const Epoch& before) const {
  return std::ranges::any_of(
      in_use(), [&](const Thread& thread) { return thread.known.acquired.covers(before); });
}

bool Order::one_fence_short(const Epoch& before) const {
  return before.block != block_ && std::ranges::any_of(in_use(), [&](const Thread& thread) {
           return std::ranges::any_of(thread.known.read_from,
                                      [&](const Knowledge& read) { return read.covers(before); });
         });
}

Knowledge Order::learnt() const {
  Knowledge all = threads_[0].known.acquired;
  for (const Thread& thread : in_use()) all.join(thread.known.acquired);
  return all;
}

Knowledge Order::all_known_to(unsigned thread) const {
  const Thread& self = threads_[thread];
  Knowledge::Clocks clocks;
  clocks.reserve(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (self.clocks[lane] > 0)
      clocks.emplace_back(static_cast<std::uint16_t>(thread / lanes * lanes + lane),
                          self.clocks[lane]);
  Knowledge all = self.known.acquired;
  all.join({block_, interval_, std::move(clocks)});
  return all;
}

}  // namespace ladder::emulated
