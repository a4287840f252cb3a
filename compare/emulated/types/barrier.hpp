// A barrier in shared memory (mbarrier), as kernels have it: a word whose contents the GPU keeps to
// itself: 8 bytes, aligned to 8.
#pragma once

#include <cstdint>

namespace ladder::emulated {

using Barrier = std::uint64_t;

}  // namespace ladder::emulated
