// Scans by waves. Block b of G resident ones takes tiles b, G + b, 2 G + b, .. What comes before a
// tile is the carry of all earlier waves and the totals of the blocks before b in this wave: values
// are combined in the same order in every run.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "handwritten/scan/vectors.hpp"
#include "handwritten/words.hpp"

namespace ladder {

// What the blocks of a launch have in common.
template <class T>
struct Waves {
  ScanVectors<T> arrays;
  unsigned tiles;
  Word* totals;   // of each tile
  unsigned* run;  // the tag of this launch's totals: another one in each, and 1 before the first
};

// The number of tiles that this block takes, the j-th of them, and the number of tiles in its wave.
__device__ inline unsigned tiles_of_block(unsigned tiles) {
  return tiles > blockIdx.x ? (tiles - blockIdx.x + gridDim.x - 1) / gridDim.x : 0;
}
__device__ inline std::size_t tile_of_block(unsigned j) {
  return std::size_t{j} * gridDim.x + blockIdx.x;
}
__device__ inline unsigned tiles_of_wave(unsigned tiles, unsigned j) {
  const std::size_t before = std::size_t{j} * gridDim.x, left = tiles > before ? tiles - before : 0;
  return left < gridDim.x ? static_cast<unsigned>(left) : gridDim.x;
}

// The first word of each total of a wave, then the second of each: what a warp reads at the same
// time lies together. On an H200, an inclusive sum of 2^28 `f64` then takes 1,078 us in place of
// 1,119 with the words of each total together.
template <class T>
__device__ Word* totals_of_wave(const Waves<T>& waves, unsigned j) {
  return waves.totals + std::size_t{j} * gridDim.x * words<Accumulator<T>>;
}

// The words of a value lie `apart` from each other.
template <class T>
__device__ void publish(volatile Word* at, unsigned tag, T value, std::size_t apart) {
  Word word[words<T>];
  words_of(value, tag, word);
#pragma unroll
  for (unsigned k = 0; k < words<T>; ++k) at[k * apart] = word[k];
}

// The blocks, and the words that they hand to each other.
template <class T>
class WavesOf {
 public:
  WavesOf(const ScanArguments<T>& device, unsigned vectors_of_tile, unsigned most_blocks)
      : waves_{ScanVectors<T>(device), 0, nullptr, nullptr} {
    if (most_blocks == 0) throw std::runtime_error("not one block of this kernel fits the GPU");
    waves_.tiles = waves_.arrays.tiles(vectors_of_tile);
    blocks_ = waves_.tiles < most_blocks ? waves_.tiles : most_blocks;
    totals_ = zeros<Word>(std::size_t{(waves_.tiles + blocks_ - 1) / blocks_} * blocks_ *
                          words<Accumulator<T>>);
    run_ = DeviceArray<unsigned>(1);
    const unsigned first_run = 1;
    backend::upload(run_.data(), &first_run, sizeof first_run);
    waves_.totals = totals_.data();
    waves_.run = run_.data();
  }

  const Waves<T>& operator*() const { return waves_; }
  unsigned blocks() const { return blocks_; }

 private:
  Waves<T> waves_;
  unsigned blocks_;
  DeviceArray<Word> totals_;
  DeviceArray<unsigned> run_;
};

// A rung with a kernel of one shape.
template <class T, auto kernel, unsigned threads, unsigned vectors,
          unsigned blocks_per_multiprocessor, std::size_t shared_bytes = 0>
struct ScanInOneShape {
  ScanArguments<T> device;
  WavesOf<T> waves{device, threads* vectors,
                   std::min(resident_blocks(kernel, threads, shared_bytes),
                            blocks_per_multiprocessor* backend::multiprocessors())};

  void operator()(Stream stream) {
    launch(kernel,
           {.grid = waves.blocks(),
            .block = threads,
            .shared_bytes = shared_bytes,
            .resident = true,
            .early = true},
           stream, *waves);
  }
};

}  // namespace ladder
