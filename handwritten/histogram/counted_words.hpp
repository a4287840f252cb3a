// How the counts of all blocks become the result, in the launch that counts them, without a ticket:
// each bin has a word, which also counts the blocks that have added to it.
#pragma once

#include "handwritten/histogram/ranges.hpp"
#include "handwritten/shapes.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

// Four words fill a sector of 32 bytes, and the next four lie in another cache line. So the atomic
// operations of a warp go to several slices of the cache at the same time. On an H100, a histogram
// of 2^20 `i32` in 256 bins by by_size then takes 7.3 us in place of 7.8.
constexpr unsigned words_of_sector = 4, words_of_line = 16;

inline unsigned words_for(unsigned bins) {
  return blocks_for(bins, words_of_sector) * words_of_line;
}
__device__ inline Word* word_of(Word* words, unsigned bin) {
  return words + bin / words_of_sector * words_of_line + bin % words_of_sector;
}

// On an H200, cold, for each multiprocessor:
constexpr std::size_t bytes_for_512_threads = 2 << 10;
constexpr std::size_t bytes_for_one_load = 8 << 10;

// Calls use(shape) with the Shape of the blocks that count so many bytes: the less there is to
// count, the more threads should load at the same time.
template <class Use>
void with_shape_of_counts(std::size_t bytes, const Use& use) {
  const std::size_t multiprocessors = backend::multiprocessors();
  if (bytes <= bytes_for_512_threads * multiprocessors) use(Shape<512, 1>());
  else if (bytes <= bytes_for_one_load * multiprocessors) use(Shape<1024, 1>());
  else if (are_needed_once(bytes)) use(Shape<1024, 2, true>());
  else use(Shape<1024, 2>());
}

// By all threads of `blocks` blocks: counts[bin] becomes the sum of all their copies, for bins
// `first` to `first` + `length`. A word has the number of blocks in its upper half and their sum in
// its lower half, which holds any count that fits the result. It is 0 before and after every
// launch. The block whose addition completes a bin writes it.
__device__ inline void add_up_in_words(const std::int32_t* counters, unsigned copies,
                                       unsigned first, unsigned length, unsigned blocks,
                                       Word* words, std::int32_t* counts) {
  for (unsigned k = threadIdx.x; k < length; k += blockDim.x) {
    const unsigned bin = first + k;
    std::int32_t sum = sum_of_copies(counters, k, copies);
    if (blocks > 1) {
      Word* const word = word_of(words, bin);
      const Word own = Word{1} << 32 | static_cast<unsigned>(sum);
      const Word added = atomicAdd(word, own) + own;
      if (added >> 32 < blocks) continue;
      *word = 0;
      sum = static_cast<std::int32_t>(static_cast<unsigned>(added));
    }
    counts[bin] = sum;
  }
}

template <class T, unsigned threads, unsigned unroll, bool once = false>
__global__ void __launch_bounds__(threads, threads_of_multiprocessor / threads)
    count_in_words_kernel(const T* in, std::size_t n, unsigned head, const Ranges ranges,
                          Word* words, std::int32_t* counts) {
  std::int32_t* counters = dynamic_shared<std::int32_t>();
  count_range<unroll, once>(in, n, head, ranges, counters);
  add_up_in_words(counters, ranges.copies, ranges.first_bin(), ranges.length_of_block(),
                  ranges.groups, words, counts);
}

}  // namespace LADDER_UNIT
}  // namespace ladder
