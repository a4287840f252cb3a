// How the host side steers and observes the emulation: the order of threads, and what the kernels
// did.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/emulated/calls/multiprocessors.hpp"
#include "compare/emulated/checking/finding.hpp"
#include "compare/emulated/counting/counts.hpp"

namespace ladder::emulated {

// 0: each thread runs to its next barrier, in index order, and blocks one after another. Any other:
// threads in random order, interrupted at random accesses; blocks from the last to the first where
// it is odd, in random order where it is even, a few at a time; the same way for the same seed.
// Many a mistake shows only under the latter.
void set_schedule(std::uint64_t seed);

// Counts what the kernels launched by `run` do. The counts are the same under every schedule, where
// what threads do does not depend on it.
Counts count(const std::function<void()>& run);

// From construction to destruction, whatever is launched is checked. What lies in device memory
// before counts as written. One at a time.
class Checking {
 public:
  Checking();
  ~Checking();
  Checking(const Checking&) = delete;

  // Names device memory that is allocated from here on; those of one name are numbered from 2.
  void call_arrays(std::string_view first, std::string_view others);
  // what lies in the array of that name counts as never written
  void unwritten(std::string_view array);
  void forget_findings();
  std::vector<Finding> findings() const;  // one for each kind and pair of source lines
  std::vector<Finding> remarks() const;
  std::uint64_t accesses() const;  // of threads to memory, looked at so far in all checks
  // the line of a shuffle that took a value from a lane that was not there; empty where none did
  std::string absent_lanes() const;
  // the last read that found an older value than there was, and the store that it missed; empty
  // where none did
  std::string older_values() const;
};

// Applications of Height to two elements in `run`, by kernels and on the host.
std::uint64_t count_joins(const std::function<void()>& run);

}  // namespace ladder::emulated
