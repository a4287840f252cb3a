// What the histogram rungs share: which bin an element belongs to, and counters set to 0 within the
// run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compare/launch.hpp"
#include "compare/operations/histogram.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

// The notes' remainder, of the unsigned value: a negative one would index out of range.
template <class T>
__device__ unsigned bin_of(T value, unsigned bins) {
  return static_cast<unsigned>(value) % bins;
}

template <class Count>
__global__ void clear_kernel(Count* counters, std::size_t length) {
  let_next_launch_begin();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < length) counters[i] = 0;
}

template <class Count>
void clear(Count* counters, std::size_t length, Stream stream) {
  constexpr unsigned threads_to_clear = 256;
  launch(clear_kernel<Count>, {blocks_for(length, threads_to_clear), threads_to_clear}, stream,
         counters, length);
}

}  // namespace LADDER_UNIT
}  // namespace ladder
