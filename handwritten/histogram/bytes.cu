#include "handwritten/histogram/counted_words.hpp"
#include "handwritten/shapes.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "A histogram of bytes: a thread loads 16 of them at once and counts each in the copy of "
        "its lane. 16 equal ones are counted at once.",
    .follows = "packed",
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

constexpr unsigned unroll = 2;  // independent 16-byte loads in flight in each thread
// The fastest shapes on an H100 with cold caches. One block needs no other to add to.
constexpr std::size_t bytes_of_one_block = 16 << 10;
constexpr std::size_t bytes_for_small_blocks = 256 << 10;
// For each multiprocessor:
constexpr std::size_t bytes_for_one_vector = 8 << 10;  // of each thread
constexpr std::size_t bytes_for_one_block = 96 << 10;
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

template <class T, unsigned threads, bool once>
__global__ void __launch_bounds__(threads, threads_of_multiprocessor / threads)
    bytes_kernel(const T* in, std::size_t n, unsigned head, unsigned bins, Word* words,
                 std::int32_t* counts) {
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

  add_up_in_words(counters, lanes, 0, bins, gridDim.x, words, counts);
}

template <class T>
class Bytes {
 public:
  explicit Bytes(const typename Histogram<T>::Device& device) : device_(device) {
    const std::size_t n = device.n, multiprocessors = backend::multiprocessors();
    if (n <= bytes_of_one_block) use<1024>(n);
    else if (n <= bytes_for_small_blocks) use<512>(512 * 16);
    else if (n <= bytes_for_one_vector * multiprocessors) use<1024>(1024 * 16);
    else use<1024>(2 * 1024 * 16, n <= bytes_for_one_block * multiprocessors ? 1 : 2);
  }

  void operator()(Stream stream) {
    launch(kernel_, {blocks_, threads_}, stream, device_.in, device_.n, head_, device_.bins,
           words_.data(), device_.out);
  }

 private:
  // `most`: blocks of a multiprocessor.
  template <unsigned threads>
  void use(std::size_t bytes_of_block, unsigned most = 2) {
    kernel_ = are_needed_once(device_.n) ? bytes_kernel<T, threads, true>
                                         : bytes_kernel<T, threads, false>;
    threads_ = threads;
    blocks_ = blocks_for(device_.n, bytes_of_block, most);
  }

  typename Histogram<T>::Device device_;
  void (*kernel_)(const T* in, std::size_t n, unsigned head, unsigned bins, Word* words,
                  std::int32_t* counts);
  unsigned threads_, blocks_, head_ = elements_before_boundary(device_.in, device_.n);
  DeviceArray<Word> words_ = zeros<Word>(words_for(device_.bins));
};

const Register<Histogram, Bytes, std::uint8_t> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
