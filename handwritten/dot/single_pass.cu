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
    single_pass_kernel(const T* a, const T* b, std::size_t n, unsigned head,
                       Accumulator<T>* partials, unsigned* tickets, Accumulator<T>* out) {
  Accumulator<T> value = 0;
  stream_pairs<unroll, width>(a, b, n, head, [&](Accumulator<T> x, Accumulator<T> y) {
    value = Sum{}(value, Product{}(x, y));
  });
  if (finish_in_last_block<Sum, threads>(value, partials, tickets)) *out = value;
}

template <class T>
struct SinglePass {
  typename Dot<T>::Device device;
  Pairs<T> pairs{device};
  std::size_t tile = std::size_t{threads} * pairs.width;
  // one block has no one to wait for
  unsigned blocks =
      device.n <= tile * unroll ? 1 : blocks_for(device.n, tile, blocks_per_multiprocessor);
  DeviceArray<Accumulator<T>> partials{blocks};
  DeviceArray<unsigned> tickets = zeros<unsigned>(1);

  void operator()(Stream stream) {
    launch(
        pairs.width == 1 ? single_pass_kernel<T, 1> : single_pass_kernel<T, elements_of_vector<T>>,
        {blocks, threads}, stream, device.a, device.b, device.n, pairs.head, partials.data(),
        tickets.data(), device.out);
  }
};

const Register<Dot, SinglePass, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
