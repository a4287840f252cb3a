#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "As many blocks as the GPU holds at once stride over the input; each thread folds its "
        "elements in a register, and a tree in shared memory "
        "folds the threads. A second launch folds the blocks.",
    .follows = "complete_unroll_warps8",
    .step =
        "It reads nothing but the input and writes nothing but a partial for each block: there is "
        "no copy of the input, and the input stays.",
    .costs = "A second launch, and a barrier for each halving of the block.",
    .limited_by = "Loads of single elements: not enough bytes are on their way at a time.",
    .source =
        "Our own; the loop is that of M. Harris, CUDA Pro Tip: Write Flexible Kernels with "
        "Grid-Stride Loops, NVIDIA (2013).",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes

template <class T, class Op>
__global__ void __launch_bounds__(threads)
    grid_stride_kernel(const T* in, std::size_t n, Accumulator<T>* partials) {
  __shared__ Accumulator<T> tile[threads];
  const Op op;
  const unsigned t = threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * threads;

  auto value = Op::template identity<Accumulator<T>>();
  for (std::size_t i = std::size_t{blockIdx.x} * threads + t; i < n; i += stride)
    value = op(value, Accumulator<T>(in[i]));
  tile[t] = value;
  __syncthreads();

  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (t < half) tile[t] = op(tile[t], tile[t + half]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = tile[0];
}

template <class T, class Op>
struct GridStride {
  typename Reduce<T, Op>::Device device;
  unsigned blocks = blocks_for(device.n, threads, blocks_per_multiprocessor);
  DeviceArray<Accumulator<T>> partials{blocks};

  void operator()(Stream stream) {
    launch(grid_stride_kernel<T, Op>, {blocks, threads}, stream, device.in, device.n,
           blocks == 1 ? device.out : partials.data());
    if (blocks > 1)
      launch(grid_stride_kernel<Accumulator<T>, Op>, {1, threads}, stream, partials.data(), blocks,
             device.out);
  }
};

const Register<Reduce, GridStride, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
