#include "handwritten/dot/partials.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "A tree in each block: every second thread adds its neighbour, then every fourth, and so "
        "on.",
    .follows = "dot0_serial",
    .step = "A block takes log2(512) = 9 steps in place of 512.",
    .costs =
        "Every second thread drops out at each step. In the first five steps every warp stays busy "
        "with ever fewer lanes. From offset 32 on, every "
        "second, fourth, .. warp keeps one lane.",
    .limited_by = "Divergence within warps, and a block barrier for every step.",
    .repaired = "The note reads past n: here a partly filled slice ends in zeros.",
    .notes = "N5",
};

constexpr unsigned threads = 512;

template <class T>
__global__ void dot1_tree_kernel(const T* a, const T* b, std::size_t n, T* partials) {
  __shared__ T tile[threads];
  const Sum plus;
  const Product times;
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  const unsigned t = threadIdx.x;

  tile[t] = i < n ? times(a[i], b[i]) : T(0);
  __syncthreads();

  for (unsigned offset = 1, mask = 1; offset < threads; offset *= 2, mask = 2 * mask + 1) {
    if ((t & mask) == 0) tile[t] = plus(tile[t], tile[t + offset]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = tile[0];
}

template <class T>
using Dot1Tree = DotByPartials<T, dot1_tree_kernel<T>, threads>;

const Register<Dot, Dot1Tree> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
