// What the scheduler tells of a run to those that watch it: once for each block, barrier, warp
// intrinsic and exit, never for each access to memory.
#pragma once

#include <cstdint>

#include "compare/emulated/machine/queued_work.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

class Observer {
 public:
  // Queues begin; 0: in the regular order, and reads find the values stored last.
  virtual void begin(std::uint64_t /*seed*/) {}
  // A kernel of the device whose turn it is.
  virtual void begin_kernel() {}
  virtual void end_kernel() {}
  // A copy begins, as a block of that number would; the slot is not in use.
  virtual void copy_of_queue(const QueuedCopy&, unsigned /*number*/, unsigned /*slot*/) {}
  virtual void join_devices(unsigned /*count*/) {}
  // A block of the device, in place of what ran in that slot; another one runs on; one ends.
  virtual void begin_block(unsigned /*slot*/) {}
  virtual void select(unsigned /*slot*/) {}
  virtual void end_block() {}
  // A thread has exited.
  virtual void exit(unsigned /*warp*/, unsigned /*lane*/) {}
  // All threads of the block have met, without the `absent` ones, which have exited.
  virtual void barrier(unsigned /*absent*/, const Place&) {}
  virtual void converge(unsigned /*warp*/) {}                            // all its lanes have met
  virtual void sync_warp(unsigned /*warp*/, std::uint32_t /*lanes*/) {}  // met at __syncwarp
  virtual void absent_lanes(unsigned /*count*/, const Place&) {}         // of a shuffle
  // The host runs: memory has to hold what was stored last.
  virtual void settle() {}

  // Blocks of an ordinary grid run one after the other.
  virtual bool follows_one_block() const { return false; }

 protected:
  ~Observer() = default;
};

}  // namespace ladder::emulated
