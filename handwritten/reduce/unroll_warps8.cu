// unroll_warps8: eight slices for each block, eight independent loads for each thread, and a last warp that needs no block barrier.
//
// Improves on  unrolling2: more loads in flight to hide latency; six barriers fewer in each block.
// Costs        an eighth of the blocks of interleaved: small inputs leave the GPU idle.
// Limited by   reading the input, once it is large enough to fill the GPU: the tree is an eighth of the traffic.
// Source       N1
// Repaired     as neighbored; elements past the last full group of eight slices were lost, and a group partly filled kept one element a thread;
//              the last warp relied on volatile, undefined since Volta: it synchronises, and only lanes below the stride write, since a lane
//              must not write what another still reads.
#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

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
class UnrollWarps8 : public FoldedByHost<T, Op> {
 public:
  explicit UnrollWarps8(const typename Reduce<T, Op>::Device& device)
      : FoldedByHost<T, Op>(device, unroll_warps8_kernel<T, Op>, threads, threads * slices) {}
};

const Register<Reduce, UnrollWarps8, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "Each thread first sums eight elements; the last warp works without block barriers.",
    .follows = "unrolling2",
    .notes = "N1",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
