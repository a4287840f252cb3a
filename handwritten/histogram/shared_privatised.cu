#include <algorithm>
#include <bit>

#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each block counts in copies of the histogram in shared memory and adds them to the result in the end; many bins are cut into ranges, one "
        "for each of neighbouring blocks.",
    .follows = "sort_reduce_by_key",
    .step =
        "It reads the input once, 16 bytes at a time, and nothing else moves but the counts. In global_atomics all additions to one bin meet in one "
        "place; here they meet in the shared memory of each multiprocessor.",
    .costs = "It takes an atomic operation on shared memory for each element. Each block clears its copies and adds them up.",
    .limited_by = "Reading the input, as long as one block holds all bins.",
    .source = "Our own; a histogram for each block is an old idea: V. Podlozhnyuk, Histogram calculation in CUDA, NVIDIA (2007).",
};

// Copies: lane l counts in copy l % copies, and the copies of one bin are side by side, in different banks. Up to 256 bins there are 32 copies, and
// no two lanes of a warp ever meet in one bank. With fewer copies, 32 / copies lanes meet in one where the input is all one value.
//
// Ranges: 65,536 bins are 256 KiB, more than a block can have: 227 KiB on sm_90, 64 KiB on sm_75. So the bins are cut into ranges of 64 KiB. As many
// blocks with adjacent numbers walk over the same elements at about the same time, and each counts those in its own range: the first of them reads an
// element from memory, and the others find it in the cache. Atomics on global memory would read once, but queue up where the input is mostly one
// value.
constexpr unsigned threads = 512;
constexpr unsigned unroll = 4;                                      // independent 16-byte loads in flight in each thread
constexpr unsigned most_counters = 16 * 1024;                       // of a block: 64 KiB
constexpr unsigned counters_of_copies = 8 * 1024;                   // copies are made up to 32 KiB, so that four blocks fit a multiprocessor
constexpr std::size_t shared_bytes_of_multiprocessor = 200 * 1024;  // sm_90 has 228 KiB; elsewhere some blocks wait for their turn

template <class T>
struct alignas(16) Vector {
  static constexpr unsigned width = 16 / sizeof(T);
  T element[width];
};

// What a block counts: bins first_bin .. first_bin + length - 1.
struct Range {
  unsigned first_bin, length, copies;
};

template <class T>
__device__ void count(T value, const Range& range, std::int32_t* counters_of_lane) {
  const unsigned bin = static_cast<unsigned>(value) - range.first_bin;  // below first_bin: a large number
  if (bin < range.length) atomicAdd(&counters_of_lane[bin * range.copies], 1);
}

template <class T>
__device__ void count(const Vector<T>& vector, const Range& range, std::int32_t* counters_of_lane) {
#pragma unroll
  for (unsigned k = 0; k < Vector<T>::width; ++k) count(vector.element[k], range, counters_of_lane);
}

// `head` elements lie before the first 16-byte boundary of `in`. Block b counts range b % ranges of the bins, and is number b / ranges of those
// blocks that do; if it is the only one, it writes the counts, else it adds to them.
template <class T>
__global__ void __launch_bounds__(threads)
    shared_privatised_kernel(const T* in, std::size_t n, unsigned head, unsigned bins, unsigned ranges, unsigned copies, std::int32_t* counts) {
  std::int32_t* counters = dynamic_shared<std::int32_t>();  // copy c of bin b of the range: b * copies + c
  const unsigned first_bin = blockIdx.x % ranges * most_counters;
  const Range range = {first_bin, bins - first_bin < most_counters ? bins - first_bin : most_counters, copies};
  const unsigned t = threadIdx.x;

  for (unsigned k = t; k < range.length * copies; k += threads) counters[k] = 0;
  __syncthreads();

  const auto* vectors = reinterpret_cast<const Vector<T>*>(in + head);
  const std::size_t whole_vectors = (n - head) / Vector<T>::width;
  const std::size_t stride = std::size_t{gridDim.x / ranges} * threads;
  const std::size_t thread = std::size_t{blockIdx.x / ranges} * threads + t;
  std::int32_t* counters_of_lane = counters + t % copies;

  std::size_t i = thread;
  for (; i + (unroll - 1) * stride < whole_vectors; i += unroll * stride) {
    Vector<T> loaded[unroll];
#pragma unroll
    for (unsigned k = 0; k < unroll; ++k) loaded[k] = vectors[i + k * stride];
#pragma unroll
    for (unsigned k = 0; k < unroll; ++k) count(loaded[k], range, counters_of_lane);
  }
  for (; i < whole_vectors; i += stride) {
    const Vector<T> loaded = vectors[i];
    count(loaded, range, counters_of_lane);
  }
  const std::size_t tail = head + whole_vectors * Vector<T>::width;  // head and tail are shorter than a vector
  if (thread < head) count(in[thread], range, counters_of_lane);
  if (tail + thread < n) count(in[tail + thread], range, counters_of_lane);
  __syncthreads();

  for (unsigned bin = t; bin < range.length; bin += threads) {
    std::int32_t sum = 0;
    for (unsigned c = 0; c < copies; ++c) sum += counters[bin * copies + (c + t) % copies];  // each lane begins in another bank
    if (gridDim.x == ranges) counts[first_bin + bin] = sum;
    else if (sum != 0) atomicAdd(&counts[first_bin + bin], sum);
  }
}

template <class T>
class SharedPrivatised {
 public:
  explicit SharedPrivatised(const typename Histogram<T>::Device& device) : device_(device) {
    const std::size_t past_boundary = reinterpret_cast<std::uintptr_t>(device.in) % 16;
    const std::size_t head = past_boundary == 0 ? 0 : (16 - past_boundary) / sizeof(T);
    head_ = static_cast<unsigned>(std::min(head, device.n));

    ranges_ = blocks_for(device.bins, most_counters);
    const unsigned longest = std::min(device.bins, most_counters);
    copies_ = std::clamp(std::bit_floor(counters_of_copies / longest), 1U, 32U);
    shared_bytes_ = std::size_t{longest} * copies_ * sizeof(std::int32_t);

    // A block has enough to do that clearing and adding up its counters is the smaller part.
    constexpr std::size_t least = std::size_t{threads} * Vector<T>::width * unroll;
    const unsigned enough = blocks_for(device.n, std::max<std::size_t>(least, longest));
    const auto resident = static_cast<unsigned>(std::min<std::size_t>(4, shared_bytes_of_multiprocessor / shared_bytes_));
    groups_ = std::min(enough, std::max(resident * backend::multiprocessors() / ranges_, 1U));
  }

  void operator()(Stream stream) {
    if (groups_ > 1) clear(device_.out, device_.bins, stream);
    launch(shared_privatised_kernel<T>, {groups_ * ranges_, threads, shared_bytes_}, stream, device_.in, device_.n, head_, device_.bins, ranges_,
           copies_, device_.out);
  }

 private:
  typename Histogram<T>::Device device_;
  unsigned head_, ranges_, copies_, groups_;
  std::size_t shared_bytes_;
};

const Register<Histogram, SharedPrivatised, std::int32_t> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
