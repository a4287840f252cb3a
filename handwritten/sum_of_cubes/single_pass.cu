#include "compare/operations/sum_of_cubes.hpp"
#include "handwritten/last_block.hpp"
#include "handwritten/stream.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each thread streams 16-byte vectors in a grid-stride loop, warps fold by shuffle, and the "
        "last block to finish folds the partials.",
    .follows = "vector_loads",
    .step =
        "One launch: the block that draws the last ticket adds the blocks up, and resets the "
        "ticket for the next run.",
    .costs =
        "Each block draws a ticket and passes two fences, which wait for memory one after the "
        "other.",
    .limited_by = "Reading the input. For small inputs, the ticket.",
    .source =
        "Our own; the ticket of the last block is that of the threadFenceReduction sample of the "
        "CUDA toolkit.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
// independent 16-byte loads in flight in each thread
constexpr unsigned unroll = 4;

template <class T>
__global__ void __launch_bounds__(threads)
    single_pass_kernel(const T* in, std::size_t n, unsigned head, Accumulator<T>* partials,
                       unsigned* tickets, Accumulator<T>* out) {
  Accumulator<T> total = 0;
  stream_in_grid<threads, unroll>(in, n, head,
                                  [&](Accumulator<T> x) { total = Sum{}(total, cube(x)); });
  if (finish_in_last_block<Sum, threads>(total, partials, tickets)) *out = total;
}

template <class T>
struct SinglePass {
  typename SumOfCubes<T>::Device device;
  static constexpr std::size_t tile = threads * elements_of_vector<T>;
  unsigned head = elements_before_boundary(device.in, device.n);
  // one block has no one to wait for
  unsigned blocks =
      device.n <= tile * unroll ? 1 : blocks_for(device.n, tile, blocks_per_multiprocessor);
  DeviceArray<Accumulator<T>> partials{blocks};
  DeviceArray<unsigned> tickets = zeros<unsigned>(1);

  void operator()(Stream stream) {
    launch(single_pass_kernel<T>, {blocks, threads}, stream, device.in, device.n, head,
           partials.data(), tickets.data(), device.out);
  }
};

const Register<SumOfCubes, SinglePass, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
