#include "handwritten/scan/bulk_ring.hpp"
#include "handwritten/scan/extra_warp.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "waves with tiles that bulk copies bring to shared memory and take to the output: one "
        "thread asks, and the hardware moves them.",
    .follows = "waves",
    .step =
        "No registers and no instructions of the threads carry vectors from memory to shared "
        "memory. So there is room for more tiles on their way, "
        "and a total is published more waves before it is asked for. It does not pay: an H200 has "
        "threads enough to carry them.",
    .costs =
        "Nearly all of the shared memory. The tiles at the ends of the arrays, and all where in "
        "and out lie differently, are moved by the threads.",
    .limited_by = "Reading the input and writing the output.",
    .source = "Our own.",
    .needs = "sm_90",
};

template <class T, class Op, ScanKind kind, unsigned warps, unsigned vectors, unsigned stages,
          unsigned ahead>
__global__ void __launch_bounds__(warps * 32 + 32, 1)
    waves_bulk_kernel(const __grid_constant__ Waves<T> waves) {
  BulkRing<T, Op, warps, vectors, stages, ahead> ring(waves);
  scan_by_waves<Op, kind, warps, vectors, ahead, 5>(waves, ring);
}

// One block on each multiprocessor, which has all of its shared memory. On an H200, at 2^28
// elements, tiles of 20 KiB in 11 stages are fastest for elements of 4 bytes, and tiles of 24 KiB
// in 9 for those of 8, whose shuffles take longer.
template <class T, class Op, ScanKind kind>
struct ScanInBulkWaves {
  static constexpr bool is_wide = sizeof(T) > 4;
  static constexpr unsigned warps = is_wide ? 16 : 8, vectors = is_wide ? 3 : 5,
                            stages = is_wide ? 9 : 11, ahead = is_wide ? 5 : 4;
  static constexpr auto kernel = waves_bulk_kernel<T, Op, kind, warps, vectors, stages, ahead>;
  static constexpr unsigned threads = warps * 32 + 32;
  static constexpr std::size_t shared_bytes =
      BulkRing<T, Op, warps, vectors, stages, ahead>::shared_bytes;

  ScanArguments<T> device;
  WavesOf<T> waves{device, warps * 32 * vectors, resident_blocks(kernel, threads, shared_bytes)};

  void operator()(Stream stream) {
    launch(kernel, {waves.blocks(), threads, shared_bytes, true}, stream, *waves);
  }
};

const RegisterScans<ScanInBulkWaves> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
