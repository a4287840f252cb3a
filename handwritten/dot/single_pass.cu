#include "handwritten/dot/pairs.hpp"
#include "handwritten/last_block.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each thread streams 16-byte vectors of a and b in a grid-stride loop, warps fold by "
        "shuffle, and the last block to finish folds the "
        "partials.",
    .follows = "vector_loads",
    .step =
        "One launch: the block that draws the last ticket adds the blocks up, and resets the "
        "ticket for the next run.",
    .costs =
        "Each block draws a ticket and passes two fences. Single elements are loaded where a and b "
        "lie at different distances from a 16-byte "
        "boundary.",
    .limited_by = "Reading the input. For small inputs, the ticket.",
    .source =
        "Our own; the ticket of the last block is that of the threadFenceReduction sample of the "
        "CUDA toolkit.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
// independent loads in flight in each thread, of a and of b
constexpr unsigned unroll = 2;

template <class T, unsigned width>
__global__ void __launch_bounds__(threads)
    single_pass_kernel(const T* a, const T* b, std::size_t n, unsigned head, T* partials,
                       unsigned* tickets, T* out) {
  T value = 0;
  stream_pairs<unroll, width>(a, b, n, head,
                              [&](T x, T y) { value = Sum{}(value, Product{}(x, y)); });
  if (finish_in_last_block<Sum, threads>(value, partials, tickets)) *out = value;
}

template <class T>
class SinglePass {
 public:
  explicit SinglePass(const typename Dot<T>::Device& device)
      : device_(device), pairs_(device), tickets_(1) {
    const std::size_t tile = std::size_t{threads} * pairs_.width;
    // one block has no one to wait for
    const unsigned enough = device.n <= tile * unroll ? 1 : blocks_for(device.n, tile);
    const unsigned resident = blocks_per_multiprocessor * backend::multiprocessors();
    blocks_ = enough < resident ? enough : resident;
    partials_ = DeviceArray<T>(blocks_);
    backend::fill(tickets_.data(), 0, sizeof(unsigned));
  }

  void operator()(Stream stream) {
    launch(
        pairs_.width == 1 ? single_pass_kernel<T, 1> : single_pass_kernel<T, elements_of_vector<T>>,
        {blocks_, threads}, stream, device_.a, device_.b, device_.n, pairs_.head, partials_.data(),
        tickets_.data(), device_.out);
  }

 private:
  typename Dot<T>::Device device_;
  Pairs<T> pairs_;
  unsigned blocks_;
  DeviceArray<T> partials_;
  DeviceArray<unsigned> tickets_;
};

const Register<Dot, SinglePass, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
