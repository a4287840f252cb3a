// How the sums of all blocks of a grid become one, in the launch that computes them: in one word,
// which also counts the blocks.
#pragma once

#include <cstdint>

#include "compare/launch.hpp"
#include "handwritten/fold.hpp"
#include "handwritten/words.hpp"

namespace ladder {

// Called by every thread. True in the one whose `value` is then the sum of the whole grid: of the
// block whose addition completes the count. In the word are the number of blocks, in its upper 16
// bits, and below them the sum of their unsigned values, of which 2^16 fit. It is 0 before and
// after every launch.
template <unsigned threads>
__device__ bool finish_by_adding(std::int32_t& value, Word* word) {
  constexpr unsigned bits_of_sum = 48;
  value = fold_block_in_one_warp<Sum, threads>(value);
  if (threadIdx.x > 0) return false;
  if (gridDim.x == 1) return true;
  const Word own = Word{1} << bits_of_sum | static_cast<unsigned>(value);
  const Word added = atomicAdd(word, own) + own;
  if (added >> bits_of_sum < gridDim.x) return false;
  *word = 0;
  value = static_cast<std::int32_t>(static_cast<unsigned>(added));
  return true;
}

}  // namespace ladder
