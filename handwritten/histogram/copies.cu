#include <algorithm>

#include "handwritten/histogram/copies.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "shared_atomics with several histograms in each block: neighbouring lanes count in "
        "different ones.",
    .follows = "shared_atomics",
    .step = "Lanes of a warp that meet in one bin add to different counters, in different banks.",
    .costs = "Up to 32 times the shared memory, which each block clears and adds up.",
    .limited_by = "Loads of single elements. Many bins leave room for one copy.",
    .source =
        "V. Podlozhnyuk, Histogram calculation in CUDA, NVIDIA (2007), with a copy for each warp; "
        "a copy for each lane is our own.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
// 48 KiB, which every GPU has; bins above are counted in global memory
constexpr unsigned most_counters = 12 * 1024;

template <class T>
__global__ void __launch_bounds__(threads) copies_kernel(const T* in, std::size_t n, unsigned bins,
                                                         unsigned copies, std::int32_t* counts) {
  std::int32_t* counters = dynamic_shared<std::int32_t>();
  const unsigned kept = bins < most_counters ? bins : most_counters;
  const unsigned t = threadIdx.x;
  clear_copies(counters, kept * copies);

  const std::size_t stride = std::size_t{gridDim.x} * threads;
  for (std::size_t i = std::size_t{blockIdx.x} * threads + t; i < n; i += stride) {
    const auto bin = static_cast<unsigned>(in[i]);
    if (bin < kept) atomicAdd(&counters[bin * copies + t % copies], 1);
    else atomicAdd(&counts[bin], 1);
  }
  __syncthreads();

  for (unsigned bin = t; bin < kept; bin += threads)
    if (const std::int32_t sum = sum_of_copies(counters, bin, copies); sum != 0)
      atomicAdd(&counts[bin], sum);
}

template <class T>
struct Copies {
  typename Histogram<T>::Device device;
  unsigned copies = copies_for(std::min(device.bins, most_counters));
  unsigned blocks = blocks_for(device.n, threads, blocks_per_multiprocessor);

  void operator()(Stream stream) {
    clear(device.out, device.bins, stream);
    launch(copies_kernel<T>,
           {blocks, threads, std::min(device.bins, most_counters) * copies * sizeof(std::int32_t)},
           stream, device.in, device.n, device.bins, copies, device.out);
  }
};

const Register<Histogram, Copies> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
