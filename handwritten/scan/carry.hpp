// What comes before each tile of a block: a tile waits for the totals of its own wave.
#pragma once

#include "handwritten/scan/of_warps.hpp"
#include "handwritten/scan/waves.hpp"

namespace ladder {

template <class Op, unsigned threads, class T>
class Carry {
 public:
  using Total = Accumulator<T>;

  // `tag` is in shared memory: one thread reads the tag of the totals for all, so a block that has
  // published with it has read it. There must be a barrier before before_warp().
  __device__ Carry(const Waves<T>& waves, unsigned& tag) : waves_(waves), tag_(tag) {
    if (threadIdx.x == 0) tag = *static_cast<volatile unsigned*>(waves.run);
  }

  // Returns what comes before this warp in the block's j-th tile, of which it has the totals of all
  // warps. Every thread calls it. With two barriers.
  __device__ Total before_warp(unsigned j, const OfWarps<Total, threads / 32>& of_warps) {
    __shared__ OfWarps<Total, threads / 32> of_blocks_before, of_blocks;
    const unsigned live = tiles_of_wave(waves_.tiles, j), each = (live + threads - 1) / threads;
    const Total before_in_tile = of_warps.template fold<Op>(threadIdx.x / 32);
    if (threadIdx.x == 0)
      publish(totals_of_wave(waves_, j) + blockIdx.x, tag_, of_warps.template fold<Op>(),
              gridDim.x);

    Total before = Op::template identity<Total>(), all = before;
    for (unsigned k = threadIdx.x * each; k < (threadIdx.x + 1) * each && k < live; ++k) {
      const Total total = k == blockIdx.x
                              ? of_warps.template fold<Op>()
                              : wait_for<Total>(totals_of_wave(waves_, j) + k, tag_, gridDim.x);
      all = Op{}(all, total);
      if (k < blockIdx.x) before = all;
    }
    before = Op{}(carry_, fold_for_all<Op>(before, of_blocks_before));
    carry_ = Op{}(carry_, fold_for_all<Op>(all, of_blocks));
    // The block of the last tile: every block has published, and so has read the run.
    if (threadIdx.x == 0 && tile_of_block(j) == waves_.tiles - 1)
      *static_cast<volatile unsigned*>(waves_.run) = tag_ + 1;
    return Op{}(before, before_in_tile);
  }

 private:
  const Waves<T>& waves_;
  const unsigned& tag_;
  Total carry_ = Op::template identity<Total>();  // of all earlier waves
};

}  // namespace ladder
