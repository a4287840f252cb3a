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

  stream_elements<unroll>(in, n, head, std::size_t{blockIdx.x} * threads + t,
                          std::size_t{gridDim.x} * threads, [&](T value) {
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
class VectorLoads {
 public:
  explicit VectorLoads(const typename Histogram<T>::Device& device)
      : device_(device),
        head_(elements_before_boundary(device.in, device.n)),
        copies_(copies_for(std::min(device.bins, most_counters))) {
    const unsigned enough = blocks_for(device.n, threads * elements_of_vector<T> * unroll);
    blocks_ = std::min(enough, blocks_per_multiprocessor * backend::multiprocessors());
  }

  void operator()(Stream stream) {
    clear(device_.out, device_.bins, stream);
    launch(
        vector_loads_kernel<T>,
        {blocks_, threads, std::min(device_.bins, most_counters) * copies_ * sizeof(std::int32_t)},
        stream, device_.in, device_.n, head_, device_.bins, copies_, device_.out);
  }

 private:
  typename Histogram<T>::Device device_;
  unsigned head_, copies_, blocks_;
};

const Register<Histogram, VectorLoads, std::int32_t, std::uint8_t> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
