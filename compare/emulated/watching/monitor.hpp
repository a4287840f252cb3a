// Watches kernels run: tells what memory an access goes to, whether that is allowed, and hands it
// on to whoever counts or checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compare/emulated/calls/runtime.hpp"
#include "compare/emulated/checking/checker.hpp"
#include "compare/emulated/counting/traffic.hpp"
#include "compare/emulated/machine/queues.hpp"
#include "compare/emulated/memory/static_shared.hpp"
#include "compare/emulated/types/memory_access.hpp"
#include "compare/emulated/watching/asynchronous_copies.hpp"
#include "compare/emulated/watching/faults.hpp"

namespace ladder::emulated {

constexpr std::size_t most_shared_bytes = 227 * 1024;  // of a block, on sm_80 to sm_90

class Monitor {
 public:
  // From the scheduler, as a kernel runs.
  void begin(std::uint64_t seed);  // of queues; 0: the regular order, and the values stored last
  void begin_kernel();             // of the device whose turn it is
  void end_kernel() {
    if (checker.active()) checker.end_kernel();
  }
  // as a block of that number would; the slot is not in use
  void copy_of_queue(const QueuedCopy& copy, unsigned number, unsigned slot);
  void join_devices(unsigned count) {
    if (checker.active()) checker.join_devices(count);
  }
  void begin_block(unsigned slot);
  void end_block() {
    copies.end_block();
    if (checker.active()) checker.end_block();
  }
  void select(unsigned slot);  // another one runs on
  bool is_counting() const { return counting_; }
  void exit(unsigned warp, unsigned lane);
  // all threads of the block have met, but for those that have exited
  void barrier(unsigned absent, const Place& place);
  void converge(unsigned warp);                        // all lanes of the warp have met
  void sync_warp(unsigned warp, std::uint32_t lanes);  // these have met at __syncwarp
  // one application of Height to two elements, counted always: it costs nothing
  void join() { ++joins_; }
  void absent_lanes(unsigned count, const Place& place) {  // of a shuffle
    traffic_.counts.shuffles_of_absent_lanes += count;
    if (checker.active()) checker.absent_lanes(place);
  }

  // From the hooks.
  void access(const MemoryAccess& access);
  void settle() {  // memory holds what it should
    if (checker.holds_older()) checker.put_back();
  }
  void copied(std::uintptr_t to, std::uintptr_t from, std::size_t size);
  void copied(const Location& to, const Location& from, std::size_t size);
  // An access of an asynchronous copy, and one to a barrier, which is no traffic. Where it is.
  Location copy(Access access, const void* memory, std::size_t size, Mover mover, const CopyId& id,
                const Place& place);
  Location touch(const void* barrier, std::size_t size, const Place& place);
  void* at(const Location& location);  // at this moment
  // that memory of another block of the cluster
  void* shared_of_rank(const void* pointer, unsigned rank, const Place& place);
  unsigned slot_of_shared(const void* pointer) const;
  void fence(Scope scope);
  void copied_by_host(const void* to, const void* from, std::size_t bytes);   // in device memory
  void received(const void* to, std::size_t bytes, std::size_t from_others);  // of other processes

  Checker checker;
  Copies copies;

  unsigned char* dynamic_shared() const { return dynamic_[slot_]->bytes; }
  unsigned slot() const { return slot_; }
  bool is_running(unsigned slot) const { return slot == slot_; }
  std::uintptr_t dynamic_shared(unsigned slot) const {
    return reinterpret_cast<std::uintptr_t>(dynamic_[slot]->bytes);
  }

  void start_counting();
  void stop_counting() { counting_ = false; }
  const Counts& counts() const { return traffic_.counts; }
  std::uint64_t joins() const { return joins_; }

 private:
  struct Range {
    std::uintptr_t begin = 0, end = 0;
    bool contains(std::uintptr_t address) const { return address - begin < end - begin; }
  };
  struct alignas(1024) DynamicShared {
    unsigned char bytes[most_shared_bytes];
  };

  // stops the kernel where it may not be; nothing: constants
  std::optional<Location> locate(const MemoryAccess& access);
  std::optional<Location> shared_location(std::uintptr_t address) const;
  void check(const MemoryAccess& access, const Location& location);
  [[noreturn]] void stop(const MemoryAccess& access, FaultKind kind);
  void static_shared_lies_at(std::uintptr_t begin, std::size_t size);
  void find_program_memory();

  bool counting_ = false;
  std::uint64_t joins_ = 0;
  Traffic traffic_;
  StaticShared static_shared_;
  Range variables_, program_;
  unsigned slot_ = 0;
  std::vector<std::unique_ptr<DynamicShared>> dynamic_;  // of each block that runs
};

extern Monitor monitor;

}  // namespace ladder::emulated
