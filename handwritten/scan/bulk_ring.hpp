// A ring of tiles in shared memory that bulk copies fill and empty: one thread asks for a tile, the
// hardware moves it, and a barrier in shared memory says when it is there. For sm_90 and later.
#pragma once

#include <cstdint>
#include <cuda/ptx>

#include "handwritten/scan/waves.hpp"

namespace ladder {

namespace ptx = cuda::ptx;  // takes sizes by reference: a copy has an address in device code

// Tile j is asked for a wave after the tile `stages` before it has departed: by then the hardware
// has read that one from its stage. Tiles at the ends of the arrays are moved by the warps.
template <class T, class Op, unsigned warps, unsigned vectors, unsigned stages, unsigned ahead>
class BulkRing {
 public:
  static constexpr bool departs = true;
  static constexpr std::size_t shared_bytes = std::size_t{stages} * warps * 32 * vectors * 16;

  __device__ explicit BulkRing(const Waves<T>& waves)
      : arrays_(waves.arrays), count_(tiles_of_block(waves.tiles)), full_(barriers()) {
    static_assert(ahead + 1 < stages);
    if (threadIdx.x == warps * 32) {
      for (unsigned s = 0; s < stages; ++s) ptx::mbarrier_init(full_ + s, 1);
      ptx::fence_proxy_async(ptx::space_shared);
      for (unsigned j = 0; j < stages; ++j) ask(j);
    }
    __syncthreads();
  }

  __device__ Vector<T>* stage(unsigned j) {
    return dynamic_shared<Vector<T>>() + j % stages * vectors_of_tile;
  }

  __device__ void arrived(unsigned j) {
    while (!ptx::mbarrier_try_wait_parity(full_ + j % stages, j / stages % 2)) {
    }
    if (is_whole(j)) return;
    Vector<T> value[vectors];
    arrays_.template load<Op>(first_vector(j) + of_warp(), value);
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k)
      stage(j)[of_warp() + k * 32 + threadIdx.x % 32] = value[k];
    __syncwarp();
  }

  __device__ void leave(unsigned j) {
    ptx::fence_proxy_async(ptx::space_shared);  // the copy finds what this thread has written
    if (is_whole(j)) return;
    __syncwarp();
    Vector<T> value[vectors];
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k)
      value[k] = stage(j)[of_warp() + k * 32 + threadIdx.x % 32];
    arrays_.store(first_vector(j) + of_warp(), value);
  }

  __device__ void depart(unsigned j) {
    if (threadIdx.x != warps * 32) return;
    if (is_whole(j))
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, arrays_.out + first_element(j),
                         stage(j), unsigned{bytes_of_tile});
    ptx::cp_async_bulk_commit_group();  // if only an empty one
    if (j > 0) {
      // shared memory has been read, but for the last tile
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>{});
      ask(j - 1 + stages);
    }
    if (j == count_ - 1) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }

 private:
  static constexpr unsigned vectors_of_tile = warps * 32 * vectors,
                            bytes_of_tile = vectors_of_tile * 16;

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
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   full_ + j % stages, unsigned{bytes_of_tile});
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage(j),
                       arrays_.in + first_element(j), unsigned{bytes_of_tile}, full_ + j % stages);
  }

  const ScanVectors<T>& arrays_;
  unsigned count_;
  std::uint64_t* full_;
};

}  // namespace ladder
