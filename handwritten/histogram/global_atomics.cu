// global_atomics: racy with an atomic addition, which nothing can come in between.
//
// Improves on  racy: right.
// Costs        one atomic operation on global memory for each element.
// Limited by   the atomic unit of the cache where a bin lives: additions to one bin queue up, so parallelism ends at the number of bins.
// Source       N3
// Repaired     the remainder of a negative value indexed out of range.
#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr unsigned threads = 256;

template <class T>
__global__ void global_atomics_kernel(const T* in, std::size_t n, unsigned bins, std::int32_t* counts) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[bin_of(in[i], bins)], 1);
}

template <class T>
class GlobalAtomics {
 public:
  explicit GlobalAtomics(const typename Histogram<T>::Device& device) : device_(device) {}

  void operator()(Stream stream) {
    clear(device_.out, device_.bins, stream);
    launch(global_atomics_kernel<T>, {blocks_for(device_.n, threads), threads}, stream, device_.in, device_.n, device_.bins, device_.out);
  }

 private:
  typename Histogram<T>::Device device_;
};

const Register<Histogram, GlobalAtomics, std::int32_t> rung{{
    .idea = "A thread for each element increments its bin by an atomic addition in global memory.",
    .follows = "racy",
    .notes = "N3",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
