#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "unroll_warps8 with the loop over strides written out, each step tested against the block "
        "size.",
    .follows = "unroll_warps8",
    .step = "There is no loop counter and no branch back.",
    .costs =
        "It tests the step for 1,024 threads and passes its barrier at every block size: at 512 "
        "threads, a block passes 5 barriers where "
        "unroll_warps8 passes 4.",
    .limited_by = "Reading the input, as in unroll_warps8.",
    .repaired =
        "As in unroll_warps8. The last warp of this note relied on volatile too, which is "
        "undefined since Volta: claim N1c is tested with "
        "__syncwarp.",
    .notes = "N1",
    .source =
        "The name is that of J. Cheng, M. Grossman and T. McKercher, Professional CUDA C "
        "Programming (2014), chapter 3.",
};

constexpr unsigned threads = 512;  // 64 to 1,024, a power of two
constexpr unsigned slices = 8;

template <class T, class Op>
__global__ void complete_unroll_warps8_kernel(T* data, std::size_t n, T* partials) {
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

  if (blockDim.x >= 1024 && t < 512 && t + 512 < length) slice[t] = op(slice[t], slice[t + 512]);
  __syncthreads();
  if (blockDim.x >= 512 && t < 256 && t + 256 < length) slice[t] = op(slice[t], slice[t + 256]);
  __syncthreads();
  if (blockDim.x >= 256 && t < 128 && t + 128 < length) slice[t] = op(slice[t], slice[t + 128]);
  __syncthreads();
  if (blockDim.x >= 128 && t < 64 && t + 64 < length) slice[t] = op(slice[t], slice[t + 64]);
  __syncthreads();

  if (t < 32) {
    if (t + 32 < length) slice[t] = op(slice[t], slice[t + 32]);
    __syncwarp();
    if (t < 16 && t + 16 < length) slice[t] = op(slice[t], slice[t + 16]);
    __syncwarp();
    if (t < 8 && t + 8 < length) slice[t] = op(slice[t], slice[t + 8]);
    __syncwarp();
    if (t < 4 && t + 4 < length) slice[t] = op(slice[t], slice[t + 4]);
    __syncwarp();
    if (t < 2 && t + 2 < length) slice[t] = op(slice[t], slice[t + 2]);
    __syncwarp();
    if (t < 1 && t + 1 < length) slice[t] = op(slice[t], slice[t + 1]);
  }
  if (t == 0) partials[blockIdx.x] = folded<T, Op>(slice, length);
}

template <class T, class Op>
using CompleteUnrollWarps8 =
    FoldedByHost<T, Op, complete_unroll_warps8_kernel<T, Op>, threads, threads * slices>;

const Register<Reduce, CompleteUnrollWarps8> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
