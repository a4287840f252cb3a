// The totals of the waves, in the hands of one warp of a block: it publishes that of its block,
// reads all, and adds them up wave by wave.
#pragma once

#include "handwritten/fold.hpp"
#include "handwritten/scan/warp.hpp"
#include "handwritten/scan/waves.hpp"

namespace ladder {

// What the warps of a block tell each other, in shared memory.
template <class Total, unsigned warps, unsigned ahead>
struct Board {
  // of the tiles from this one to `ahead` later: the totals of the warps, then what comes before
  // each in its tile
  Total of_warp[ahead + 1][warps];
  Total before_tile[2];  // of this wave and the next
};

// Totals are read `rows` times 32 at a time. The warp asks for them, goes on, and waits for those
// that were not there only when it needs them.
template <class Op, unsigned warps, unsigned ahead, unsigned rows, class T>
class Totals {
 public:
  using Total = Accumulator<T>;

  __device__ Totals(const Waves<T>& waves, Board<Total, warps, ahead>& board)
      : waves_(waves), board_(board), tag_(*static_cast<volatile unsigned*>(waves.run)) {}

  // Publishes the total of tile j, which all warps have added up, and puts what comes before each
  // warp in the place of the warp's total.
  __device__ void tell(unsigned j) {
    if (j >= count_) return;
    const Total identity = Op::template identity<Total>();
    Total* const of_warp = board_.of_warp[j % (ahead + 1)];
    const Total scanned = scan_warp<Op>(lane_ < warps ? of_warp[lane_] : identity);
    if (lane_ == warps - 1)
      publish(totals_of_wave(waves_, j) + blockIdx.x, tag_, scanned, gridDim.x);
    const Total left = __shfl_up_sync(whole_warp, scanned, 1);
    if (lane_ < warps) of_warp[lane_] = lane_ == 0 ? identity : left;
  }

  __device__ void ask(unsigned j) {
    live_ = tiles_of_wave(waves_.tiles, j);
    ask_for_rows(j, 0);
  }

  // Puts what comes before tile j on the board. The totals asked for last must be those of wave j.
  __device__ void carry_on(unsigned j) {
    if (j >= count_) return;
    for (unsigned first = 0; first < live_; first += rows * 32) {
      if (first > 0) ask_for_rows(j, first);
      while (!are_there(first)) ask_for_rows(j, first);
      Total total[rows + 1];  // the last: of the blocks before this one in its row
      total[rows] = Op::template identity<Total>();
      // a very large number if it lies before `first`
      const unsigned own_row = (blockIdx.x - first) / 32;
#pragma unroll
      for (unsigned r = 0; r < rows; ++r) {
        const unsigned k = first + r * 32 + lane_;
        total[r] = k < live_ ? found_[r].value() : Op::template identity<Total>();
        if (r == own_row && k < blockIdx.x) total[rows] = total[r];
      }
      fold_warp<Op>(total);
#pragma unroll
      for (unsigned r = 0; r < rows; ++r) {
        if (r == own_row && lane_ == 0) board_.before_tile[j % 2] = Op{}(carry_, total[rows]);
        carry_ = Op{}(carry_, total[r]);
      }
    }
    if (lane_ > 0) return;
    // every block has published, and so has read the run
    const bool is_last = tile_of_block(j) == waves_.tiles - 1;
    if (is_last) *static_cast<volatile unsigned*>(waves_.run) = tag_ + 1;
  }

 private:
  __device__ void ask_for_rows(unsigned j, unsigned first) {
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      const unsigned k = first + r * 32 + lane_;
      if (k < live_) found_[r].ask(totals_of_wave(waves_, j) + k, gridDim.x);
    }
  }

  __device__ bool are_there(unsigned first) const {
    bool all = true;
#pragma unroll
    for (unsigned r = 0; r < rows; ++r)
      all &= first + r * 32 + lane_ >= live_ || found_[r].has(tag_);
    return all;
  }

  const Waves<T>& waves_;
  Board<Total, warps, ahead>& board_;
  const unsigned count_ = tiles_of_block(waves_.tiles), lane_ = threadIdx.x % 32, tag_;
  unsigned live_;
  Found<Total> found_[rows];
  Total carry_ = Op::template identity<Total>();  // of all earlier waves, in lane 0
};

}  // namespace ladder
