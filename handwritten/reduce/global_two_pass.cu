#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Blocks of 1,024 threads fold their slices in place in global memory, then one block folds "
        "the partials.",
    .follows = "serial",
    .step =
        "1,024 blocks reduce at once, with 1,024 threads each, for 2^20 elements. interleaved is "
        "the same kernel with 512 threads a block in place "
        "of "
        "1,024.",
    .costs =
        "A block reads 1,024 words of global memory and writes 512 in the first step, and half of "
        "that in each further step: it reads 2,047 words "
        "and writes 1,024 for 1,024 elements.",
    .limited_by = "That global-memory traffic.",
    .repaired =
        "The kernel of the note does not compile as printed. It destroys its input: here it works "
        "on a copy, renewed before every run. It takes 2^20 "
        "elements only: here more levels follow for larger n.",
    .notes = "N3",
    .source =
        "The note names Brent's theorem: R. P. Brent, The parallel evaluation of general "
        "arithmetic expressions, Journal of the ACM 21 (1974).",
};

constexpr unsigned threads = 1024;

template <class T, class Op>
__global__ void global_two_pass_kernel(T* data, std::size_t n, T* partials) {
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
using GlobalTwoPass = InPlaceReduce<T, Op, global_two_pass_kernel<T, Op>, threads, threads>;

const Register<Reduce, GlobalTwoPass> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
