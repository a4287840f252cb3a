#include <algorithm>

#include "handwritten/scan/waves.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "As many blocks as the GPU holds at once take tiles in turns, a wave after the other. A tile waits in shared memory while its total, "
        "published "
        "two waves early, reaches all other blocks.",
    .follows = "one_wave",
    .step =
        "One launch for any size, in which memory is never idle: loads, totals and stores of different waves are on their way at the same time. "
        "Values are combined in the same order in every run.",
    .costs = "Every element passes through shared memory, and its tile through three barriers. All blocks must be resident.",
    .limited_by = "Reading the input and writing the output; the instructions that carry vectors into shared memory and out of it.",
    .source = "Our own.",
};

// Stages that threads fill by loads of their own, a tile ahead in registers. The vectors that a thread brings to a stage are those that it takes
// away: the next tile may come as soon as it has done so.
template <class T, class Op, unsigned threads, unsigned vectors, unsigned ahead>
class LoadedRing {
 public:
  static constexpr std::size_t shared_bytes = std::size_t{ahead + 1} * threads * vectors * 16;

  __device__ explicit LoadedRing(const Waves<T>& waves) : waves_(waves), count_(tiles_of_block(waves.tiles)) { ask(0); }

  __device__ Vector<T>* stage(unsigned j) { return dynamic_shared<Vector<T>>() + j % (ahead + 1) * (threads * vectors); }

  __device__ void arrived(unsigned j) {
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) stage(j)[k * threads + threadIdx.x] = coming_[k];
    ask(j + 1);
    __syncthreads();
  }

  __device__ void leave(unsigned j) {
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) waves_.arrays.store(vector(j, k), stage(j)[k * threads + threadIdx.x]);
  }

 private:
  __device__ std::size_t vector(unsigned j, unsigned k) const {
    return (tile_of_block(j) * vectors + k) * threads + threadIdx.x;
  }

  __device__ void ask(unsigned j) {
    if (j >= count_) return;
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) coming_[k] = waves_.arrays.template load<Op>(vector(j, k));
  }

  const Waves<T>& waves_;
  unsigned count_;
  Vector<T> coming_[vectors];
};

template <class T, class Op, ScanKind kind, unsigned threads, unsigned vectors, unsigned ahead>
__global__ void __launch_bounds__(threads, threads_of_multiprocessor / threads) waves_kernel(Waves<T> waves) {
  LoadedRing<T, Op, threads, vectors, ahead> ring(waves);
  scan_by_waves<Op, kind, threads, vectors, ahead>(waves, ring);
}

// Tiles of 16 KiB, and a stage for the tile that is scanned and for each of the two waves ahead of it: 48 KiB, which every GPU has.
template <class T, class Op, ScanKind kind, unsigned threads = 1024, unsigned vectors = 1, unsigned ahead = 2>
class ScanInWaves {
 public:
  explicit ScanInWaves(const ScanArguments<T>& device)
      : waves_(device, threads * vectors, std::min(threads, resident_blocks(kernel, threads, shared_bytes))) {}

  void operator()(Stream stream) { launch(kernel, {waves_.blocks(), threads, shared_bytes, true}, stream, *waves_); }

 private:
  static constexpr auto kernel = waves_kernel<T, Op, kind, threads, vectors, ahead>;
  static constexpr std::size_t shared_bytes = LoadedRing<T, Op, threads, vectors, ahead>::shared_bytes;

  WavesOf<T> waves_;
};

template <class T, class Op>
using InclusiveWaves = ScanInWaves<T, Op, ScanKind::inclusive>;
template <class T, class Op>
using ExclusiveWaves = ScanInWaves<T, Op, ScanKind::exclusive>;

const Register<InclusiveScan, InclusiveWaves, std::int32_t, std::int64_t, float, double> inclusive{card};
const Register<ExclusiveScan, ExclusiveWaves, std::int32_t, std::int64_t, float, double> exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
