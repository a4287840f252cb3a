// Several copies of a histogram in the shared memory of a block. Lane l counts in copy l % copies,
// and the copies of one bin are side by side, in different banks: copy c of bin b is counter b *
// copies + c. Up to 256 bins there are 32 copies, and no two lanes of a warp ever meet in one bank.
// With fewer copies, 32 / copies lanes meet in one where the input is all one value.
#pragma once

#include <algorithm>
#include <bit>

#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

// copies are made up to 32 KiB, so that four blocks fit a multiprocessor
constexpr unsigned counters_of_copies = 8 * 1024;

inline unsigned copies_for(unsigned bins) {
  return std::clamp(std::bit_floor(counters_of_copies / bins), 1U, 32U);
}

// By all threads of the block, with a barrier.
__device__ inline void clear_copies(std::int32_t* counters, unsigned length) {
  for (unsigned k = threadIdx.x; k < length; k += blockDim.x) counters[k] = 0;
  __syncthreads();
}

__device__ inline std::int32_t sum_of_copies(const std::int32_t* counters, unsigned bin,
                                             unsigned copies) {
  std::int32_t sum = 0;
#pragma unroll 4  // where `copies` is a constant, all 32 addresses would not fit into the registers
  // each lane begins in another bank
  for (unsigned c = 0; c < copies; ++c) sum += counters[bin * copies + (c + threadIdx.x) % copies];
  return sum;
}

}  // namespace LADDER_UNIT
}  // namespace ladder
