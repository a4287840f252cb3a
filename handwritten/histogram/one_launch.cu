#include "handwritten/histogram/last_block.hpp"
#include "handwritten/histogram/ranges.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "shared_privatised in one launch: blocks add to sums of their own, and the last block of a "
        "range takes the sums to the result.",
    .follows = "shared_privatised",
    .step =
        "No launch sets the result to 0: the last block of each range leaves the sums at 0 for the "
        "next run.",
    .costs = "Sums for each bin in device memory; each block draws a ticket and passes two fences.",
    .limited_by =
        "Reading the input. For small inputs, the ticket, and the sums that one block takes to the "
        "result.",
    .source =
        "Our own; the ticket of the last block is that of the threadFenceReduction sample of the "
        "CUDA toolkit.",
};

constexpr unsigned threads = 512;
constexpr unsigned unroll = 4;                 // independent 16-byte loads in flight in each thread
constexpr unsigned most_counters = 16 * 1024;  // of a block: 64 KiB

// There are `sums` for each bin and `tickets` for each range.
template <class T>
__global__ void __launch_bounds__(threads, threads_of_multiprocessor / threads)
    one_launch_kernel(const T* in, std::size_t n, unsigned head, const Ranges ranges,
                      std::int32_t* sums, unsigned* tickets, std::int32_t* counts) {
  std::int32_t* counters = dynamic_shared<std::int32_t>();
  count_range<unroll>(in, n, head, ranges, counters);
  const unsigned first = ranges.first_bin();
  add_up_in_last_block<threads>(counters, ranges.copies, ranges.length_of_block(), ranges.groups,
                                sums + first, tickets + blockIdx.x % ranges.ranges, counts + first);
}

template <class T>
struct OneLaunch {
  typename Histogram<T>::Device device;
  unsigned head = elements_before_boundary(device.in, device.n);
  Ranges ranges = Ranges(device.n, device.bins, most_counters, 32, threads,
                         std::size_t{threads} * elements_of_vector<T> * unroll);
  DeviceArray<std::int32_t> sums = zeros<std::int32_t>(device.bins);
  DeviceArray<unsigned> tickets = zeros<unsigned>(ranges.ranges);

  void operator()(Stream stream) {
    launch(one_launch_kernel<T>, ranges.shape(), stream, device.in, device.n, head, ranges,
           sums.data(), tickets.data(), device.out);
  }
};

const Register<Histogram, OneLaunch> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
