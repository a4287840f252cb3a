#include <algorithm>
#include <bit>

#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each thread fills a histogram of its own; then a block for each bin sums the counters of "
        "all threads for it.",
    .follows = "global_atomics",
    .step = "No two threads share a counter, so there are no atomics, and no bin is a bottleneck.",
    .costs =
        "It clears, fills and sums threads x bins counters, at most 2^26 of them (256 MiB): 65,536 "
        "threads up to 1,024 bins, and 1,024 threads for "
        "65,536 bins. Short inputs get fewer threads, down to one.",
    .limited_by =
        "One load and one store of global memory in a row for each element. For many bins there "
        "are too few threads to hide that wait.",
    .repaired =
        "In the note the remainder of a negative value indexed out of range: here it is that of "
        "the unsigned value. The note does not say how many "
        "threads there are, nor where the counters lie: here those of one bin are side by side, so "
        "that a warp clears and sums adjacent words.",
    .notes = "N3",
};

// threads of a counting block at most, so that few of them too are spread over the multiprocessors
constexpr unsigned warp = 32;
constexpr unsigned most_summing_threads = 128;
constexpr std::size_t most_threads = 65'536;
constexpr std::size_t most_counters = std::size_t{1} << 26;

// Thread t has counters[bin * threads + t].
template <class T>
__global__ void private_then_reduce_kernel(const T* in, std::size_t n, unsigned bins,
                                           std::int32_t* counters) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t t = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;

  for (unsigned bin = 0; bin < bins; ++bin) counters[bin * threads + t] = 0;
  for (std::size_t i = t; i < n; i += threads) ++counters[bin_of(in[i], bins) * threads + t];
}

// Block b folds the counters of bin b, as shared_two_pass of reduce does.
__global__ void sum_counters_kernel(const std::int32_t* counters, std::size_t threads,
                                    std::int32_t* counts) {
  __shared__ std::int32_t tile[most_summing_threads];
  const std::int32_t* of_bin = counters + blockIdx.x * threads;
  const unsigned t = threadIdx.x;

  std::int32_t sum = 0;
  for (std::size_t k = t; k < threads; k += blockDim.x) sum += of_bin[k];
  tile[t] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) counts[blockIdx.x] = tile[0];
}

template <class T>
class PrivateThenReduce {
 public:
  explicit PrivateThenReduce(const typename Histogram<T>::Device& device) : device_(device) {
    // With fewer for each thread, clearing and summing would be by far the larger part of the work.
    const std::size_t elements_of_thread = std::max(16U, device.bins / 8);
    const std::size_t enough =
        std::min({most_threads, most_counters / device.bins, device.n / elements_of_thread});
    block_ = static_cast<unsigned>(std::clamp<std::size_t>(enough, 1, warp));
    blocks_ = static_cast<unsigned>(std::max<std::size_t>(enough / warp, 1));
    threads_ = std::size_t{blocks_} * block_;
    counters_ = DeviceArray<std::int32_t>(threads_ * device.bins);
  }

  void operator()(Stream stream) {
    launch(private_then_reduce_kernel<T>, {blocks_, block_}, stream, device_.in, device_.n,
           device_.bins, counters_.data());
    const auto summing_threads =
        static_cast<unsigned>(std::min<std::size_t>(std::bit_ceil(threads_), most_summing_threads));
    launch(sum_counters_kernel, {device_.bins, summing_threads}, stream, counters_.data(), threads_,
           device_.out);
  }

 private:
  typename Histogram<T>::Device device_;
  unsigned block_, blocks_;
  std::size_t threads_;
  DeviceArray<std::int32_t> counters_;
};

const Register<Histogram, PrivateThenReduce> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
