#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "The pairs of neighbored, worked by the lowest threads, so that whole warps are busy or "
        "idle.",
    .follows = "neighbored",
    .step =
        "Thread t works on element 2 * stride * t. The first four steps of a block fill 8, 4, 2 "
        "and 1 warps, and only the last five leave lanes of a "
        "busy warp idle.",
    .costs =
        "The elements of a warp lie 2 * stride apart, so one request touches ever more sectors.",
    .limited_by = "Uncoalesced access, and the global-memory traffic of every step.",
    .repaired =
        "As in neighbored: the early return, the read past n, and the partials left to the host.",
    .notes = "N1 N4",
    .source =
        "The name is that of J. Cheng, M. Grossman and T. McKercher, Professional CUDA C "
        "Programming (2014), chapter 3.",
};

constexpr unsigned threads = 512;

template <class T, class Op>
__global__ void neighbored_less_kernel(T* data, std::size_t n, T* partials) {
  const Op op;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  const unsigned length = slice_length(n, first, blockDim.x);
  const unsigned t = threadIdx.x;
  T* slice = data + first;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned i = 2 * stride * t;
    if (i < blockDim.x && i + stride < length) slice[i] = op(slice[i], slice[i + stride]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = folded<T, Op>(slice, length);
}

template <class T, class Op>
using NeighboredLess = FoldedByHost<T, Op, neighbored_less_kernel<T, Op>, threads, threads>;

const Register<Reduce, NeighboredLess> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
