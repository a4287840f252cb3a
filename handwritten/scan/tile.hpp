// A tile of vectors in the registers of a block, and what comes before it.
#pragma once

#include "handwritten/fold.hpp"
#include "handwritten/scan/vectors.hpp"
#include "handwritten/scan/warp.hpp"

namespace ladder {

// Folds the values of all threads of a block, in their order; every thread gets the result. With a
// barrier. `of_warp` may be written again after the next one.
template <class Op, unsigned threads, class T>
__device__ T fold_for_all(T value, T (&of_warp)[threads / 32]) {
  const unsigned lane = threadIdx.x % 32;
  value = fold_warp<Op>(value);
  if (lane == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  return fold_warp_for_all<Op>(lane < threads / 32 ? of_warp[lane] : Op::template identity<T>());
}

// A tile in the registers of a block. Each warp has `vectors` rows of 32 neighbouring vectors.
template <class T, class Op, unsigned threads, unsigned vectors>
class Tile {
 public:
  static constexpr unsigned warps = threads / 32;

  __device__ Tile(const ScanVectors<T>& arrays, std::size_t number)
      : arrays_(arrays), first_((number * warps + threadIdx.x / 32) * (vectors * 32)) {
    arrays.template load<Op>(first_, value_);
  }

  // Returns in lane w the total of warp w. With a barrier; there must be another one before the
  // block scans its next tile.
  __device__ T scan_in_warps() {
    __shared__ T of_warp[warps];
    const T identity = Op::template identity<T>();
    const unsigned lane = threadIdx.x % 32;
    T so_far = identity;
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) {
      scan_vector<Op>(value_[k]);
      const T scanned = scan_warp<Op>(value_[k].element[elements_of_vector<T> - 1]);
      const T left = __shfl_up_sync(whole_warp, scanned, 1);
      before_[k] = Op{}(so_far, lane == 0 ? identity : left);
      so_far = Op{}(so_far, __shfl_sync(whole_warp, scanned, 31));
    }
    if (lane == 0) of_warp[threadIdx.x / 32] = so_far;
    __syncthreads();
    return lane < warps ? of_warp[lane] : identity;
  }

  // `before`: what comes before this warp.
  template <ScanKind kind>
  __device__ void store(T before) {
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k)
      put_before<Op, kind>(Op{}(before, before_[k]), value_[k]);
    arrays_.store(first_, value_);
  }

 private:
  const ScanVectors<T>& arrays_;
  std::size_t first_;  // its first vector of this warp
  Vector<T> value_[vectors];
  T before_[vectors];  // what comes before each vector in its warp
};

// What comes before this warp in its tile.
template <class Op, class T>
__device__ T before_warp(T total_of_lane) {
  return fold_warp_for_all<Op>(threadIdx.x % 32 < threadIdx.x / 32 ? total_of_lane
                                                                   : Op::template identity<T>());
}

}  // namespace ladder
