// The happens-before order of a launch's accesses, as CUDA's memory model promises it. The order in which this run took them does not count.
//
// Ordered are the accesses of one thread; accesses before a block barrier and accesses after it; accesses of lanes before a __syncwarp and after it,
// where both lanes are in its mask (shuffles, votes and matches order nothing); and, between any two threads, a release and the acquire that reads
// it:
//   release   a fence, then an atomic or a volatile store to X, by the same thread. It releases everything before the fence.
//   acquire   an atomic or a volatile load of X, then a fence, by the same thread.
// The fence is __threadfence(); within a block __threadfence_block() is enough. Later atomics on X keep X's release; a volatile store replaces it.
// Acquiring is transitive, and a barrier hands the acquired order of each thread to the whole block. Both fences must be in the threads that touch X
// (PTX's "release pattern" and "acquire pattern"): a fence on the other side of a barrier does not count.
//
// No full vector clock is kept. An access has an epoch: its block, the barrier interval, its thread and that thread's own clock. A thread knows the
// clocks of the lanes of its warp. It knows other threads only by acquiring, and most threads acquire nothing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "compare/emulated/access.hpp"
#include "compare/emulated/runtime.hpp"

namespace ladder::emulated {

struct Epoch {
  std::uint32_t block = 0, interval = 0;
  std::uint32_t clock = 0;  // of its thread; 0: no access
  std::uint16_t thread = 0;
};

class Order {
 public:
  void begin_kernel();
  void begin_block(unsigned block);
  void barrier();
  void sync_warp(unsigned warp, std::uint32_t lanes);
  void fence(unsigned thread, Scope scope);
  void acquire(unsigned thread, std::uintptr_t address, Space space);                 // reads it, by an atomic or a volatile load
  void release(unsigned thread, std::uintptr_t address, Space space, bool hands_on);  // writes it; hands_on: by an atomic

  Epoch now(unsigned thread) const;
  bool ordered(const Epoch& before, unsigned thread) const;  // before what the thread does now
  bool one_fence_short(const Epoch& before) const;           // it would be, had a thread of this block a fence after what it read

 private:
  static constexpr unsigned lanes = 32, most_threads = 1024;

  // What is known of a block: all of the intervals before this one, and of some threads all up to a clock.
  struct View {
    std::uint32_t interval = 0;
    std::map<std::uint16_t, std::uint32_t> clocks;
  };
  using Knowledge = std::map<std::uint32_t, View>;  // of each block
  using Shared = std::shared_ptr<const Knowledge>;  // null: of none

  // What an atomic or volatile word carries.
  struct Message {
    Shared to_all, to_block;
    std::uint32_t block = 0;  // that to_block is for
  };
  struct Thread {
    std::array<std::uint32_t, lanes> clocks;  // its own, and what it knows of the others in its warp
    Shared acquired;
    Shared read_from_all, read_from_block;    // acquired at the next fence
    Shared fenced_for_all, fenced_for_block;  // released by the next atomic
  };

  using Messages = std::unordered_map<std::uintptr_t, Message>;  // by address

 public:
  // What is known of one block.
  struct OfBlock {
    std::uint32_t block = 0, interval = 0;
    std::array<Thread, most_threads> threads;
    bool acquired_any = false;  // by any thread in this interval
    Messages shared;
  };
  void exchange(OfBlock& block) { std::swap(running_, block); }

 private:
  Messages& messages_of(Space space) { return space == Space::global ? global_ : running_.shared; }
  static Shared joined(const Shared& a, const Shared& b);
  static bool covers(const Shared& knowledge, const Epoch& epoch);
  Shared all_known_to(unsigned thread) const;

  OfBlock running_;
  Messages global_;
};

}  // namespace ladder::emulated
