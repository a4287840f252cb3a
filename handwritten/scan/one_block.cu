#include "handwritten/scan/tile.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "One block scans tile after tile in its registers, and carries on the total of all tiles "
        "before.",
    .follows = "vector_loads",
    .step =
        "No ticket, and no other block to tell a total to or to wait for. A launch is set up while "
        "the one before it runs.",
    .costs = "One multiprocessor works, all others idle.",
    .limited_by =
        "For small inputs, the launch, one way to memory and one barrier. For others, the loads "
        "that one multiprocessor has in flight.",
    .source = "Our own.",
};

template <class T, class Op, ScanKind kind, unsigned threads, unsigned vectors>
__global__ void __launch_bounds__(threads) one_block_kernel(ScanVectors<T> arrays, unsigned tiles) {
  __shared__ OfWarps<Accumulator<T>, threads / 32> of_warps;

  begin_in_turn();
  auto before = Op::template identity<Accumulator<T>>();
  for (unsigned k = 0; k < tiles; ++k) {
    Tile<T, Op, threads, vectors> tile(arrays, k);
    if (k > 0) __syncthreads();  // the totals of the warps of the tile before have been read
    of_warps.gather(tile.scan_in_warp());
    tile.template store<kind>(Op{}(before, of_warps.template fold<Op>(threadIdx.x / 32)));
    if (k + 1 < tiles) before = Op{}(before, of_warps.template fold<Op>());
  }
}

// On an H200, cold, tiles of 16 KiB are fastest for an input that fits into one of them. Larger
// inputs take tiles of 32 KiB.
template <class T, class Op, ScanKind kind>
struct OneBlock {
  static constexpr unsigned threads = 512;

  ScanArguments<T> device;
  ScanVectors<T> arrays{device};
  bool is_small = arrays.tiles(threads * 2) == 1;

  void operator()(Stream stream) {
    launch(is_small ? one_block_kernel<T, Op, kind, threads, 2>
                    : one_block_kernel<T, Op, kind, threads, 4>,
           {.grid = 1, .block = threads, .early = true}, stream, arrays,
           arrays.tiles(threads * (is_small ? 2 : 4)));
  }
};

const RegisterScans<OneBlock, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
