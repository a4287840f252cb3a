// How the counts of all blocks become the result, in the launch that counts them.
#pragma once

#include "handwritten/histogram/copies.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

// By all threads of `blocks` blocks: counts[bin] becomes the sum of all their copies, for bins 0 to
// length. `sums` and `ticket` are 0 before and after every launch.
template <unsigned threads>
__device__ void add_up_in_last_block(const std::int32_t* counters, unsigned copies, unsigned length,
                                     unsigned blocks, std::int32_t* sums, unsigned* ticket,
                                     std::int32_t* counts) {
  for (unsigned bin = threadIdx.x; bin < length; bin += threads) {
    const std::int32_t sum = sum_of_copies(counters, bin, copies);
    if (blocks == 1) counts[bin] = sum;
    else if (sum != 0) atomicAdd(&sums[bin], sum);
  }
  if (blocks == 1) return;

  __shared__ bool is_last;
  __threadfence();  // the sums of each thread are there ..
  __syncthreads();
  if (threadIdx.x == 0) {
    // .. before the ticket, which wraps to 0
    is_last = atomicInc(ticket, blocks - 1) == blocks - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  for (unsigned bin = threadIdx.x; bin < length; bin += threads)
    counts[bin] = atomicExch(&sums[bin], 0);
}

}  // namespace LADDER_UNIT
}  // namespace ladder
