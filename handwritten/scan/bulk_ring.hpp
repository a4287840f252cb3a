// A ring of tiles in shared memory that bulk copies fill and empty: one thread asks for a tile, the hardware moves it, and a barrier in shared memory
// says when it is there. For sm_90 and later.
#pragma once

#include <cstdint>
#include <cuda/ptx>

#include "handwritten/scan/extra_warp.hpp"

namespace ladder {

namespace ptx = cuda::ptx;  // takes sizes by reference: a copy has an address in device code

// Tile j is asked for a wave after the tile `stages` before it has departed: by then the hardware has read that one from its stage. Tiles at the ends
// of the arrays are moved by the warps.
template <class T, class Op, unsigned warps, unsigned vectors, unsigned stages, unsigned ahead>
class BulkRing {
 public:
  static constexpr std::size_t shared_bytes = std::size_t{stages} * warps * 32 * vectors * 16;

  __device__ explicit BulkRing(const Waves<T>& waves) : arrays_(waves.arrays), count_(tiles_of_block(waves.tiles)), full_(barriers()) {
    static_assert(ahead + 1 < stages);
    if (threadIdx.x == warps * 32) {
      for (unsigned s = 0; s < stages; ++s) ptx::mbarrier_init(full_ + s, 1);
      ptx::fence_proxy_async(ptx::space_shared);
      for (unsigned j = 0; j < stages; ++j) ask(j);
    }
    __syncthreads();
  }

  __device__ Vector<T>* stage(unsigned j) { return dynamic_shared<Vector<T>>() + j % stages * vectors_of_tile; }

  __device__ void arrived(unsigned j) {
    while (!ptx::mbarrier_try_wait_parity(full_ + j % stages, j / stages % 2)) {
    }
    if (is_whole(j)) return;
    Vector<T> value[vectors];
    arrays_.template load<Op>(first_vector(j) + of_warp(), value);
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) stage(j)[of_warp() + k * 32 + threadIdx.x % 32] = value[k];
    __syncwarp();
  }

  __device__ void leave(unsigned j) {
    ptx::fence_proxy_async(ptx::space_shared);  // the copy finds what this thread has written
    if (is_whole(j)) return;
    __syncwarp();
    Vector<T> value[vectors];
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) value[k] = stage(j)[of_warp() + k * 32 + threadIdx.x % 32];
    arrays_.store(first_vector(j) + of_warp(), value);
  }

  __device__ void depart(unsigned j) {
    if (threadIdx.x != warps * 32) return;
    if (is_whole(j)) ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, arrays_.out + first_element(j), stage(j), unsigned{bytes_of_tile});
    ptx::cp_async_bulk_commit_group();  // if only an empty one
    if (j > 0) {
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>{});  // shared memory has been read, but for the last tile
      ask(j - 1 + stages);
    }
    if (j == count_ - 1) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }

 private:
  static constexpr unsigned vectors_of_tile = warps * 32 * vectors, bytes_of_tile = vectors_of_tile * 16;

  __device__ static std::uint64_t* barriers() {
    __shared__ std::uint64_t of_stage[stages];
    return of_stage;
  }
  __device__ static unsigned of_warp() {
    return threadIdx.x / 32 * (32 * vectors);
  }
  __device__ std::size_t first_vector(unsigned j) const {
    return tile_of_block(j) * vectors_of_tile;
  }
  __device__ std::size_t first_element(unsigned j) const {
    return first_vector(j) * elements_of_vector<T> - arrays_.shift;
  }
  __device__ bool is_whole(unsigned j) const {
    return arrays_.are_whole(first_vector(j), vectors_of_tile);
  }

  __device__ void ask(unsigned j) {
    if (j >= count_) return;
    if (!is_whole(j)) {
      ptx::mbarrier_arrive(full_ + j % stages);  // the phase of a tile that the warps bring
      return;
    }
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full_ + j % stages, unsigned{bytes_of_tile});
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage(j), arrays_.in + first_element(j), unsigned{bytes_of_tile}, full_ + j % stages);
  }

  const ScanVectors<T>& arrays_;
  unsigned count_;
  std::uint64_t* full_;
};

template <class T, class Op, ScanKind kind, unsigned warps, unsigned vectors, unsigned stages, unsigned ahead>
__global__ void __launch_bounds__(warps * 32 + 32, 1) waves_bulk_kernel(const __grid_constant__ Waves<T> waves) {
  BulkRing<T, Op, warps, vectors, stages, ahead> ring(waves);
  scan_by_waves<Op, kind, warps, vectors, ahead, 5>(waves, ring);
}

// One block on each multiprocessor, which has all of its shared memory. On an H200, at 2^28 elements, tiles of 20 KiB in 11 stages are fastest for
// elements of 4 bytes, and tiles of 24 KiB in 9 for those of 8, whose shuffles take longer.
template <class T>
constexpr bool is_wide = sizeof(T) > 4;

template <class T, class Op, ScanKind kind, unsigned warps = is_wide<T> ? 16 : 8, unsigned vectors = is_wide<T> ? 3 : 5,
          unsigned stages = is_wide<T> ? 9 : 11, unsigned ahead = is_wide<T> ? 5 : 4>
class ScanInBulkWaves {
 public:
  explicit ScanInBulkWaves(const ScanArguments<T>& device) : waves_(device, warps * 32 * vectors, resident_blocks(kernel, threads, shared_bytes)) {}

  void operator()(Stream stream) { launch(kernel, {waves_.blocks(), threads, shared_bytes, true}, stream, *waves_); }

 private:
  static constexpr auto kernel = waves_bulk_kernel<T, Op, kind, warps, vectors, stages, ahead>;
  static constexpr unsigned threads = warps * 32 + 32;
  static constexpr std::size_t shared_bytes = BulkRing<T, Op, warps, vectors, stages, ahead>::shared_bytes;

  WavesOf<T> waves_;
};

}  // namespace ladder
