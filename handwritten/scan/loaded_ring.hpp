// A ring of tiles in shared memory. How tiles come and go is the ring's business:
//   arrived(j)    of each warp that scans: its part of the block's j-th tile is in stage(j)
//   stage(j)      the vectors of the j-th tile, in order
//   leave(j)      of each warp that scans, once it has written its part of stage(j): it goes to the
//   output
//   depart(j)     of a warp that scans nothing, once all have left; only if `departs` is true
#pragma once

#include "handwritten/scan/waves.hpp"

namespace ladder {

// Warps fill the stages by loads of their own, a tile ahead in registers. Each warp brings, scans
// and takes away the same part of a stage. So a __syncwarp() is enough, and the next tile may come
// as soon as the warp has taken this one away.
template <class T, class Op, unsigned warps, unsigned vectors, unsigned ahead>
class LoadedRing {
 public:
  static constexpr bool departs = false;
  static constexpr std::size_t shared_bytes = std::size_t{ahead + 1} * warps * 32 * vectors * 16;

  __device__ explicit LoadedRing(const Waves<T>& waves)
      : waves_(waves), count_(tiles_of_block(waves.tiles)) {
    if (threadIdx.x < warps * 32) ask(0);
  }

  __device__ Vector<T>* stage(unsigned j) {
    return dynamic_shared<Vector<T>>() + j % (ahead + 1) * (warps * 32 * vectors);
  }

  __device__ void arrived(unsigned j) {
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k)
      part_of_warp(j)[k * 32 + threadIdx.x % 32] = converted<Vector<T>>(coming_[k]);
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
  MovedVector coming_[vectors];
};

}  // namespace ladder
