// A barrier in shared memory (mbarrier), as kernels have it: a word whose contents the GPU keeps to
// itself.
#pragma once

#include <cstdint>

namespace ladder::emulated {

// A barrier is a word of 8 bytes, aligned to 8.
using Barrier = std::uint64_t;

}  // namespace ladder::emulated
