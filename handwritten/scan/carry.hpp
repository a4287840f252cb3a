// What comes before the tiles of a block, one wave after the other: each waits for the totals of its own.
#pragma once

#include "handwritten/scan/waves.hpp"

namespace ladder {

template <class Op, unsigned threads, class T>
class Carry {
 public:
  __device__ explicit Carry(const Waves<T>& waves) : waves_(waves), tag_(*static_cast<volatile unsigned*>(waves.run)) {}

  // Called by every thread, with the totals of the warps of the block's j-th tile in the lanes of each warp. What comes before the tile. With two
  // barriers.
  __device__ T before_tile(unsigned j, T of_lane) {
    __shared__ T of_blocks_before[threads / 32], of_blocks[threads / 32];
    const unsigned live = tiles_of_wave(waves_.tiles, j);
    const T own = fold_warp_for_all<Op>(of_lane);
    if (threadIdx.x == 0) publish(totals_of_wave(waves_, j) + blockIdx.x, tag_, own, gridDim.x);

    T before = Op::template identity<T>(), all = before;
    const unsigned each = (live + threads - 1) / threads;
    for (unsigned k = threadIdx.x * each; k < (threadIdx.x + 1) * each && k < live; ++k) {
      const T total = k == blockIdx.x ? own : wait_for<T>(totals_of_wave(waves_, j) + k, tag_, gridDim.x);
      all = Op{}(all, total);
      if (k < blockIdx.x) before = all;
    }
    before = Op{}(carry_, fold_for_all<Op, threads>(before, of_blocks_before));
    carry_ = Op{}(carry_, fold_for_all<Op, threads>(all, of_blocks));
    const bool is_last = tile_of_block(j) == waves_.tiles - 1;  // every block has published, and so has read the run
    if (is_last && threadIdx.x == 0) *static_cast<volatile unsigned*>(waves_.run) = tag_ + 1;
    return before;
  }

 private:
  const Waves<T>& waves_;
  const unsigned tag_;
  T carry_ = Op::template identity<T>();  // of all earlier waves
};

}  // namespace ladder
