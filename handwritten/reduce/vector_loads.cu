#include "handwritten/reduce/two_launches.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "grid_stride with loads of 16 bytes, four of them in flight in each thread.",
    .follows = "grid_stride",
    .step =
        "It has a quarter of the load instructions (half for 8-byte elements, an eighth for 2-byte "
        "ones), and 16 times the "
        "bytes on their way.",
    .costs = "Elements before the first 16-byte boundary and after the last are loaded one by one.",
    .limited_by =
        "Reading the input. For small inputs, the second launch, and nine barriers in each.",
    .source = "Our own.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
// independent 16-byte loads in flight in each thread
constexpr unsigned unroll = 4;

template <class T, class Op>
__global__ void __launch_bounds__(threads)
    vector_loads_kernel(const T* in, std::size_t n, unsigned head, Accumulator<T>* partials) {
  __shared__ Accumulator<T> tile[threads];
  const Op op;
  const unsigned t = threadIdx.x;

  auto value = Op::template identity<Accumulator<T>>();
  stream_in_grid<threads, unroll>(in, n, head, [&](Accumulator<T> x) { value = op(value, x); });
  tile[t] = value;
  __syncthreads();

  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (t < half) tile[t] = op(tile[t], tile[t + half]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = tile[0];
}

template <class T, class Op>
using VectorLoads =
    InTwoLaunches<T, vector_loads_kernel<T, Op>, vector_loads_kernel<Accumulator<T>, Op>, threads,
                  blocks_per_multiprocessor>;

const Register<Reduce, VectorLoads, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
