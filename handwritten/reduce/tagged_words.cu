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
    tagged_words_kernel(const T* in, std::size_t n, unsigned head, Word* slots, T* out) {
  T value = Op::template identity<T>();
  stream_elements<unroll>(in, n, head, std::size_t{blockIdx.x} * threads + threadIdx.x,
                          std::size_t{gridDim.x} * threads, [&](T x) { value = Op{}(value, x); });
  if (finish_by_gathering<Op, threads>(value, slots)) *out = value;
}

template <class T, class Op>
class TaggedWords {
 public:
  explicit TaggedWords(const typename Reduce<T, Op>::Device& device)
      : device_(device), head_(elements_before_boundary(device.in, device.n)) {
    constexpr std::size_t tile = threads * elements_of_vector<T>;
    // one block has no one to wait for
    const unsigned enough = device.n <= tile * unroll ? 1 : blocks_for(device.n, tile);
    const unsigned resident = blocks_per_multiprocessor * backend::multiprocessors();
    blocks_ = enough < resident ? enough : resident;
    slots_ = DeviceArray<Word>(blocks_ * words<T>);
    backend::fill(slots_.data(), 0, blocks_ * words<T> * sizeof(Word));
  }

  void operator()(Stream stream) {
    launch(tagged_words_kernel<T, Op>, {blocks_, threads}, stream, device_.in, device_.n, head_,
           slots_.data(), device_.out);
  }

 private:
  typename Reduce<T, Op>::Device device_;
  unsigned head_, blocks_;
  DeviceArray<Word> slots_;
};

const Register<Reduce, TaggedWords, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
