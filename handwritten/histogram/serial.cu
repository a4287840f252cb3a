// serial: one thread counts everything, as a loop on a CPU would.
//
// Improves on  nothing: this is the ground the ladder stands on.
// Costs        n steps, each a load of the element, and a load and a store of its counter.
// Limited by   the latency of those dependent accesses, one after another; all other lanes of the GPU idle.
// Source       N3
// Repaired     the remainder of a negative value indexed out of range.
#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T>
__global__ void serial_kernel(const T* in, std::size_t n, unsigned bins, std::int32_t* counts) {
  for (unsigned bin = 0; bin < bins; ++bin) counts[bin] = 0;
  for (std::size_t i = 0; i < n; ++i) ++counts[bin_of(in[i], bins)];
}

template <class T>
class Serial {
 public:
  explicit Serial(const typename Histogram<T>::Device& device) : device_(device) {}

  void operator()(Stream stream) { launch(serial_kernel<T>, {1, 1}, stream, device_.in, device_.n, device_.bins, device_.out); }

 private:
  typename Histogram<T>::Device device_;
};

const Register<Histogram, Serial, std::int32_t> rung{{
    .idea = "One thread walks over the whole input.",
    .notes = "N3",
    .max_elements = std::size_t{1} << 20,
    .max_reason = "one thread waits for memory twice for each element, one wait after the other",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
