// What a thread, a warp and a block fold into one value, in the order of their elements: an
// operator need not commute. T may be a struct that has a shuffle_down() of its own.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "compare/launch.hpp"
#include "compare/operators.hpp"
#include "handwritten/stream.hpp"

namespace ladder {

constexpr unsigned whole_warp = 0xffffffff;

template <class T>
__device__ T shuffle_down(T value, unsigned lanes) {
  return __shfl_down_sync(whole_warp, value, lanes);
}

// sm_80 and later combine the 32-bit integers of a warp in one instruction; every GPU votes in one.
#if !defined(__CUDACC__) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
constexpr bool warps_combine_integers = true;
#else
constexpr bool warps_combine_integers = false;
#endif

template <class Op, class T>
constexpr bool warps_combine = std::is_same_v<Op, LogicalOr> || std::is_same_v<Op, LogicalAnd> ||
                               (warps_combine_integers && std::is_same_v<T, std::int32_t> &&
                                (std::is_same_v<Op, Sum> || std::is_same_v<Op, Min> ||
                                 std::is_same_v<Op, Max>));

template <class Op, class T>
__device__ T combine_warp(T value) {
  if constexpr (std::is_same_v<Op, LogicalOr>) return T(__any_sync(whole_warp, value != T(0)));
  else if constexpr (std::is_same_v<Op, LogicalAnd>)
    return T(__all_sync(whole_warp, value != T(0)));
  else if constexpr (std::is_same_v<Op, Sum>) return __reduce_add_sync(whole_warp, value);
  else if constexpr (std::is_same_v<Op, Min>) return __reduce_min_sync(whole_warp, value);
  else return __reduce_max_sync(whole_warp, value);
}

// Folds several values at the same time, each over the lanes of the warp, in lane 0. Reaching out
// by 1, 2, 4 .. lanes combines neighbours only.
template <class Op, class T, unsigned count>
__device__ void fold_warp(T (&value)[count]) {
  if constexpr (warps_combine<Op, T>) {
#pragma unroll
    for (unsigned k = 0; k < count; ++k) value[k] = combine_warp<Op>(value[k]);
  } else {
#pragma unroll
    for (unsigned reach = 1; reach < 32; reach *= 2) {
#pragma unroll
      for (unsigned k = 0; k < count; ++k) value[k] = Op{}(value[k], shuffle_down(value[k], reach));
    }
  }
}

template <class Op, class T>
__device__ T fold_warp(T value) {
  T only[] = {value};
  fold_warp<Op>(only);
  return only[0];
}

// Folds the elements of a vector as a tree: that is a shorter chain than one after the other.
template <class Op, class T, unsigned width>
__device__ T fold_vector(const Vector<T, width>& vector) {
  static_assert(std::has_single_bit(width));
  Vector<T, width> folded = vector;
#pragma unroll
  for (unsigned reach = 1; reach < width; reach *= 2) {
#pragma unroll
    for (unsigned e = 0; e < width; e += 2 * reach)
      folded.element[e] = Op{}(folded.element[e], folded.element[e + reach]);
  }
  return folded.element[0];
}

// Folds rows of 32 neighbouring vectors, of which each lane has one, in lane 0.
template <class Op, class T, unsigned width, unsigned rows>
__device__ T fold_rows(const Vector<T, width> (&value)[rows]) {
  T of_row[rows];
#pragma unroll
  for (unsigned k = 0; k < rows; ++k) of_row[k] = fold_vector<Op>(value[k]);
  if constexpr (!commutes<Op>) fold_warp<Op>(of_row);
  T total = of_row[0];
#pragma unroll
  for (unsigned k = 1; k < rows; ++k) total = Op{}(total, of_row[k]);
  return commutes<Op> ? fold_warp<Op>(total) : total;
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
  if (warp == 0)
    value = fold_warp<Op>(lane < threads / 32 ? of_warp[lane] : Op::template identity<T>());
  return value;
}

// The same where the operator commutes: all values lie in shared memory, and one warp folds them,
// with one row of shuffles in place of two.
template <class Op, unsigned threads, class T>
__device__ T fold_block_in_one_warp(T value) {
  constexpr unsigned width = elements_of_vector<T>;
  __shared__ Vector<T> of_threads[threads / width];
  of_threads[threadIdx.x / width].element[threadIdx.x % width] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return value;

  Vector<T> folded = of_threads[threadIdx.x];
#pragma unroll
  for (unsigned k = 1; k < threads / width / 32; ++k) {
    const Vector<T> next = of_threads[k * 32 + threadIdx.x];
#pragma unroll
    for (unsigned e = 0; e < width; ++e)
      folded.element[e] = Op{}(folded.element[e], next.element[e]);
  }
  return fold_warp<Op>(fold_vector<Op>(folded));
}

}  // namespace ladder
