// neighbored: a tree over each block's slice, in place in global memory; each step adds the neighbour at twice the distance of the step before.
//
// Improves on  serial: log2(512) = 9 steps for a block instead of 512, and all blocks at once.
// Costs        every second thread drops out at each step, so a warp does 5 of its steps with thinning lanes, and from stride 32 on every 2nd,
//              4th, .. warp keeps one lane.
// Limited by   divergence, and the global-memory traffic of every step.
// Source       N1, N4
// Repaired     returned before the barrier for threads past the end, read past n on ragged input, and left its partials to the host.
#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

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
class Neighbored : public FoldedByHost<T, Op> {
 public:
  explicit Neighbored(const typename Reduce<T, Op>::Device& device) : FoldedByHost<T, Op>(device, neighbored_kernel<T, Op>, threads, threads) {}
};

const Register<Reduce, Neighbored, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "A tree in each block: every second thread adds its neighbour, then every fourth, ..",
    .follows = "serial",
    .notes = "N1 N4",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
