#include "handwritten/histogram/counted_words.hpp"
#include "handwritten/team/exchange.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "packed on each device, where the thread that completes a bin stores its count into a "
        "tagged word of every other device, and waits for theirs.",
    .follows = "one_shot",
    .step =
        "One launch on each device, and no event. Each bin is exchanged as soon as it is complete, "
        "without the others.",
    .costs = "A word of 8 bytes for each bin and device, and for each bin a thread that polls.",
    .limited_by =
        "Reading the input. For small inputs, counting on each device, and one way from device to "
        "device.",
    .source = "Our own: packed in histogram, and the exchange of fused_flagged.",
};

constexpr unsigned most_counters = 16 * 1024;  // of a block: 64 KiB

// The word of a bin has the number of the run, then that of the blocks that have added to it in
// this run, then their sum.
constexpr unsigned first_bit_of_blocks = 32, first_bit_of_run = 48;
constexpr unsigned of_blocks = (1 << (first_bit_of_run - first_bit_of_blocks)) - 1;

template <class T, unsigned threads, unsigned unroll, bool once>
__global__ void __launch_bounds__(threads, threads_of_multiprocessor / threads)
    fused_counts_kernel(const typename Histogram<T>::Device part, unsigned head,
                        const Ranges ranges, Word* words,
                        const __grid_constant__ Exchange<std::int32_t> others) {
  std::int32_t* counters = dynamic_shared<std::int32_t>();
  count_range<unroll, once>(part.in, part.n, head, ranges, counters);
  for (unsigned k = threadIdx.x; k < ranges.length_of_block(); k += threads) {
    const unsigned bin = ranges.first_bin() + k;
    const std::int32_t sum = sum_of_copies(counters, k, ranges.copies);
    const Word own = Word{1} << first_bit_of_blocks | static_cast<unsigned>(sum);
    const Word added = atomicAdd(word_of(words, bin), own) + own;
    if ((added >> first_bit_of_blocks & of_blocks) < ranges.groups) continue;
    const auto run = static_cast<unsigned>(added >> first_bit_of_run) + 1;
    *word_of(words, bin) = Word{run} << first_bit_of_run;
    part.out[bin] =
        others.combined<Sum>(static_cast<std::int32_t>(static_cast<unsigned>(added)), run, bin);
  }
}

template <class T>
class FusedCounts {
 public:
  explicit FusedCounts(const Spread<typename Histogram<T>::Device>& spread)
      : mail_(*spread.team, std::size_t{2} * spread.team->size() * spread.own().bins) {
    spread.team->each([&](unsigned device, Stream) {
      const auto& part = spread.shards[device];
      with_shape_of_counts(part.n * sizeof(T), [&]<class Shape>(Shape) {
        constexpr unsigned threads = Shape::threads;
        const auto kernel = fused_counts_kernel<T, threads, Shape::vectors, Shape::once>;
        Ranges ranges(part.n, part.bins, most_counters, 1, threads,
                      std::size_t{threads} * elements_of_vector<T> * Shape::vectors);
        // A block waits for other devices, whose blocks may wait for those that come after it.
        const unsigned resident = resident_blocks(kernel, threads, ranges.shared_bytes);
        ranges.groups = std::clamp(resident / ranges.ranges, 1U, ranges.groups);
        launches_.push_back({kernel,
                             part,
                             elements_before_boundary(part.in, part.n),
                             ranges,
                             zeros<Word>(words_for(part.bins)),
                             {mail_.peers(), spread.team->size(), device, part.bins}});
      });
    });
  }

  void operator()(const Team& team) {
    team.each([&](unsigned device, Stream stream) {
      const auto& [kernel, part, head, ranges, words, others] = launches_[device];
      LaunchShape shape = ranges.shape();
      shape.resident = true;
      launch(kernel, shape, stream, part, head, ranges, words.data(), others);
    });
  }

 private:
  using Part = typename Histogram<T>::Device;
  struct OfDevice {
    void (*kernel)(const Part, unsigned head, const Ranges, Word* words,
                   const Exchange<std::int32_t>);
    Part part;
    unsigned head;
    Ranges ranges;
    DeviceArray<Word> words;
    Exchange<std::int32_t> others;
  };

  TeamArray<Word> mail_;
  std::vector<OfDevice> launches_;
};

const RegisterOverDevices<Histogram, FusedCounts> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
