// How the host side steers and observes the emulation: the order of threads, and what the kernels
// did.
#pragma once

#include <cstdint>

#include "compare/emulated/calls/multiprocessors.hpp"
#include "compare/emulated/checking/checker.hpp"
#include "compare/emulated/counting/traffic.hpp"

namespace ladder::emulated {

// 0: each thread runs to its next barrier, in index order, and blocks one after another. Any other:
// threads in random order, interrupted at random accesses; blocks from the last to the first where
// it is odd, in random order where it is even, a few at a time; the same way for the same seed.
// Many a mistake shows only under the latter.
void set_schedule(std::uint64_t seed);

// From construction to destruction, whatever is launched is checked. What lies in device memory
// before counts as written. One at a time.
struct Checking {
  Checking() { checker::start(); }
  Checking(const Checking&) = delete;
  ~Checking() { checker::stop(); }
};

}  // namespace ladder::emulated
