// interleaved: each step folds the upper half of what is left onto the lower half, so that busy threads and their elements are both adjacent.
//
// Improves on  neighbored_less: same number of steps and busy warps, but a warp's 32 elements lie side by side.
// Costs        half of the block idles from the first step on.
// Limited by   the global-memory traffic of every step: about three words for each element.
// Source       N1, N4
// Repaired     as neighbored: the early return, the read past n, the partials left to the host.
#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

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
class Interleaved : public FoldedByHost<T, Op> {
 public:
  explicit Interleaved(const typename Reduce<T, Op>::Device& device) : FoldedByHost<T, Op>(device, interleaved_kernel<T, Op>, threads, threads) {}
};

const Register<Reduce, Interleaved, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "Fold the upper half onto the lower half: packed threads and adjacent accesses.",
    .follows = "neighbored_less",
    .notes = "N1 N4",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
