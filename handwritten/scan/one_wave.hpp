// Tiles that are all in the GPU at the same time: their shapes, and the totals that they read.
#pragma once

#include "handwritten/scan/tile.hpp"
#include "handwritten/words.hpp"

namespace ladder {

// Fast shapes on an H200 with cold caches. The more there is to scan, the more vectors each thread
// has, so that a block has few totals to read.
constexpr std::size_t bytes_for_small_blocks_of_wave = 128 << 10;
// For each multiprocessor:
constexpr std::size_t bytes_for_two_vectors = 4 << 10;
constexpr std::size_t bytes_for_four_vectors = 16 << 10;
constexpr std::size_t bytes_for_eight_vectors = 64 << 10;

// Calls use(shape) with the Shape of the blocks that scan n elements. A vector of two-byte elements
// is eight floats while it is scanned. So where others have blocks of 256 threads with four vectors
// or eight, two-byte elements have 512 threads with half as many.
template <class T, class Use>
void with_shape_of_wave(std::size_t n, const Use& use) {
  constexpr unsigned twice = sizeof(Accumulator<T>) / sizeof(T), most = 8 / twice;
  const std::size_t bytes = n * sizeof(T), multiprocessors = backend::multiprocessors();
  if (bytes <= bytes_for_small_blocks_of_wave) use(Shape<256, 1>());
  else if (bytes <= bytes_for_two_vectors * multiprocessors) use(Shape<256, 2>());
  else if (bytes <= bytes_for_four_vectors * multiprocessors) use(Shape<256 * twice, most / 2>());
  else if (bytes <= bytes_for_eight_vectors * multiprocessors) use(Shape<256 * twice, most>());
  else use(Shape<512, most>());
}

// By one warp, for values that are asked for later: their words may lie in memory, and come to the
// cache meanwhile. On an H200, an inclusive sum of 2^14 `f64` by one_wave then takes 5.7 us in
// place of 6.0. A kernel calls this once its own loads are on their way.
__device__ inline void bring_to_cache(const Word* words, unsigned count) {
#ifdef __CUDACC__
  constexpr unsigned words_of_sector = 4;
  for (unsigned k = threadIdx.x % 32 * words_of_sector; k < count; k += 32 * words_of_sector)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(words + k));
#else
  static_cast<void>(words), static_cast<void>(count);
#endif
}

// The values with this tag in the first `count` places, folded by all threads of a block: thread
// after thread, each takes neighbours. Every thread gets the result. With a barrier.
template <class Op, class T, unsigned warps>
__device__ T wait_for_all(const Word* places, unsigned count, unsigned tag,
                          OfWarps<T, warps>& of_warps) {
  T folded = Op::template identity<T>();
  constexpr unsigned threads = warps * 32;
  const unsigned each = (count + threads - 1) / threads;
  for (unsigned k = threadIdx.x * each; k < (threadIdx.x + 1) * each && k < count; ++k)
    folded = Op{}(folded, wait_for<T>(places + k * words<T>, tag));
  return fold_for_all<Op>(folded, of_warps);
}

}  // namespace ladder
