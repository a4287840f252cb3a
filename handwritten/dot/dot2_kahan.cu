#include "handwritten/dot/kahan.hpp"
#include "handwritten/dot/partials.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "dot1_tree with a Kahan step on each product, which changes nothing.",
    .follows = "dot1_tree",
    .step =
        "No sum gets more precise, though the note says so: a sum of one term loses nothing. The "
        "step computes y = -p, r = 0 - y = p, y = "
        "(p - 0) - p = 0, and drops y. The rung compensated shows compensation where a sum loses "
        "something.",
    .costs = "It takes a few additions for each product, as far as the compiler leaves them in.",
    .limited_by = "Divergence within warps, and a block barrier for every step, as in dot1_tree.",
    .repaired =
        "As in dot1_tree; the Kahan step is kept as the note has it. The host adds up in double, "
        "as the note does from here on, but integers in "
        "their own type, so that they wrap.",
    .notes = "N5",
    .source =
        "The step is that of W. Kahan, Further remarks on reducing truncation errors, "
        "Communications of the ACM 8 (1965).",
};

constexpr unsigned threads = 512;

template <class T>
__global__ void dot2_kahan_kernel(const T* a, const T* b, std::size_t n, T* partials) {
  __shared__ T tile[threads];
  const Sum plus;
  const Product times;
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  const unsigned t = threadIdx.x;

  tile[t] = i < n ? kahan_step(times(a[i], b[i])) : T(0);
  __syncthreads();

  for (unsigned offset = 1, mask = 1; offset < threads; offset *= 2, mask = 2 * mask + 1) {
    if ((t & mask) == 0) tile[t] = plus(tile[t], tile[t + offset]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = tile[0];
}

template <class T>
using Dot2Kahan = DotByPartials<T, dot2_kahan_kernel<T>, threads, DoubleTotal<T>>;

const Register<Dot, Dot2Kahan> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
