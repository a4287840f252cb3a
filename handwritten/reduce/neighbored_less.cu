// neighbored_less: the pairs of neighbored, worked by the lowest threads, so that whole warps are busy or idle.
//
// Improves on  neighbored: thread t works on element 2 * stride * t. At 512 threads the first four steps fill 8, 4, 2 and 1 warps; only the last
//              five have idle lanes in a busy warp.
// Costs        a warp's elements lie 2 * stride apart: ever more sectors for one request.
// Limited by   uncoalesced access, and the global-memory traffic of every step.
// Source       N1, N4
// Repaired     as neighbored: the early return, the read past n, the partials left to the host.
#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

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
class NeighboredLess : public FoldedByHost<T, Op> {
 public:
  explicit NeighboredLess(const typename Reduce<T, Op>::Device& device)
      : FoldedByHost<T, Op>(device, neighbored_less_kernel<T, Op>, threads, threads) {}
};

const Register<Reduce, NeighboredLess, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "The same pairs, worked by the lowest threads: full warps instead of thinned ones.",
    .follows = "neighbored",
    .notes = "N1 N4",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
