#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each block folds its slice in place in global memory as a tree: every second thread adds "
        "its neighbour, then every fourth, and so on.",
    .follows = "serial",
    .step = "All blocks work at once, and a block takes log2(512) = 9 steps in place of 512.",
    .costs =
        "Every second thread drops out at each step. In the first five steps every warp stays busy "
        "with ever fewer lanes. From stride 32 on, every "
        "second, fourth, .. warp keeps one lane.",
    .limited_by = "Divergence within warps, and the global-memory traffic of every step.",
    .repaired =
        "In the note, threads past the end returned before the barrier, and on ragged input the "
        "others read past n: here every thread stays, and "
        "none reads past n. The note left its partials to the host: here the kernel also runs on "
        "the partials, until one value is left in device "
        "memory.",
    .notes = "N1 N4",
    .source =
        "The name is that of J. Cheng, M. Grossman and T. McKercher, Professional CUDA C "
        "Programming (2014), chapter 3.",
};

constexpr unsigned threads = 512;

template <class T, class Op>
__global__ void neighbored_kernel(T* data, std::size_t n, T* partials) {
  const Op op;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  const unsigned length = slice_length(n, first, blockDim.x);
  const unsigned t = threadIdx.x;
  T* slice = data + first;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0 && t + stride < length) slice[t] = op(slice[t], slice[t + stride]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = folded<T, Op>(slice, length);
}

template <class T, class Op>
using Neighbored = FoldedByHost<T, Op, neighbored_kernel<T, Op>, threads, threads>;

const Register<Reduce, Neighbored> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
