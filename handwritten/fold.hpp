// What a warp and a block fold into one value, in the order of their threads: an operator need not commute. T may be a struct that has a
// shuffle_down() of its own.
#pragma once

#include "compare/launch.hpp"

namespace ladder {

constexpr unsigned whole_warp = 0xffffffff;

template <class T>
__device__ T shuffle_down(T value, unsigned lanes) {
  return __shfl_down_sync(whole_warp, value, lanes);
}

// In lane 0. Reaching out by 1, 2, 4 .. lanes combines neighbours only.
template <class Op, class T>
__device__ T fold_warp(T value) {
#pragma unroll
  for (unsigned reach = 1; reach < 32; reach *= 2) value = Op{}(value, shuffle_down(value, reach));
  return value;
}

// In thread 0, behind one barrier. There must be another one before the block folds again.
template <class Op, unsigned threads, class T>
__device__ T fold_block(T value) {
  __shared__ T of_warp[threads / 32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;

  value = fold_warp<Op>(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) value = fold_warp<Op>(lane < threads / 32 ? of_warp[lane] : Op::template identity<T>());
  return value;
}

}  // namespace ladder
