// How the values of all threads of a grid become one, in the launch that computes them: in the
// block that is done last.
#pragma once

#include "handwritten/fold.hpp"

namespace ladder {

// Called by every thread. True in the one whose `value` is then that of the whole grid. The block
// that is done last folds the others' partials. `tickets` is 0 before and after every launch.
template <class Op, unsigned threads, class T>
__device__ bool finish_in_last_block(T& value, T* partials, unsigned* tickets) {
  value = fold_block<Op, threads>(value);
  if (gridDim.x == 1) return threadIdx.x == 0;

  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = value;
    // the partial is visible before the ticket ..
    __threadfence();
    // .. which wraps to 0 for the next launch
    is_last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    // and the others' partials are read after it
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return false;

  value = Op::template identity<T>();
  for (unsigned k = threadIdx.x; k < gridDim.x; k += threads) value = Op{}(value, partials[k]);
  value = fold_block<Op, threads>(value);
  return threadIdx.x == 0;
}

}  // namespace ladder
