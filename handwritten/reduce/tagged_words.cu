#include "compare/operations/reduce.hpp"
#include "handwritten/gather.hpp"
#include "handwritten/stream.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "single_pass with another finish: each block leaves its value in a tagged word of its own, "
        "and one block gathers the words.",
    .follows = "single_pass",
    .step =
        "No ticket and no fence: a value and the news that it is there are one word. One warp "
        "folds a block, with one row of shuffles.",
    .costs =
        "One block polls the words of the others, a thread each, and clears them for the next run.",
    .limited_by =
        "Reading the input. For small inputs, the launch, one way to memory and two through the "
        "cache.",
    .source = "Our own.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
// independent 16-byte loads in flight in each thread
constexpr unsigned unroll = 4;

template <class T, class Op>
__global__ void __launch_bounds__(threads)
    tagged_words_kernel(const T* in, std::size_t n, unsigned head, Word* slots,
                        Accumulator<T>* out) {
  auto value = Op::template identity<Accumulator<T>>();
  stream_in_grid<threads, unroll>(in, n, head, [&](Accumulator<T> x) { value = Op{}(value, x); });
  if (finish_by_gathering<Op, threads>(value, slots)) *out = value;
}

template <class T, class Op>
struct TaggedWords {
  typename Reduce<T, Op>::Device device;
  static constexpr std::size_t tile = threads * elements_of_vector<T>;
  unsigned head = elements_before_boundary(device.in, device.n);
  // one block has no one to wait for
  unsigned blocks =
      device.n <= tile * unroll ? 1 : blocks_for(device.n, tile, blocks_per_multiprocessor);
  DeviceArray<Word> slots = zeros<Word>(blocks * words<Accumulator<T>>);

  void operator()(Stream stream) {
    launch(tagged_words_kernel<T, Op>, {blocks, threads}, stream, device.in, device.n, head,
           slots.data(), device.out);
  }
};

const Register<Reduce, TaggedWords, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
