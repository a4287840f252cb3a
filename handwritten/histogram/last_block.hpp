// How the counts of all blocks become the result, in the launch that counts them.
#pragma once

#include "handwritten/histogram/copies.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

// By all threads of `blocks` blocks: counts[bin] becomes the sum of their count_of(bin), for bins 0 to length. `sums` and `ticket` are 0 before and
// after every launch.
template <unsigned threads, class CountOf>
__device__ void add_up_in_last_block(unsigned length, unsigned blocks, CountOf count_of, std::int32_t* sums, unsigned* ticket, std::int32_t* counts) {
  for (unsigned bin = threadIdx.x; bin < length; bin += threads) {
    const std::int32_t count = count_of(bin);
    if (blocks == 1) counts[bin] = count;
    else if (count != 0) atomicAdd(&sums[bin], count);
  }
  if (blocks == 1) return;

  __shared__ bool is_last;
  __threadfence();  // the counts of each thread are there ..
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicInc(ticket, blocks - 1) == blocks - 1;  // .. before the ticket, which wraps to 0
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  for (unsigned bin = threadIdx.x; bin < length; bin += threads) counts[bin] = atomicExch(&sums[bin], 0);
}

}  // namespace LADDER_UNIT
}  // namespace ladder
