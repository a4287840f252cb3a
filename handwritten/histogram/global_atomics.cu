#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "A thread for each element increments its bin by an atomic addition in global memory.",
    .follows = "racy",
    .step =
        "No other thread can come between the read and the write of a counter, so the answer is "
        "right.",
    .costs = "It takes one atomic operation on global memory for each element.",
    .limited_by =
        "The atomic unit of the cache that holds a bin: additions to one bin queue up, so "
        "parallelism ends at the number of bins.",
    .repaired =
        "In the note the remainder of a negative value indexed out of range: here it is that of "
        "the unsigned value.",
    .notes = "N3",
};

constexpr unsigned threads = 256;

template <class T>
__global__ void global_atomics_kernel(const T* in, std::size_t n, unsigned bins,
                                      std::int32_t* counts) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[bin_of(in[i], bins)], 1);
}

template <class T>
struct GlobalAtomics {
  typename Histogram<T>::Device device;

  void operator()(Stream stream) {
    clear(device.out, device.bins, stream);
    launch(global_atomics_kernel<T>, {blocks_for(device.n, threads), threads}, stream, device.in,
           device.n, device.bins, device.out);
  }
};

const Register<Histogram, GlobalAtomics> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
