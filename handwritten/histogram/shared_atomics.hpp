// A histogram in the shared memory of each block.
#pragma once

#include <algorithm>

#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

// Bins from `most_counters` on are counted in global memory.
template <class T, unsigned threads, unsigned most_counters>
__global__ void __launch_bounds__(threads)
    shared_atomics_kernel(const T* in, std::size_t n, unsigned bins, std::int32_t* counts) {
  std::int32_t* counters = dynamic_shared<std::int32_t>();
  const unsigned kept = bins < most_counters ? bins : most_counters;
  const unsigned t = threadIdx.x;
  for (unsigned bin = t; bin < kept; bin += threads) counters[bin] = 0;
  __syncthreads();

  const std::size_t stride = std::size_t{gridDim.x} * threads;
  for (std::size_t i = std::size_t{blockIdx.x} * threads + t; i < n; i += stride) {
    const auto bin = static_cast<unsigned>(in[i]);
    if (bin < kept) atomicAdd(&counters[bin], 1);
    else atomicAdd(&counts[bin], 1);
  }
  __syncthreads();

  for (unsigned bin = t; bin < kept; bin += threads)
    if (counters[bin] != 0) atomicAdd(&counts[bin], counters[bin]);
}

template <class T>
struct SharedAtomics {
  static constexpr unsigned threads = 512;
  // 2,048 resident threads, all that an SM takes
  static constexpr unsigned blocks_per_multiprocessor = 4;
  static constexpr unsigned most_counters = 12 * 1024;  // 48 KiB, which every GPU has

  typename Histogram<T>::Device device;
  unsigned blocks = blocks_for(device.n, threads, blocks_per_multiprocessor);

  void operator()(Stream stream) {
    clear(device.out, device.bins, stream);
    launch(shared_atomics_kernel<T, threads, most_counters>,
           {blocks, threads, std::min(device.bins, most_counters) * sizeof(std::int32_t)}, stream,
           device.in, device.n, device.bins, device.out);
  }
};

}  // namespace LADDER_UNIT
}  // namespace ladder
