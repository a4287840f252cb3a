#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each step folds the upper half of the remaining elements onto the lower half: busy "
        "threads are adjacent, and so are their elements.",
    .follows = "neighbored_less",
    .step =
        "It has the steps and the busy warps of neighbored_less, but the 32 elements of a warp lie "
        "side by side. global_two_pass is the same kernel "
        "with 1,024 threads a block in place of 512.",
    .costs = "Half of the block idles from the first step on.",
    .limited_by = "The global-memory traffic of every step: about three words for each element.",
    .repaired =
        "As in neighbored: the early return, the read past n, and the partials left to the host.",
    .notes = "N1 N4",
    .source =
        "The name is that of J. Cheng, M. Grossman and T. McKercher, Professional CUDA C "
        "Programming (2014), chapter 3.",
};

constexpr unsigned threads = 512;

template <class T, class Op>
__global__ void interleaved_kernel(T* data, std::size_t n, T* partials) {
  const Op op;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  const unsigned length = slice_length(n, first, blockDim.x);
  const unsigned t = threadIdx.x;
  T* slice = data + first;

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride && t + stride < length) slice[t] = op(slice[t], slice[t + stride]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = folded<T, Op>(slice, length);
}

template <class T, class Op>
using Interleaved = FoldedByHost<T, Op, interleaved_kernel<T, Op>, threads, threads>;

const Register<Reduce, Interleaved> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
