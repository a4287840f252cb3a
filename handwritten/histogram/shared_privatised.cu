#include "handwritten/histogram/ranges.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each block counts in copies of the histogram in shared memory and adds them to the result "
        "in the end; many bins are cut into ranges, one "
        "for each of neighbouring blocks.",
    .follows = "vector_loads",
    .step =
        "No element is counted in global memory, however many bins there are. A single group of "
        "blocks writes its counts, and nothing is cleared.",
    .costs = "The blocks of all ranges read every element, all but the first from the cache.",
    .limited_by = "Reading the input, as long as one block holds all bins.",
    .source =
        "Our own; a histogram for each block is an old idea: V. Podlozhnyuk, Histogram calculation "
        "in CUDA, NVIDIA (2007).",
};

constexpr unsigned threads = 512;
constexpr unsigned unroll = 4;                 // independent 16-byte loads in flight in each thread
constexpr unsigned most_counters = 16 * 1024;  // of a block: 64 KiB

template <class T>
struct SharedPrivatised {
  typename Histogram<T>::Device device;
  unsigned head = elements_before_boundary(device.in, device.n);
  Ranges ranges = Ranges(device.n, device.bins, most_counters, 32, threads,
                         std::size_t{threads} * elements_of_vector<T> * unroll);

  void operator()(Stream stream) {
    if (ranges.groups > 1) clear(device.out, device.bins, stream);
    launch(count_ranges_kernel<T, threads, unroll>, ranges.shape(), stream, device.in, device.n,
           head, ranges, device.out);
  }
};

const Register<Histogram, SharedPrivatised> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
