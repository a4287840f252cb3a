#include <algorithm>

#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "Each block counts in a histogram of its own in shared memory and adds it to the result in the end.",
    .follows = "sort_reduce_by_key",
    .step =
        "It reads the input once, and nothing else moves but the counts. In global_atomics all additions to one bin meet in one place; here they "
        "meet "
        "in the shared memory of each multiprocessor.",
    .costs =
        "An atomic operation on shared memory for each element, and one on global memory for each bin of each block. A launch sets the result to 0.",
    .limited_by = "Lanes of a warp that add to one bin, or to bins in one bank, one after another; loads of single elements.",
    .source = "V. Podlozhnyuk, Histogram calculation in CUDA, NVIDIA (2007).",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
constexpr unsigned most_counters = 12 * 1024;      // 48 KiB, which every GPU has; bins above are counted in global memory

template <class T>
__global__ void __launch_bounds__(threads) shared_atomics_kernel(const T* in, std::size_t n, unsigned bins, std::int32_t* counts) {
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
class SharedAtomics {
 public:
  explicit SharedAtomics(const typename Histogram<T>::Device& device)
      : device_(device), blocks_(std::min(blocks_for(device.n, threads), blocks_per_multiprocessor * backend::multiprocessors())) {}

  void operator()(Stream stream) {
    clear(device_.out, device_.bins, stream);
    launch(shared_atomics_kernel<T>, {blocks_, threads, std::min(device_.bins, most_counters) * sizeof(std::int32_t)}, stream, device_.in, device_.n,
           device_.bins, device_.out);
  }

 private:
  typename Histogram<T>::Device device_;
  unsigned blocks_;
};

const Register<Histogram, SharedAtomics, std::int32_t, std::uint8_t> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
