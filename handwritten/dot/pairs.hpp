// How the rungs that stream a and b read them: pairs of vectors where both arrays lie at the same
// distance from a 16-byte boundary, else pairs of elements, with as many bytes in flight.
#pragma once

#include "compare/operations/dot.hpp"
#include "handwritten/stream.hpp"

namespace ladder {

template <class T>
struct Pairs {
  unsigned width;  // elements_of_vector<T>, or 1
  unsigned head;   // pairs before the first boundary

  explicit Pairs(const typename Dot<T>::Device& device)
      : width(reinterpret_cast<std::uintptr_t>(device.a) % 16 ==
                      reinterpret_cast<std::uintptr_t>(device.b) % 16
                  ? elements_of_vector<T>
                  : 1),
        head(width == 1 ? 0 : elements_before_boundary(device.a, device.n)) {}
};

template <class T, unsigned width>
struct PairOfVectors {
  Vector<T, width> a, b;
};

// take(x, y) for those of the n pairs that this thread of the grid reads. `unroll` pairs of 16
// bytes are in flight in each thread.
template <unsigned unroll, unsigned width, bool once = false, class T, class Take>
__device__ void stream_pairs(const T* a, const T* b, std::size_t n, unsigned head, Take take) {
  const auto* as = reinterpret_cast<const Vector<T, width>*>(a + head);
  const auto* bs = reinterpret_cast<const Vector<T, width>*>(b + head);
  const std::size_t count = (n - head) / width;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto load = [&](std::size_t i) {
    if constexpr (once && width > 1)
      return PairOfVectors<T, width>{load_once(as + i), load_once(bs + i)};
    else return PairOfVectors<T, width>{as[i], bs[i]};
  };
  const auto take_pair = [&](const PairOfVectors<T, width>& pair) {
#pragma unroll
    for (unsigned k = 0; k < width; ++k) take(pair.a.element[k], pair.b.element[k]);
  };
  stream<unroll * elements_of_vector<T> / width>(thread, threads, count, load, take_pair);

  const std::size_t tail = head + count * width;  // head and tail are shorter than a vector
  if (thread < head) take(a[thread], b[thread]);
  if (tail + thread < n) take(a[tail + thread], b[tail + thread]);
}

}  // namespace ladder
