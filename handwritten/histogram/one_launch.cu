#include "handwritten/histogram/ranges.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "shared_privatised in one launch: blocks add to sums of their own, and the last block of a range takes the sums to the result.",
    .follows = "shared_privatised",
    .step = "No launch sets the result to 0: the last block of each range leaves the sums at 0 for the next run.",
    .costs = "Sums for each bin in device memory; each block draws a ticket and passes two fences.",
    .limited_by = "Reading the input. For small inputs, the ticket, and the sums that one block takes to the result.",
    .source = "Our own; the ticket of the last block is that of the threadFenceReduction sample of the CUDA toolkit.",
};

constexpr unsigned threads = 512;
constexpr unsigned unroll = 4;                 // independent 16-byte loads in flight in each thread
constexpr unsigned most_counters = 16 * 1024;  // of a block: 64 KiB

// `sums` of all bins and `tickets` of all ranges are 0 before and after every launch.
template <class T>
__global__ void __launch_bounds__(threads, threads_of_multiprocessor / threads)
    one_launch_kernel(const T* in, std::size_t n, unsigned head, const Ranges ranges, std::int32_t* sums, unsigned* tickets, std::int32_t* counts) {
  std::int32_t* counters = dynamic_shared<std::int32_t>();
  count_range<unroll>(in, n, head, ranges, counters);
  const unsigned length = ranges.length_of_block();
  counts += ranges.first_bin();
  sums += ranges.first_bin();
  for (unsigned bin = threadIdx.x; bin < length; bin += threads) {
    const std::int32_t sum = sum_of_copies(counters, bin, ranges.copies);
    if (ranges.groups == 1) counts[bin] = sum;
    else if (sum != 0) atomicAdd(&sums[bin], sum);
  }
  if (ranges.groups == 1) return;

  __shared__ bool is_last;
  __threadfence();  // the sums of each thread are there ..
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicInc(&tickets[blockIdx.x % ranges.ranges], ranges.groups - 1) == ranges.groups - 1;  // .. before the ticket, which wraps to 0
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  for (unsigned bin = threadIdx.x; bin < length; bin += threads) counts[bin] = atomicExch(&sums[bin], 0);
}

template <class T>
class OneLaunch {
 public:
  explicit OneLaunch(const typename Histogram<T>::Device& device)
      : device_(device),
        head_(elements_before_boundary(device.in, device.n)),
        ranges_(device.n, device.bins, most_counters, threads, std::size_t{threads} * elements_of_vector<T> * unroll),
        sums_(device.bins),
        tickets_(ranges_.ranges) {
    backend::fill(sums_.data(), 0, device.bins * sizeof(std::int32_t));
    backend::fill(tickets_.data(), 0, ranges_.ranges * sizeof(unsigned));
  }

  void operator()(Stream stream) {
    launch(one_launch_kernel<T>, ranges_.shape(), stream, device_.in, device_.n, head_, ranges_, sums_.data(), tickets_.data(), device_.out);
  }

 private:
  typename Histogram<T>::Device device_;
  unsigned head_;
  Ranges ranges_;
  DeviceArray<std::int32_t> sums_;
  DeviceArray<unsigned> tickets_;
};

const Register<Histogram, OneLaunch, std::int32_t, std::uint8_t> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
