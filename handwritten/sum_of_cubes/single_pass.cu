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
    single_pass_kernel(const T* in, std::size_t n, unsigned head, T* partials, unsigned* tickets,
                       T* out) {
  T total = 0;
  stream_elements<unroll>(in, n, head, std::size_t{blockIdx.x} * threads + threadIdx.x,
                          std::size_t{gridDim.x} * threads,
                          [&](T x) { total = Sum{}(total, cube(x)); });
  if (finish_in_last_block<Sum, threads>(total, partials, tickets)) *out = total;
}

template <class T>
class SinglePass {
 public:
  explicit SinglePass(const typename SumOfCubes<T>::Device& device)
      : device_(device), head_(elements_before_boundary(device.in, device.n)), tickets_(1) {
    constexpr std::size_t tile = threads * elements_of_vector<T>;
    // one block has no one to wait for
    const unsigned enough = device.n <= tile * unroll ? 1 : blocks_for(device.n, tile);
    const unsigned resident = blocks_per_multiprocessor * backend::multiprocessors();
    blocks_ = enough < resident ? enough : resident;
    partials_ = DeviceArray<T>(blocks_);
    backend::fill(tickets_.data(), 0, sizeof(unsigned));
  }

  void operator()(Stream stream) {
    launch(single_pass_kernel<T>, {blocks_, threads}, stream, device_.in, device_.n, head_,
           partials_.data(), tickets_.data(), device_.out);
  }

 private:
  typename SumOfCubes<T>::Device device_;
  unsigned head_, blocks_;
  DeviceArray<T> partials_;
  DeviceArray<unsigned> tickets_;
};

const Register<SumOfCubes, SinglePass, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
