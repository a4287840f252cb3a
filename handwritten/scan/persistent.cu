#include "handwritten/scan/carry.hpp"
#include "handwritten/scan/tile.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "As many blocks as the GPU holds at once take tiles in turns, a wave after the other, and "
        "carry on the total of all waves before.",
    .follows = "one_wave",
    .step =
        "One launch for any size. The total that one launch of one_wave leaves in memory for the "
        "next is in a register here.",
    .costs =
        "All blocks must be resident. Each reads the totals of all blocks in every wave, also of "
        "those after it.",
    .limited_by =
        "The way of a total from one block to all others, in every wave: memory idles meanwhile.",
    .source = "Our own.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 2;
constexpr unsigned vectors = 4;  // of a thread: tiles of 32 KiB

template <class T, class Op, ScanKind kind>
__global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    persistent_kernel(const Waves<T> waves) {
  __shared__ OfWarps<Accumulator<T>, threads / 32> of_warps;
  __shared__ unsigned tag;

  begin_in_turn();
  Carry<Op, threads, T> carry(waves, tag);
  for (unsigned j = 0; j < tiles_of_block(waves.tiles); ++j) {
    Tile<T, Op, threads, vectors> tile(waves.arrays, tile_of_block(j));
    of_warps.gather(tile.scan_in_warp());
    tile.template store<kind>(carry.before_warp(j, of_warps));
  }
}

template <class T, class Op, ScanKind kind>
using Persistent =
    ScanInOneShape<T, persistent_kernel<T, Op, kind>, threads, vectors, blocks_per_multiprocessor>;

const RegisterScans<Persistent, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
