// How the host side steers and observes the emulation: the order of threads, and what the kernels did.
#pragma once

#include <cstdint>
#include <functional>

#include "compare/emulated/traffic.hpp"

namespace ladder::emulated {

// 0: each thread runs to its next barrier, in index order. Any other: threads in random order, interrupted at random accesses, the same way for the
// same seed. Many a race shows only under the latter.
void set_schedule(std::uint64_t seed);

// Counts what the kernels launched by `run` do. The counts are the same under every schedule, where what threads do does not depend on it.
Counts count(const std::function<void()>& run);

// Applications of Height to two elements in `run`, by kernels and on the host.
std::uint64_t count_joins(const std::function<void()>& run);

}  // namespace ladder::emulated
