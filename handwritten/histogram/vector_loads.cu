#include "handwritten/histogram/copies.hpp"
#include "handwritten/stream.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "copies with loads of 16 bytes, four of them in flight in each thread.",
    .follows = "copies",
    .step = "It has a quarter of the load instructions, and 16 times the bytes on their way.",
    .costs = "Elements before the first 16-byte boundary and after the last are loaded one by one.",
    .limited_by =
        "Reading the input, up to 12,288 bins; above, the atomic operations on global memory.",
    .source = "Our own.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
// independent 16-byte loads in flight in each thread
constexpr unsigned unroll = 4;
// 48 KiB, which every GPU has; bins above are counted in global memory
constexpr unsigned most_counters = 12 * 1024;

template <class T>
__global__ void __launch_bounds__(threads)
    vector_loads_kernel(const T* in, std::size_t n, unsigned head, unsigned bins, unsigned copies,
                        std::int32_t* counts) {
  std::int32_t* counters = dynamic_shared<std::int32_t>();
  const unsigned kept = bins < most_counters ? bins : most_counters;
  const unsigned t = threadIdx.x;
  clear_copies(counters, kept * copies);

  stream_in_grid<threads, unroll>(in, n, head, [&](T value) {
    const auto bin = static_cast<unsigned>(value);
    if (bin < kept) atomicAdd(&counters[bin * copies + t % copies], 1);
    else atomicAdd(&counts[bin], 1);
  });
  __syncthreads();

  for (unsigned bin = t; bin < kept; bin += threads)
    if (const std::int32_t sum = sum_of_copies(counters, bin, copies); sum != 0)
      atomicAdd(&counts[bin], sum);
}

template <class T>
struct VectorLoads {
  typename Histogram<T>::Device device;
  unsigned head = elements_before_boundary(device.in, device.n);
  unsigned copies = copies_for(std::min(device.bins, most_counters));
  unsigned blocks = blocks_for(device.n, std::size_t{threads} * elements_of_vector<T> * unroll,
                               blocks_per_multiprocessor);

  void operator()(Stream stream) {
    clear(device.out, device.bins, stream);
    launch(vector_loads_kernel<T>,
           {blocks, threads, std::min(device.bins, most_counters) * copies * sizeof(std::int32_t)},
           stream, device.in, device.n, head, device.bins, copies, device.out);
  }
};

const Register<Histogram, VectorLoads> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
