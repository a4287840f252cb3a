// Watches kernels run: tells what memory an access goes to, checks it, and counts it. Whatever else is to be learnt from a kernel's accesses
// (races, uninitialised reads) belongs behind these same calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compare/emulated/access.hpp"
#include "compare/emulated/faults.hpp"
#include "compare/emulated/runtime.hpp"
#include "compare/emulated/static_shared.hpp"
#include "compare/emulated/traffic.hpp"

namespace ladder::emulated {

constexpr std::size_t most_shared_bytes = 227 * 1024;  // of a block, on sm_80 to sm_90

class Monitor {
 public:
  // From the scheduler, as a kernel runs.
  void begin_kernel(const Grid& grid);
  void begin_block();
  void exit(unsigned warp, unsigned lane);
  void barrier();                // all threads of the block have met
  void converge(unsigned warp);  // all lanes of the warp have met
  void join() { ++joins_; }      // one application of Height to two elements, counted always: it costs nothing
  void absent_lanes(unsigned count) { traffic_.counts.shuffles_of_absent_lanes += count; }

  // From the hooks.
  void access(const MemoryAccess& access);

  void* dynamic_shared() { return dynamic_; }

  void start_counting();
  void stop_counting() { counting_ = false; }
  const Counts& counts() const { return traffic_.counts; }
  std::uint64_t joins() const { return joins_; }

 private:
  struct Range {
    std::uintptr_t begin = 0, end = 0;
    bool contains(std::uintptr_t address) const { return address - begin < end - begin; }
  };

  void count(const MemoryAccess& access, Space space);
  [[noreturn]] void stop(const MemoryAccess& access, FaultKind kind);
  void find_program_memory();

  Grid grid_{};
  bool counting_ = false;
  std::uint64_t joins_ = 0;
  Traffic traffic_;
  StaticShared static_shared_;
  Range variables_, program_;
  alignas(1024) unsigned char dynamic_[most_shared_bytes];
};

extern Monitor monitor;

}  // namespace ladder::emulated
