// The happens-before order of a launch's accesses, as PTX's memory model promises it. The order in
// which this run took them does not count.
//
// Ordered are the accesses of one thread; accesses before a block barrier and accesses after it;
// accesses of lanes before a __syncwarp and after it, where both lanes are in its mask (shuffles,
// votes and matches order nothing); and what lies before one fence with what lies after another,
// where the first comes before the second in the order that all fences have. CUDA's fences are
// PTX's fence.sc, and that is the order of any two of them. Which comes first is known where
//   an atomic or a volatile store to X follows the first fence, in its thread or across barriers,
//   an atomic or a volatile load of X finds that store or a later atomic,
//   and the second fence follows that read, in its thread or across barriers.
// If the second fence came first, the read would happen before the store that it finds. A fence of
// block scope is ordered with the fences of its own block only, and one of device scope with those
// of its own device. Later atomics on X keep what X carries; a volatile store replaces it.
//
// A barrier in shared memory (mbarrier) hands on all that lies before an arrival to who has waited
// for its phase. A fence of proxies puts what lies before it in the reach of bulk copies that
// follow.
//
// What a device does in the order of its queue is ordered, with all that its threads have learnt;
// but the end of a kernel is no fence for the flags of the next. A join of queues orders all that
// lies before it on any of them.
//
// No full vector clock is kept. An access has an epoch: its block, the barrier interval, its thread
// and that thread's own clock. A thread knows the clocks of the lanes of its warp. It knows other
// threads only across fences, and most threads know none (known_accesses.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "compare/emulated/checking/known_accesses.hpp"
#include "compare/emulated/types/grid.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

// What a word that is read and written by atomics or volatile accesses carries.
using ByScope = std::array<Knowledge, 3>;
struct Message {
  ByScope to;                           // what lay before fences of this scope and wider ones
  std::uint32_t block = 0, device = 0;  // that the narrower two are for
};
using Messages = std::unordered_map<std::uintptr_t, Message>;  // by address

// Asynchronous copies are threads of their own, in blocks of their own: one for each kind and
// block. Those onto a barrier are numbered there. The others have the number of their batch in
// their thread (calls/asynchronous.cpp). A copy in a queue is a block like those of kernels.
enum class CopyKind : std::uint32_t {
  of_queue,
  onto_barrier,
  of_threads,
  read_in_bulk,
  written_in_bulk
};
struct CopyId {
  CopyKind kind;
  std::uint32_t block;
  unsigned owner;  // the barrier's index in the block, or the thread
  std::uint32_t number;

  Epoch epoch() const;
  Knowledge knowledge() const;  // of it and those before it
};
constexpr unsigned bits_of_block = 28;  // of Epoch::block; the kind has the others
constexpr std::uint32_t block_of(const Epoch& epoch) {
  return epoch.block & ((1U << bits_of_block) - 1);
}

// The order within one block that runs.
class Order {
 public:
  static constexpr unsigned most_threads = max_threads;

  // What travels across barriers.
  struct Known {
    Knowledge acquired = {};  // it lies before what the thread does now
    // it lies before what the thread does after its next fence of this scope or a wider one
    ByScope read_from = {};
    // it lies before a fence of such a scope: what the thread stores next carries it
    ByScope fenced_for = {};
    Knowledge fenced_for_copies = {};  // it lies before a fence of proxies

    void join(const Known& other);
  };

  // before: it lies before all that the block does
  void begin(std::uint32_t block, unsigned threads, unsigned device, const Knowledge& before);
  void barrier();
  void sync_warp(unsigned warp, std::uint32_t lanes);
  void fence(unsigned thread, Scope scope);
  // reads it, by an atomic or a volatile load
  void acquire(unsigned thread, std::uintptr_t address, const Messages& messages);
  // writes it; hands_on: by an atomic
  void release(unsigned thread, std::uintptr_t address, Messages& messages, bool hands_on);
  void fence_for_copies(unsigned thread);
  Known hand_on(unsigned thread);  // all that lies before this moment
  void learn(unsigned thread, const Known& known);

  Knowledge learnt() const;  // by all threads

  unsigned device() const { return device_; }
  Epoch now(unsigned thread) const;
  bool ordered(const Epoch& before, unsigned thread) const;  // before what the thread does now
  bool ordered_for_copies(const Epoch& before, unsigned thread) const;
  bool known_to_any(const Epoch& before) const;  // thread: it lies before what that does now
  // An access of another block would be ordered, had a thread of this one a fence after what it
  // read
  bool one_fence_short(const Epoch& before) const;

 private:
  static constexpr unsigned lanes = lanes_per_warp;

  struct Thread {
    // its own, and what it knows of the others in its warp
    std::array<std::uint32_t, lanes> clocks;
    Known known;
  };

  std::span<Thread> in_use() { return {threads_.data(), used_}; }
  std::span<const Thread> in_use() const { return {threads_.data(), used_}; }
  Knowledge all_known_to(unsigned thread) const;
  void forget_others(Message& message) const;

  std::uint32_t block_ = 0, interval_ = 0;
  unsigned device_ = 0;
  unsigned used_ = 0;  // so many threads: a power of two
  std::array<Thread, most_threads> threads_;
  // in this block there has been one, or a word that carries something; or it began with some
  // knowledge
  bool fences_ = false;
  bool changed_ = false;  // since the last barrier
};

}  // namespace ladder::emulated
