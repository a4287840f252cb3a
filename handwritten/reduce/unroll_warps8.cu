#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each block owns eight slices: each thread first sums eight elements, and the last warp "
        "works without block barriers.",
    .follows = "unrolling2",
    .step =
        "Each thread has eight independent loads in flight, which hide latency. A block passes six "
        "barriers fewer.",
    .costs =
        "It launches an eighth of the blocks of interleaved, so small inputs leave the GPU idle.",
    .limited_by =
        "Reading the input, once it is large enough to fill the GPU: the tree is an eighth of the "
        "traffic.",
    .repaired =
        "As in neighbored: the early return, the read past n, and the partials left to the host. "
        "The note also lost the elements past the last full "
        "group of eight slices, and kept only the first element of each thread whose eighth was "
        "missing. Its last warp relied on volatile without a "
        "barrier, which is undefined since Volta: here __syncwarp separates the steps, and only "
        "lanes below the stride write, since a lane must not "
        "write what another still reads. So claim N1c is tested with __syncwarp, and not with the "
        "mechanism of the note.",
    .notes = "N1",
    .source =
        "The name is that of J. Cheng, M. Grossman and T. McKercher, Professional CUDA C "
        "Programming (2014), chapter 3.",
};

constexpr unsigned threads = 512;  // at least 64, for the last warp
constexpr unsigned slices = 8;

template <class T, class Op>
__global__ void unroll_warps8_kernel(T* data, std::size_t n, T* partials) {
  const Op op;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x * slices;
  const unsigned length = slice_length(n, first, blockDim.x * slices);
  const unsigned t = threadIdx.x;
  T* slice = data + first;

  if (t < length) {
    T value = slice[t];
#pragma unroll
    for (unsigned k = 1; k < slices; ++k) {
      if (t + k * blockDim.x < length) value = op(value, slice[t + k * blockDim.x]);
    }
    slice[t] = value;
  }
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride >= 64; stride /= 2) {
    if (t < stride && t + stride < length) slice[t] = op(slice[t], slice[t + stride]);
    __syncthreads();
  }

  if (t < 32) {
#pragma unroll
    for (unsigned stride = 32; stride > 0; stride /= 2) {
      if (t < stride && t + stride < length) slice[t] = op(slice[t], slice[t + stride]);
      __syncwarp();
    }
  }
  if (t == 0) partials[blockIdx.x] = folded<T, Op>(slice, length);
}

template <class T, class Op>
using UnrollWarps8 = FoldedByHost<T, Op, unroll_warps8_kernel<T, Op>, threads, threads * slices>;

const Register<Reduce, UnrollWarps8> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
