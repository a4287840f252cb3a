// How the threads of a block add up and scan a tile that lies in shared memory.
#pragma once

#include "handwritten/scan/vectors.hpp"
#include "handwritten/scan/warp.hpp"

namespace ladder {

// A vector of a tile, by one instruction. Of elements that are used one by one, nvcc loads four at
// most: of `f16` that is half a vector, and two threads of those that shared memory serves together
// then find theirs in the same bank.
template <class T>
__device__ Vector<T> whole(const Vector<T>& vector) {
#ifdef __CUDACC__
  return std::bit_cast<Vector<T>>(reinterpret_cast<const uint4&>(vector));
#else
  return vector;
#endif
}

// A thread scans `vectors` neighbouring vectors of a tile, an odd number, so that the eight threads
// that shared memory serves together find theirs in different banks.
template <class Op, unsigned vectors, class T>
__device__ Accumulator<T> fold_vectors(const Vector<T>* mine) {
  static_assert(vectors % 2 == 1);
  auto total = Op::template identity<Accumulator<T>>();
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) {
    const auto vector = converted<Accumulators<T>>(whole(mine[k]));
#pragma unroll
    for (unsigned e = 0; e < elements_of_vector<T>; ++e) total = Op{}(total, vector.element[e]);
  }
  return total;
}

// `before`: what comes before the warp.
template <class Op, ScanKind kind, unsigned vectors, class T>
__device__ void scan_vectors(Vector<T>* mine, Accumulator<T> before) {
  constexpr unsigned last = elements_of_vector<T> - 1;
  Accumulators<T> value[vectors];
  auto total = Op::template identity<Accumulator<T>>();
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) {
    value[k] = converted<Accumulators<T>>(whole(mine[k]));
    scan_vector<Op>(value[k]);
    total = Op{}(total, value[k].element[last]);
  }
  const auto left = __shfl_up_sync(whole_warp, scan_warp<Op>(total), 1);
  if (threadIdx.x % 32 > 0) before = Op{}(before, left);
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) {
    const auto of_vector = value[k].element[last];
    put_before<Op, kind>(before, value[k]);
    before = Op{}(before, of_vector);
    mine[k] = converted<Vector<T>>(value[k]);
  }
}

}  // namespace ladder
