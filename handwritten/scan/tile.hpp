// What the scans share that join their blocks within a launch: a tile of vectors in the registers of a block, and what comes before it.
#pragma once

#include "compare/operations/scan.hpp"
#include "handwritten/fold.hpp"
#include "handwritten/scan/warp.hpp"
#include "handwritten/shapes.hpp"
#include "handwritten/words.hpp"

namespace ladder {

// What all threads have to fold, in their order, in every thread; `of_warp` is free again after the next barrier.
template <class Op, unsigned threads, class T>
__device__ T fold_for_all(T value, T (&of_warp)[threads / 32]) {
  const unsigned lane = threadIdx.x % 32;
  value = fold_warp<Op>(value);
  if (lane == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  return fold_warp_for_all<Op>(lane < threads / 32 ? of_warp[lane] : Op::template identity<T>());
}

// The arrays of a scan in vectors. Vector 0 begins at the 16-byte boundary at or before `in`, and out lies as in does; where it does not, elements
// move one by one.
template <class T>
struct ScanVectors {
  static constexpr unsigned width = elements_of_vector<T>;

  const T* in;
  T* out;
  std::size_t n;
  unsigned shift;                      // the elements from that boundary to `in`
  std::size_t whole_begin, whole_end;  // the vectors that move as such: they lie whole in both arrays
  bool once;                           // whether to load as what is needed once

  explicit ScanVectors(const ScanArguments<T>& device) : in(device.in), out(device.out), n(device.n) {
    const auto past_boundary = [](const T* array) { return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(array) % 16 / sizeof(T)); };
    const bool together = past_boundary(in) == past_boundary(out);
    shift = together ? past_boundary(in) : 0;
    whole_begin = shift > 0 ? 1 : 0;
    whole_end = together ? (n + shift) / width : 0;
    once = are_needed_once(n * sizeof(T), n * sizeof(T));
  }

  unsigned tiles(unsigned vectors) const { return blocks_for(n + shift, std::size_t{vectors} * width); }

  __device__ bool are_whole(std::size_t first, unsigned count) const { return whole_begin <= first && first + count <= whole_end; }

  // By a warp: lane l takes vectors first + l, first + 32 + l, .. Of elements outside [0, n): the identity.
  template <class Op, unsigned count>
  __device__ void load(std::size_t first, Vector<T> (&value)[count]) const {
    const std::size_t mine = (first + threadIdx.x % 32) * width - shift;
    if (are_whole(first, count * 32)) {
#pragma unroll
      for (unsigned k = 0; k < count; ++k) {
        const auto* const vector = reinterpret_cast<const Vector<T>*>(in + mine + k * (32 * width));
        value[k] = once ? load_once(vector) : *vector;
      }
      return;
    }
#pragma unroll
    for (unsigned k = 0; k < count; ++k) value[k] = load_elements<Op>(mine + k * (32 * width));
  }

  template <unsigned count>
  __device__ void store(std::size_t first, const Vector<T> (&value)[count]) const {
    const std::size_t mine = (first + threadIdx.x % 32) * width - shift;
    if (are_whole(first, count * 32)) {
#pragma unroll
      for (unsigned k = 0; k < count; ++k) store_once(reinterpret_cast<Vector<T>*>(out + mine + k * (32 * width)), value[k]);
      return;
    }
#pragma unroll
    for (unsigned k = 0; k < count; ++k) store_elements(mine + k * (32 * width), value[k]);
  }

 private:
  // Before in[0], `first` is a very large number.
  template <class Op>
  __device__ Vector<T> load_elements(std::size_t first) const {
    Vector<T> loaded;
#pragma unroll
    for (unsigned e = 0; e < width; ++e) loaded.element[e] = first + e < n ? in[first + e] : Op::template identity<T>();
    return loaded;
  }

  __device__ void store_elements(std::size_t first, const Vector<T>& value) const {
#pragma unroll
    for (unsigned e = 0; e < width; ++e)
      if (first + e < n) out[first + e] = value.element[e];
  }
};

// Scans the elements of a thread's vector, and puts what comes before the vector to them.
template <class Op, class T>
__device__ void scan_vector(Vector<T>& vector) {
#pragma unroll
  for (unsigned k = 1; k < elements_of_vector<T>; ++k) vector.element[k] = Op{}(vector.element[k - 1], vector.element[k]);
}

template <class Op, ScanKind kind, class T>
__device__ void put_before(T before, Vector<T>& scanned) {
#pragma unroll
  for (unsigned k = elements_of_vector<T>; k-- > 0;) {
    if constexpr (kind == ScanKind::inclusive) scanned.element[k] = Op{}(before, scanned.element[k]);
    else scanned.element[k] = k == 0 ? before : Op{}(before, scanned.element[k - 1]);
  }
}

// A tile in the registers of a block. Each warp has `vectors` rows of 32 neighbouring vectors.
template <class T, class Op, unsigned threads, unsigned vectors>
class Tile {
 public:
  static constexpr unsigned warps = threads / 32;

  __device__ Tile(const ScanVectors<T>& arrays, std::size_t number) : arrays_(arrays), first_((number * warps + threadIdx.x / 32) * (vectors * 32)) {
    arrays.template load<Op>(first_, value_);
  }

  // With a barrier. Returns in lane w the total of warp w.
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
    for (unsigned k = 0; k < vectors; ++k) put_before<Op, kind>(Op{}(before, before_[k]), value_[k]);
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
  return fold_warp_for_all<Op>(threadIdx.x % 32 < threadIdx.x / 32 ? total_of_lane : Op::template identity<T>());
}

}  // namespace ladder
