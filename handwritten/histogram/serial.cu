#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "One thread walks over the whole input and counts, as a loop on a CPU does.",
    .costs = "It takes n steps. Each loads the element, and loads and stores its counter.",
    .limited_by =
        "The latency of those dependent accesses, one after another. All other lanes of the GPU "
        "idle.",
    .repaired =
        "In the note the remainder of a negative value indexed out of range: here it is that of "
        "the unsigned value.",
    .notes = "N3",
    .max_elements = std::size_t{1} << 20,
    .max_reason = "one thread waits for memory twice for each element, one wait after the other",
};

template <class T>
__global__ void serial_kernel(const T* in, std::size_t n, unsigned bins, std::int32_t* counts) {
  for (unsigned bin = 0; bin < bins; ++bin) counts[bin] = 0;
  for (std::size_t i = 0; i < n; ++i) ++counts[bin_of(in[i], bins)];
}

template <class T>
struct Serial {
  typename Histogram<T>::Device device;

  void operator()(Stream stream) {
    launch(serial_kernel<T>, {1, 1}, stream, device.in, device.n, device.bins, device.out);
  }
};

const Register<Histogram, Serial> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
