#include "handwritten/dot/kahan.hpp"
#include "handwritten/dot/partials.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each step folds the upper half of the remaining products onto the lower half: busy "
        "threads are adjacent, and whole warps idle.",
    .follows = "dot2_kahan",
    .step =
        "Whole warps are busy or idle until 32 threads are left. The note says that bank conflicts "
        "are removed, but dot1_tree and dot2_kahan index "
        "by the thread and have none with 4-byte elements. The rung bank_conflicts has them.",
    .costs = "Half of the block idles from the first step on.",
    .limited_by = "A block barrier for every step.",
    .repaired = "As in dot2_kahan.",
    .notes = "N5",
};

constexpr unsigned threads = 512;

template <class T>
__global__ void dot3_conflict_free_kernel(const T* a, const T* b, std::size_t n, T* partials) {
  __shared__ T tile[threads];
  const Sum plus;
  const Product times;
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  const unsigned t = threadIdx.x;

  tile[t] = i < n ? kahan_step(times(a[i], b[i])) : T(0);
  __syncthreads();

  for (unsigned stride = threads / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = plus(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = tile[0];
}

template <class T>
using Dot3ConflictFree = DotByPartials<T, dot3_conflict_free_kernel<T>, threads, DoubleTotal<T>>;

const Register<Dot, Dot3ConflictFree> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
