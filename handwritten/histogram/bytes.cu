#include "handwritten/histogram/last_block.hpp"
#include "handwritten/shapes.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "A histogram of bytes: a thread loads 16 of them at once and counts each in the copy of "
        "its lane. 16 equal ones are counted at once.",
    .follows = "one_launch",
    .step =
        "There are 32 copies, whatever the number of bins. So a shift and a mask make the address "
        "of a counter from four bytes. Equal neighbours "
        "take "
        "one atomic operation.",
    .costs =
        "Each block clears 32 KiB of shared memory, and reads the copies of its bins. It takes no "
        "other type.",
    .limited_by = "Reading the input. For small inputs, clearing and adding up the copies.",
    .source = "Our own.",
};

// On an H200, at 2^30 bytes, blocks of 512 and of 1,024 threads with one to four loads are within 4
// % of each other.
constexpr unsigned threads = 1024;
constexpr unsigned unroll = 2;  // independent 16-byte loads in flight in each thread
// One block needs no other to add to. It counts 2^15 bytes in 5.3 us, and two take 5.9 us. At 48
// KiB both ways take 5.7 to 5.8 us.
constexpr std::size_t bytes_of_one_block = 48 << 10;
constexpr unsigned most_bins = 256, lanes = 32;

// Counter b * lanes + l belongs to bin b and lane l: no two lanes meet in a bank.
__device__ inline void count_word(unsigned word, unsigned lane, std::int32_t* counters) {
#pragma unroll
  for (unsigned shift = 0; shift < 32; shift += 8) {
    // in bytes, which saves a shift
    const unsigned place =
        (word >> shift & 0xff) * (lanes * sizeof(std::int32_t)) | lane * sizeof(std::int32_t);
    atomicAdd(reinterpret_cast<std::int32_t*>(reinterpret_cast<unsigned char*>(counters) + place),
              1);
  }
}

// `sums` of all bins and `ticket` are 0 before and after every launch.
template <class T, bool once>
__global__ void __launch_bounds__(threads, threads_of_multiprocessor / threads)
    bytes_kernel(const T* in, std::size_t n, unsigned head, unsigned bins, std::int32_t* sums,
                 unsigned* ticket, std::int32_t* counts) {
  __shared__ std::int32_t counters[most_bins * lanes];
  clear_copies(counters, most_bins * lanes);
  const unsigned lane = threadIdx.x % lanes;
  std::int32_t* const of_lane = counters + lane;

  const auto* vectors = reinterpret_cast<const Vector<unsigned>*>(in + head);
  const std::size_t count = (n - head) / elements_of_vector<T>,
                    thread = std::size_t{blockIdx.x} * threads + threadIdx.x;
  const auto take = [&](const Vector<unsigned>& vector) {
    const unsigned first = vector.element[0], byte = first & 0xff;
    if (first == byte * 0x01010101 && first == vector.element[1] && first == vector.element[2] &&
        first == vector.element[3]) {
      atomicAdd(&of_lane[byte * lanes], elements_of_vector<T>);
      return;
    }
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) count_word(vector.element[k], lane, counters);
  };
  stream<unroll>(
      thread, std::size_t{gridDim.x} * threads, count,
      [&](std::size_t i) { return once ? load_once(vectors + i) : vectors[i]; }, take);

  // head and tail are shorter than a vector
  const std::size_t tail = head + count * elements_of_vector<T>;
  if (thread < head) atomicAdd(&of_lane[in[thread] * lanes], 1);
  if (tail + thread < n) atomicAdd(&of_lane[in[tail + thread] * lanes], 1);
  __syncthreads();

  add_up_in_last_block<threads>(counters, lanes, bins, gridDim.x, sums, ticket, counts);
}

template <class T>
struct Bytes {
  typename Histogram<T>::Device device;
  unsigned head = elements_before_boundary(device.in, device.n);
  unsigned blocks = device.n <= bytes_of_one_block
                        ? 1
                        : blocks_for(device.n, std::size_t{threads} * elements_of_vector<T>,
                                     threads_of_multiprocessor / threads);
  DeviceArray<std::int32_t> sums = zeros<std::int32_t>(device.bins);
  DeviceArray<unsigned> ticket = zeros<unsigned>(1);

  void operator()(Stream stream) {
    launch(are_needed_once(device.n) ? bytes_kernel<T, true> : bytes_kernel<T, false>,
           {blocks, threads}, stream, device.in, device.n, head, device.bins, sums.data(),
           ticket.data(), device.out);
  }
};

const Register<Histogram, Bytes, std::uint8_t> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
