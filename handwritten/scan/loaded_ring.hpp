// A ring of tiles in shared memory that warps fill and empty.
#pragma once

#include <optional>

#include "handwritten/scan/waves.hpp"

namespace ladder {

// Stages that warps fill by loads of their own, a tile ahead in registers. A warp brings those vectors to a stage that it scans and takes away: the
// next tile may come as soon as it has done so.
template <class T, class Op, unsigned warps, unsigned vectors, unsigned ahead>
class LoadedRing {
 public:
  static constexpr std::size_t shared_bytes = std::size_t{ahead + 1} * warps * 32 * vectors * 16;

  __device__ explicit LoadedRing(const Waves<T>& waves) : waves_(waves), count_(tiles_of_block(waves.tiles)) {
    if (threadIdx.x < warps * 32) ask(0);
  }

  __device__ Vector<T>* stage(unsigned j) { return dynamic_shared<Vector<T>>() + j % (ahead + 1) * (warps * 32 * vectors); }

  __device__ void arrived(unsigned j) {
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) part_of_warp(j)[k * 32 + threadIdx.x % 32] = coming_[k];
    ask(j + 1);
    __syncwarp();
  }

  __device__ void leave(unsigned j) {
    __syncwarp();
    Vector<T> value[vectors];
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) value[k] = part_of_warp(j)[k * 32 + threadIdx.x % 32];
    waves_.arrays.store(first_vector(j), value);
  }

  __device__ void depart(unsigned) {}

 private:
  __device__ Vector<T>* part_of_warp(unsigned j) {
    return stage(j) + threadIdx.x / 32 * (32 * vectors);
  }
  __device__ std::size_t first_vector(unsigned j) const {
    return (tile_of_block(j) * warps + threadIdx.x / 32) * (32 * vectors);
  }

  __device__ void ask(unsigned j) {
    if (j < count_) waves_.arrays.template load<Op>(first_vector(j), coming_);
  }

  const Waves<T>& waves_;
  unsigned count_;
  Vector<T> coming_[vectors];
};

// `resident` blocks fit an H200's multiprocessor.
template <class T, class Op, ScanKind kind, unsigned warps, unsigned vectors, unsigned ahead, unsigned resident, unsigned rows = 5>
__global__ void __launch_bounds__(warps * 32 + 32, resident) waves_kernel(const Waves<T> waves) {
  begin_in_turn();
  LoadedRing<T, Op, warps, vectors, ahead> ring(waves);
  scan_by_waves<Op, kind, warps, vectors, ahead, rows>(waves, ring);
}

// On an H200, one block on each multiprocessor, five vectors in a thread and three waves ahead are fastest, with elements of 4 and of 8 bytes: up to
// 24 MiB of input with 14 warps and tiles of 35 KiB, then with 18 and 45 KiB. Where a block cannot have that much shared memory, tiles have 12 KiB.
constexpr std::size_t bytes_for_14_warps = 180 << 10;  // for each multiprocessor

template <class T, class Op, ScanKind kind>
class ScanInWaves {
 public:
  explicit ScanInWaves(const ScanArguments<T>& device) {
    const bool is_small = device.n * sizeof(T) <= bytes_for_14_warps * backend::multiprocessors();
    if (is_small ? use<14, 5, 3, 1>(device) : use<18, 5, 3, 1>(device)) return;
    use<8, 3, 3, 2>(device);
  }

  void operator()(Stream stream) { launch(kernel_, shape_, stream, **waves_); }

 private:
  template <unsigned warps, unsigned vectors, unsigned ahead, unsigned resident>
  bool use(const ScanArguments<T>& device) {
    kernel_ = waves_kernel<T, Op, kind, warps, vectors, ahead, resident>;
    shape_ = {
        .grid = 0, .block = warps * 32 + 32, .shared_bytes = LoadedRing<T, Op, warps, vectors, ahead>::shared_bytes, .resident = true, .early = true};
    const unsigned most = resident_blocks(kernel_, shape_.block, shape_.shared_bytes);
    if (most == 0) return false;
    waves_.emplace(device, warps * 32 * vectors, most);
    shape_.grid = waves_->blocks();
    return true;
  }

  void (*kernel_)(const Waves<T> waves);
  LaunchShape shape_;
  std::optional<WavesOf<T>> waves_;
};

}  // namespace ladder
