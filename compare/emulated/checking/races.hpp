// Finds data races: two accesses to one byte, by different threads, at least one of them a write,
// and nothing that orders them (happens_before.hpp). The order in which blocks run here orders
// nothing.
//
// Two atomics do not race; an atomic and a plain access do. volatile orders nothing; but it is how
// blocks speak to each other, and PTX makes it a relaxed access that cannot tear. So an aligned
// volatile access of up to 8 bytes does not race
//   with an atomic,
//   with a volatile access of another block,
//   with a volatile access of its own block where the store publishes: since a fence its thread has
//   stored nothing else but flags, and has read no
//   volatile word that the store could be computed from.
// Who finds a value by such a read has seen the store of it, and an atomic the atomics before it
// (PTX's observation order). So who took the last ticket may put the tickets back by a plain store.
//
// Between devices an atomic of device scope is none, and races with all accesses that it is not
// ordered with. volatile ones are of system scope.
//
// Other volatile accesses within a block do race: lanes that trust volatile to keep them in step
// are the oldest mistake there is.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compare/backend.hpp"
#include "compare/emulated/checking/happens_before.hpp"
#include "compare/emulated/checking/shadow_memory.hpp"

namespace ladder::emulated {

struct Race {
  Seen first = {}, second = {};
  bool one_fence_short = false;  // the second's block has read the flag, and has no fence after it
  bool read_only = false;        // one of the two is a load of memory that is taken for constant
  // they are in order; but the second is a bulk copy, and no fence of proxies is between
  bool other_path = false;
  // one is an atomic of device scope, and it would be none had it system scope
  bool too_narrow = false;
};

class Races {
 public:
  void begin();  // of queues, or of one launch
  // what comes next there is ordered after these blocks
  void end_kernel(unsigned device, unsigned first, unsigned blocks);
  void join(unsigned devices);
  // in place of what ran there
  void begin_block(unsigned slot, unsigned number, unsigned threads, unsigned device);
  void end_block() { devices_[order().device()].learnt.join(order().learnt()); }
  void select(unsigned slot) { block_ = blocks_[slot].get(); }
  Order& order() { return block_->order; }
  const Order& order() const { return block_->order; }

  void fence(unsigned thread, Scope scope);
  // The first race that the access is in. `found`: what it reads carries, where that is an older
  // value.
  std::optional<Race> access(unsigned thread, const MemoryAccess& access, Space space,
                             const Message* found);
  // The first race of an asynchronous copy that the thread issues.
  std::optional<Race> copy(unsigned thread, const MemoryAccess& access, Space space,
                           const CopyId& copy, bool in_bulk);
  // At a barrier in shared or global memory: a thread's arrival, and that of copies; the end of a
  // phase, up to which these copies were done; and who has waited for it.
  void arrive(unsigned thread, const Location& barrier);
  void arrive_with(const CopyId& copies, const Location& barrier);
  void phase_is_over(const CopyId& copies, const Location& barrier);
  void learn(unsigned thread, const Location& barrier);

  // An access by another block of the cluster to this one's shared memory that need not come before
  // the end of the block.
  const Seen* use_after_end() const;

  // What the word carries now.
  Message message_of(std::uintptr_t address, Space space);

 private:
  struct Flags {  // what a thread did since its last fence
    bool fenced = false;
    bool read_several = false;
    std::uintptr_t read = 0;  // the volatile word that it has read
  };
  // What comes before the end of the phase that runs, and of the last one.
  struct Phases {
    Order::Known now, last;
  };
  using Barriers = std::unordered_map<std::uintptr_t, Phases>;
  // A block that runs.
  struct Block {
    Order order;
    Messages messages;
    Barriers barriers;
    // The last use of its shared memory by each thread of other blocks.
    std::map<std::pair<std::uint32_t, std::uint16_t>, Seen> uses;
    Shadow shared;
    std::array<Flags, Order::most_threads> flags;
  };

  Shadow& shadow_of(Space space) {
    return space.is_shared() ? blocks_[space.slot]->shared : global_;
  }
  Messages& messages_of(Space space) {
    return space.is_shared() ? blocks_[space.slot]->messages : messages_;
  }
  Phases& phases_of(const Location& barrier) {
    return (barrier.space.is_shared() ? blocks_[barrier.space.slot]->barriers
                                      : barriers_)[barrier.address];
  }
  bool is_of_earlier_kernel(const Seen& seen) const {
    return devices_[order().device()].before.covers(seen.epoch);
  }
  template <class RaceIn>
  std::optional<Race> visit(const Seen& now, const MemoryAccess& access, Space space,
                            bool finds_older, const RaceIn& race_in);
  Seen seen_now(unsigned thread, const MemoryAccess& access);
  const Seen* conflict(const Cell& cell, const Seen& now, unsigned thread) const;
  void remember(Cell& cell, const Seen& now, bool finds_older) const;
  bool races(const Seen& before, const Seen& now, unsigned thread) const;
  std::optional<Race> read_only_race(const Seen& now, const MemoryAccess& access);

  struct DeviceState {
    Knowledge before;  // lies before all that it does now
    Knowledge learnt;  // by the threads of the kernel that runs
  };

  std::array<DeviceState, most_devices> devices_;
  bool has_copies_ = false;  // by kernels
  Shadow global_;
  Messages messages_;
  Barriers barriers_;
  std::unordered_map<std::uintptr_t, Seen> read_only_;  // of each word that a __ldg has read
  std::vector<std::unique_ptr<Block>> blocks_;
  Block* block_ = nullptr;
};

}  // namespace ladder::emulated
