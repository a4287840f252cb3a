#include "handwritten/scan/tile.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each block reads all that lies before its tile, and adds it up itself: no block waits for "
        "another.",
    .follows = "one_block",
    .step =
        "A block for each tile. Block b reads b tiles more, all at once, while it would otherwise "
        "wait for the total of another block.",
    .costs = "Of t tiles it reads t^2 / 2, most of them from the L2 cache.",
    .limited_by =
        "The launch, one way to memory and one barrier; from 128 KiB on, what a multiprocessor can "
        "load in that time.",
    .source = "Our own.",
    .max_elements = std::size_t{1} << 15,
    .max_reason = "its reads grow with the square of n (4 MiB for an input of 256 KiB)",
};

// Returns in lane 0 the total of the warp's share of all that lies before the tile: as many rows of
// 32 neighbouring vectors as there are blocks before this one.
template <class Op, class T>
__device__ Accumulator<T> fold_before_tile(const ScanVectors<T>& arrays) {
  constexpr unsigned at_once = 15;  // up to 16 blocks
  const unsigned rows = blockIdx.x, lane = threadIdx.x % 32;
  const std::size_t first = std::size_t{threadIdx.x / 32} * rows * 32;
  auto total = Op::template identity<Accumulator<T>>();
  const auto take = [&](const Vector<T>& vector) {
    const auto of_vector = fold_vector<Op>(converted<Accumulators<T>>(vector));
    total = Op{}(total, commutes<Op> ? of_vector : fold_warp<Op>(of_vector));
  };
  if (arrays.are_whole(first, rows * 32) && rows <= at_once) [[likely]] {
    const std::size_t mine = (first + lane) * arrays.width - arrays.shift;
    MovedVector value[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k)
      if (k < rows)
        value[k] = converted<MovedVector>(
            *reinterpret_cast<const Vector<T>*>(arrays.in + mine + k * (32 * arrays.width)));
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k)
      if (k < rows) take(converted<Vector<T>>(value[k]));
  } else {
    for (unsigned k = 0; k < rows; ++k) {
      Vector<T> value[1];
      arrays.template load<Op>(first + k * 32, value);
      take(value[0]);
    }
  }
  return commutes<Op> ? fold_warp<Op>(total) : total;
}

template <class T, class Op, ScanKind kind, unsigned threads>
__global__ void __launch_bounds__(threads) redundant_reads_kernel(ScanVectors<T> arrays) {
  constexpr unsigned warps = threads / 32;
  using Total = Accumulator<T>;
  __shared__ OfWarps<Total, warps> of_warps, of_before;

  begin_in_turn();
  Tile<T, Op, threads, 1> tile(arrays, blockIdx.x);
  of_before.put(fold_before_tile<Op>(arrays));
  of_warps.gather(tile.scan_in_warp());
  tile.template store<kind>(
      Op{}(of_before.template fold<Op>(), of_warps.template fold<Op>(threadIdx.x / 32)));
}

// On an H200, cold, blocks of 256 threads are fastest up to 64 KiB.
template <class T, class Op, ScanKind kind>
struct RedundantReads {
  ScanArguments<T> device;
  ScanVectors<T> arrays{device};
  bool is_small = device.n * sizeof(T) <= std::size_t{64} << 10;

  void operator()(Stream stream) {
    const unsigned threads = is_small ? 256 : 512;
    launch(is_small ? redundant_reads_kernel<T, Op, kind, 256>
                    : redundant_reads_kernel<T, Op, kind, 512>,
           {.grid = arrays.tiles(threads), .block = threads, .early = true}, stream, arrays);
  }
};

const RegisterScans<RedundantReads, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
