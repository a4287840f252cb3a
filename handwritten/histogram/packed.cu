#include "handwritten/histogram/counted_words.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "one_launch without a ticket: the sum of each bin lies in a word that also counts the "
        "blocks, and the block that completes it writes the bin.",
    .follows = "one_launch",
    .step =
        "One atomic operation for a bin and a block tells the block that the bin is complete. No "
        "fence, no barrier, no ticket, and no block that waits for all bins.",
    .costs =
        "A word for each bin, a quarter of a cache line. Each block adds to every bin, also 0.",
    .limited_by =
        "Reading the input. For small inputs, clearing the copies and the atomic operations.",
    .source = "Our own, after the word of packed in reduce.",
};

constexpr unsigned threads = 512;
constexpr unsigned unroll = 4;                 // independent 16-byte loads in flight in each thread
constexpr unsigned most_counters = 16 * 1024;  // of a block: 64 KiB

template <class T>
struct Packed {
  typename Histogram<T>::Device device;
  unsigned head = elements_before_boundary(device.in, device.n);
  Ranges ranges = Ranges(device.n, device.bins, most_counters, 32, threads,
                         std::size_t{threads} * elements_of_vector<T> * unroll);
  DeviceArray<Word> words = zeros<Word>(words_for(device.bins));

  void operator()(Stream stream) {
    launch(count_in_words_kernel<T, threads, unroll>, ranges.shape(), stream, device.in, device.n,
           head, ranges, words.data(), device.out);
  }
};

const Register<Histogram, Packed> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
