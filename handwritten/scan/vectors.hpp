// How the scans read and write vectors.
#pragma once

#include "compare/operations/scan.hpp"
#include "handwritten/shapes.hpp"

namespace ladder {

// The arrays of a scan in vectors. If in and out lie at the same distance from a 16-byte boundary,
// vector 0 begins at the boundary at or before `in`. If not, it begins at `in`, and elements move
// one by one.
//
// A kernel's arguments come from memory in lines of 64 bytes, and begin 16 bytes into one on sm_90.
// What the loads need lies in the first 48 bytes, so that one line is enough to begin.
template <class T>
struct ScanVectors {
  static constexpr unsigned width = elements_of_vector<T>;

  const T* in;
  // the vectors that move as such: they lie whole in both arrays
  std::size_t whole_begin, whole_end;
  unsigned shift;  // the elements from that boundary to `in`
  bool once;       // whether to load as what is needed once
  T* out;
  std::size_t n;

  explicit ScanVectors(const ScanArguments<T>& device)
      : in(device.in), out(device.out), n(device.n) {
    const auto past_boundary = [](const T* array) {
      return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(array) % 16 / sizeof(T));
    };
    const bool together = past_boundary(in) == past_boundary(out);
    shift = together ? past_boundary(in) : 0;
    whole_begin = shift > 0 ? 1 : 0;
    whole_end = together ? (n + shift) / width : 0;
    once = are_needed_once(n * sizeof(T), n * sizeof(T));
  }

  unsigned tiles(unsigned vectors) const {
    return blocks_for(n + shift, std::size_t{vectors} * width);
  }

  __device__ bool are_whole(std::size_t first, unsigned count) const {
    return whole_begin <= first && first + count <= whole_end;
  }

  // By a warp: lane l takes vectors first + l, first + 32 + l, .. Of elements outside [0, n): the
  // identity. [[likely]] puts the code for single elements at the end of the kernel: a launch
  // with cold caches then fetches less code. On an H200, scans of 2^12 to 2^22 elements take 0.05
  // us less.
  template <class Op, unsigned count, class To>
  __device__ void load(std::size_t first, To (&value)[count]) const {
    const std::size_t mine = (first + threadIdx.x % 32) * width - shift;
    if (are_whole(first, count * 32)) [[likely]] {
#pragma unroll
      for (unsigned k = 0; k < count; ++k) {
        const auto* const vector = reinterpret_cast<const Vector<T>*>(in + mine + k * (32 * width));
        value[k] = once ? converted<To>(load_once(vector)) : converted<To>(*vector);
      }
      return;
    }
#pragma unroll
    for (unsigned k = 0; k < count; ++k)
      value[k] = converted<To>(load_elements<Op>(mine + k * (32 * width)));
  }

  template <unsigned count, class From>
  __device__ void store(std::size_t first, const From (&value)[count]) const {
    const std::size_t mine = (first + threadIdx.x % 32) * width - shift;
    if (are_whole(first, count * 32)) [[likely]] {
#pragma unroll
      for (unsigned k = 0; k < count; ++k)
        store_once(reinterpret_cast<Vector<T>*>(out + mine + k * (32 * width)),
                   converted<Vector<T>>(value[k]));
      return;
    }
#pragma unroll
    for (unsigned k = 0; k < count; ++k)
      store_elements(mine + k * (32 * width), converted<Vector<T>>(value[k]));
  }

 private:
  // Before in[0], `first` is a very large number.
  template <class Op>
  __device__ Vector<T> load_elements(std::size_t first) const {
    Vector<T> loaded;
#pragma unroll
    for (unsigned e = 0; e < width; ++e)
      loaded.element[e] = first + e < n ? in[first + e] : Op::template identity<T>();
    return loaded;
  }

  __device__ void store_elements(std::size_t first, const Vector<T>& value) const {
#pragma unroll
    for (unsigned e = 0; e < width; ++e)
      if (first + e < n) out[first + e] = value.element[e];
  }
};

// The inclusive scan of a thread's vector.
template <class Op, class T, unsigned width>
__device__ void scan_vector(Vector<T, width>& vector) {
#pragma unroll
  for (unsigned k = 1; k < width; ++k)
    vector.element[k] = Op{}(vector.element[k - 1], vector.element[k]);
}

// Combines `before` with each element of a scanned vector. The exclusive scan also moves them on by
// one.
template <class Op, ScanKind kind, class T, unsigned width>
__device__ void put_before(T before, Vector<T, width>& scanned) {
#pragma unroll
  for (unsigned k = width; k-- > 0;) {
    if constexpr (kind == ScanKind::inclusive)
      scanned.element[k] = Op{}(before, scanned.element[k]);
    else scanned.element[k] = k == 0 ? before : Op{}(before, scanned.element[k - 1]);
  }
}

}  // namespace ladder
