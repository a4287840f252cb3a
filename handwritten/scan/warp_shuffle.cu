#include "handwritten/scan/blocks.hpp"
#include "handwritten/scan/warp.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each warp scans rows of 32 elements by shuffle, in registers, and carries its total from "
        "row to row; then the warps of a block are joined.",
    .follows = "blelloch_conflict_free",
    .step =
        "A block of 2,048 elements passes 2 barriers, where blelloch_conflict_free passes 21 for "
        "1,024. It takes next to no shared memory.",
    .costs =
        "It takes 5 operations for each element, as Hillis and Steele do, and 6 shuffles. The "
        "exclusive scan takes a seventh shuffle, which moves "
        "the results one lane on.",
    .limited_by = "Global memory: with the joining of the blocks, four words for each element.",
    .source = "Our own; the scan of a warp by shuffle is that of the CUDA programming guide.",
};

constexpr unsigned threads = 256;
constexpr unsigned warps = threads / 32;
constexpr unsigned rows = 8;  // elements of a thread: independent loads, and independent scans

template <class T, class Op, ScanKind kind>
__global__ void __launch_bounds__(threads)
    warp_shuffle_kernel(const T* in, std::size_t n, T* out, T* totals) {
  const Op op;
  const T identity = Op::template identity<T>();
  __shared__ T up_to_warp[warps];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const std::size_t first = (std::size_t{blockIdx.x} * warps + warp) * (rows * 32) + lane;

  T value[rows];
#pragma unroll
  for (unsigned k = 0; k < rows; ++k) value[k] = first + k * 32 < n ? in[first + k * 32] : identity;

  T so_far = identity;  // of the warp
#pragma unroll
  for (unsigned k = 0; k < rows; ++k) {
    const T scanned = scan_warp<Op>(value[k]);
    const T left = __shfl_up_sync(whole_warp, scanned, 1);
    value[k] = op(so_far, kind == ScanKind::inclusive ? scanned : lane == 0 ? identity : left);
    so_far = op(so_far, __shfl_sync(whole_warp, scanned, 31));
  }

  if (lane == 0) up_to_warp[warp] = so_far;
  __syncthreads();
  if (warp == 0) {
    const T scanned = scan_warp<Op>(lane < warps ? up_to_warp[lane] : identity);
    if (lane < warps) up_to_warp[lane] = scanned;
  }
  __syncthreads();

  const T before = warp == 0 ? identity : up_to_warp[warp - 1];
#pragma unroll
  for (unsigned k = 0; k < rows; ++k) {
    if (first + k * 32 < n) out[first + k * 32] = op(before, value[k]);
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = up_to_warp[warps - 1];
}

template <class T, class Op, ScanKind kind>
using WarpShuffle =
    ScanByBlocks<T, Op, warp_shuffle_kernel<T, Op, kind>,
                 warp_shuffle_kernel<T, Op, ScanKind::exclusive>, threads, threads * rows>;

const RegisterScans<WarpShuffle> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
