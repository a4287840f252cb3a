#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each block owns two adjacent slices: it adds the second onto the first, and then folds "
        "that one as interleaved does.",
    .follows = "interleaved",
    .step =
        "Every thread has work in the first step, with two independent loads. Half as many blocks "
        "are launched.",
    .costs = "It has half the parallelism across blocks.",
    .limited_by = "The global-memory traffic of every step.",
    .repaired =
        "As in neighbored: the early return, the read past n, and the partials left to the host. "
        "The note also lost the elements past the last full "
        "pair of slices.",
    .notes = "N1 N4",
    .source =
        "The name is that of J. Cheng, M. Grossman and T. McKercher, Professional CUDA C "
        "Programming (2014), chapter 3.",
};

constexpr unsigned threads = 512;

template <class T, class Op>
__global__ void unrolling2_kernel(T* data, std::size_t n, T* partials) {
  const Op op;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x * 2;
  const unsigned length = slice_length(n, first, blockDim.x * 2);
  const unsigned t = threadIdx.x;
  T* slice = data + first;

  if (t + blockDim.x < length) slice[t] = op(slice[t], slice[t + blockDim.x]);
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride && t + stride < length) slice[t] = op(slice[t], slice[t + stride]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = folded<T, Op>(slice, length);
}

template <class T, class Op>
using Unrolling2 = FoldedByHost<T, Op, unrolling2_kernel<T, Op>, threads, threads * 2>;

const Register<Reduce, Unrolling2> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
