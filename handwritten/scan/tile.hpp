// A tile of vectors in the registers of a block, and what comes before it.
#pragma once

#include "handwritten/scan/of_warps.hpp"
#include "handwritten/scan/vectors.hpp"
#include "handwritten/scan/warp.hpp"

namespace ladder {

template <class Op, class T, unsigned width>
__device__ T fold_vector(const Vector<T, width>& vector) {
  T total = vector.element[0];
#pragma unroll
  for (unsigned k = 1; k < width; ++k) total = Op{}(total, vector.element[k]);
  return total;
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

// A tile in the registers of a block. Each warp has `vectors` rows of 32 neighbouring vectors.
template <class Element, class Op, unsigned threads, unsigned vectors,
          class T = Accumulator<Element>>
class Tile {
 public:
  static constexpr unsigned warps = threads / 32;

  __device__ Tile(const ScanVectors<Element>& arrays, std::size_t number)
      : arrays_(arrays), first_((number * warps + threadIdx.x / 32) * (vectors * 32)) {
    arrays.template load<Op>(first_, value_);
  }

  // Returns in lane 0 the total of the warp, before it is scanned.
  __device__ T fold_in_warp() const { return fold_rows<Op>(value_); }

  // Scans what the warp has, and returns its total.
  __device__ T scan_in_warp() {
    const T identity = Op::template identity<T>();
    T so_far = identity;
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) {
      scan_vector<Op>(value_[k]);
      const T scanned = scan_warp<Op>(value_[k].element[elements_of_vector<Element> - 1]);
      const T left = __shfl_up_sync(whole_warp, scanned, 1);
      before_[k] = Op{}(so_far, threadIdx.x % 32 == 0 ? identity : left);
      so_far = Op{}(so_far, __shfl_sync(whole_warp, scanned, 31));
    }
    return so_far;
  }

  // Once scanned. `before`: what comes before this warp.
  template <ScanKind kind>
  __device__ void store(T before) {
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k)
      put_before<Op, kind>(Op{}(before, before_[k]), value_[k]);
    arrays_.store(first_, value_);
  }

 private:
  const ScanVectors<Element>& arrays_;
  std::size_t first_;  // its first vector of this warp
  Accumulators<Element> value_[vectors];
  T before_[vectors];  // what comes before each vector in its warp
};

}  // namespace ladder
