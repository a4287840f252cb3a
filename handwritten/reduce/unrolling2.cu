// unrolling2: each block owns two adjacent slices and first adds the second onto the first; then the tree of interleaved.
//
// Improves on  interleaved: every thread has work in the first step, with two independent loads, and half as many blocks are launched.
// Costs        half the parallelism across blocks.
// Limited by   the global-memory traffic of every step.
// Source       N1, N4
// Repaired     as neighbored; and elements past the last full pair of slices were lost.
#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

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
class Unrolling2 : public FoldedByHost<T, Op> {
 public:
  explicit Unrolling2(const typename Reduce<T, Op>::Device& device) : FoldedByHost<T, Op>(device, unrolling2_kernel<T, Op>, threads, threads * 2) {}
};

const Register<Reduce, Unrolling2, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "Each block folds two slices: the half that idled gets work.",
    .follows = "interleaved",
    .notes = "N1 N4",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
