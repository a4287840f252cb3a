// The scan of a warp by shuffle.
#pragma once

#include "handwritten/fold.hpp"

namespace ladder {

// The inclusive scan over the lanes.
template <class Op, class T>
__device__ T scan_warp(T value) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned reach = 1; reach < 32; reach *= 2) {
    const T before = __shfl_up_sync(whole_warp, value, reach);
    if (lane >= reach) value = Op{}(before, value);
  }
  return value;
}

}  // namespace ladder
