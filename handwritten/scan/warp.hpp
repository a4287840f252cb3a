// The scan of a warp by shuffle.
#pragma once

#include "handwritten/fold.hpp"

namespace ladder {

// The inclusive scans of several values at the same time, each over the lanes.
template <class Op, class T, unsigned count>
__device__ void scan_warp(T (&value)[count]) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned reach = 1; reach < 32; reach *= 2) {
#pragma unroll
    for (unsigned k = 0; k < count; ++k) {
      const T before = __shfl_up_sync(whole_warp, value[k], reach);
      if (lane >= reach) value[k] = Op{}(before, value[k]);
    }
  }
}

template <class Op, class T>
__device__ T scan_warp(T value) {
  T only[] = {value};
  scan_warp<Op>(only);
  return only[0];
}

}  // namespace ladder
