// What the scans share that join their blocks within a launch: a tile of vectors in the registers of a block, and what comes before it.
#pragma once

#include "compare/operations/scan.hpp"
#include "handwritten/fold.hpp"
#include "handwritten/scan/warp.hpp"
#include "handwritten/stream.hpp"
#include "handwritten/words.hpp"

namespace ladder {

// What all threads have to fold, in their order, in every thread; `of_warp` is free again after the next barrier.
template <class Op, unsigned threads, class T>
__device__ T fold_for_all(T value, T (&of_warp)[threads / 32]) {
  const unsigned lane = threadIdx.x % 32;
  value = fold_warp<Op>(value);
  if (lane == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = fold_warp<Op>(lane < threads / 32 ? of_warp[lane] : Op::template identity<T>());
  return __shfl_sync(whole_warp, value, 0);
}

// The arrays of a scan in vectors. Vector 0 begins at the 16-byte boundary at or before `in`, and out lies as in does; where it does not, elements
// move one by one.
template <class T>
struct ScanVectors {
  static constexpr unsigned width = elements_of_vector<T>;

  const T* in;
  T* out;
  std::size_t n;
  unsigned shift;  // the elements from that boundary to `in`
  bool together;   // out lies as in does

  explicit ScanVectors(const ScanArguments<T>& device) : in(device.in), out(device.out), n(device.n) {
    const auto past_boundary = [](const T* array) { return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(array) % 16 / sizeof(T)); };
    together = past_boundary(in) == past_boundary(out);
    shift = together ? past_boundary(in) : 0;
  }

  unsigned tiles(unsigned vectors) const { return blocks_for(n + shift, std::size_t{vectors} * width); }

  // Of elements outside [0, n): the identity.
  template <class Op>
  __device__ Vector<T> load(std::size_t vector) const {
    const std::size_t first = vector * width - shift;
    if (is_whole(first)) return *reinterpret_cast<const Vector<T>*>(in + first);
    Vector<T> loaded;
#pragma unroll
    for (unsigned k = 0; k < width; ++k) loaded.element[k] = first + k < n ? in[first + k] : Op::template identity<T>();
    return loaded;
  }

  __device__ void store(std::size_t vector, const Vector<T>& value) const {
    const std::size_t first = vector * width - shift;
    if (is_whole(first)) {
      *reinterpret_cast<Vector<T>*>(out + first) = value;
      return;
    }
#pragma unroll
    for (unsigned k = 0; k < width; ++k)
      if (first + k < n) out[first + k] = value.element[k];
  }

 private:
  // Before in[0], `first` is a very large number.
  __device__ bool is_whole(std::size_t first) const {
    return together && first < n && n - first >= width;
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

}  // namespace ladder
