// How the values of all threads of a grid become one, in the launch that computes them: in one
// block, which gathers them.
#pragma once

#include "handwritten/fold.hpp"
#include "handwritten/words.hpp"

namespace ladder {

// Called by every thread. True in the one whose `value` is then that of the whole grid. The block
// with the highest number waits for the others' values: each of its threads takes some of them,
// always the same. No other block waits, so this one ends, whenever the others start. Its own work
// starts last and so is done last: the others' values are most often there. `slots`, words<T> for
// each block, are 0 before and after every launch.
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
