// How the values of all threads of a grid become one, in the launch that computes them. Both are called by every thread, and return true in the one
// whose `value` is then that of the whole grid.
#pragma once

#include "handwritten/fold.hpp"
#include "handwritten/words.hpp"

namespace ladder {

// The block that is done last folds the others' partials. `tickets` is 0 before and after every launch.
template <class Op, unsigned threads, class T>
__device__ bool finish_in_last_block(T& value, T* partials, unsigned* tickets) {
  value = fold_block<Op, threads>(value);
  if (gridDim.x == 1) return threadIdx.x == 0;

  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = value;
    __threadfence();                                               // the partial is visible before the ticket ..
    is_last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;  // .. which wraps to 0 for the next launch
    __threadfence();                                               // and the others' partials are read after it
  }
  __syncthreads();
  if (!is_last) return false;

  value = Op::template identity<T>();
  for (unsigned k = threadIdx.x; k < gridDim.x; k += threads) value = Op{}(value, partials[k]);
  value = fold_block<Op, threads>(value);
  return threadIdx.x == 0;
}

// The block with the highest number waits for the others' values: each of its threads takes some of them, always the same. No other block waits, so
// this one ends, whenever the others start. Its own work starts last and so is done last: the others' values are most often there. `slots`, words<T>
// for each block, are 0 before and after every launch.
template <class Op, unsigned threads, class T>
__device__ bool finish_by_gathering(T& value, Word* slots) {
  const unsigned last = gridDim.x - 1;
  if (blockIdx.x < last) {
    value = fold_block_in_one_warp<Op, threads>(value);
    if (threadIdx.x == 0) publish(slots + blockIdx.x * words<T>, 1, value);
    return false;
  }
  for (unsigned k = threadIdx.x; k < last; k += threads) {
    Word* const slot = slots + k * words<T>;
    value = Op{}(value, wait_for<T>(slot, 1));
    publish(slot, 0, T());
  }
  value = fold_block_in_one_warp<Op, threads>(value);
  return threadIdx.x == 0;
}

}  // namespace ladder
