#include "handwritten/dot/kahan.hpp"
#include "handwritten/dot/partials.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "dot3_conflict_free with its nine steps written out.",
    .follows = "dot3_conflict_free",
    .step = "There is no loop counter and no branch back.",
    .costs = "It works for blocks of 512 threads only.",
    .limited_by = "A block barrier for every step, also where one warp is left.",
    .repaired = "As in dot2_kahan.",
    .notes = "N5",
};

constexpr unsigned threads = 512;
static_assert(threads == 512, "the steps are written out for 512 threads");

template <class T>
__global__ void dot4_unrolled_kernel(const T* a, const T* b, std::size_t n, T* partials) {
  __shared__ T tile[threads];
  const Sum plus;
  const Product times;
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  const unsigned t = threadIdx.x;

  tile[t] = i < n ? kahan_step(times(a[i], b[i])) : T(0);
  __syncthreads();

  if (t < 256) tile[t] = plus(tile[t], tile[t + 256]);
  __syncthreads();
  if (t < 128) tile[t] = plus(tile[t], tile[t + 128]);
  __syncthreads();
  if (t < 64) tile[t] = plus(tile[t], tile[t + 64]);
  __syncthreads();
  if (t < 32) tile[t] = plus(tile[t], tile[t + 32]);
  __syncthreads();
  if (t < 16) tile[t] = plus(tile[t], tile[t + 16]);
  __syncthreads();
  if (t < 8) tile[t] = plus(tile[t], tile[t + 8]);
  __syncthreads();
  if (t < 4) tile[t] = plus(tile[t], tile[t + 4]);
  __syncthreads();
  if (t < 2) tile[t] = plus(tile[t], tile[t + 2]);
  __syncthreads();
  if (t < 1) tile[t] = plus(tile[t], tile[t + 1]);
  __syncthreads();
  if (t == 0) partials[blockIdx.x] = tile[0];
}

template <class T>
using Dot4Unrolled = DotByPartials<T, dot4_unrolled_kernel<T>, threads, DoubleTotal<T>>;

const Register<Dot, Dot4Unrolled> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
