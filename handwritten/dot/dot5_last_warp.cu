#include "handwritten/dot/kahan.hpp"
#include "handwritten/dot/partials.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "dot4_unrolled with the last six steps done by one warp, without block barriers.",
    .follows = "dot4_unrolled",
    .step = "A block passes six barriers fewer, and fifteen warps are done after the third step.",
    .costs = "It works for blocks of 512 threads only.",
    .limited_by =
        "Starting 512 threads for 512 pairs: each thread loads two elements once, and the rest is "
        "latency.",
    .repaired =
        "As in dot2_kahan. The last warp of the note had neither volatile nor a barrier, and "
        "relied on lanes in lockstep, which is undefined since "
        "Volta: here __syncwarp separates the steps, and only lanes below the stride write, since "
        "a lane must not write what another still reads. So "
        "claim N5f is tested with __syncwarp, and not with the mechanism of the note.",
    .notes = "N5",
};

constexpr unsigned threads = 512;
static_assert(threads == 512, "the steps are written out for 512 threads");

template <class T>
__global__ void dot5_last_warp_kernel(const T* a, const T* b, std::size_t n, T* partials) {
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

  if (t < 32) {
    tile[t] = plus(tile[t], tile[t + 32]);
    __syncwarp();
    if (t < 16) tile[t] = plus(tile[t], tile[t + 16]);
    __syncwarp();
    if (t < 8) tile[t] = plus(tile[t], tile[t + 8]);
    __syncwarp();
    if (t < 4) tile[t] = plus(tile[t], tile[t + 4]);
    __syncwarp();
    if (t < 2) tile[t] = plus(tile[t], tile[t + 2]);
    __syncwarp();
    if (t < 1) tile[t] = plus(tile[t], tile[t + 1]);
  }
  if (t == 0) partials[blockIdx.x] = tile[0];
}

template <class T>
using Dot5LastWarp = DotByPartials<T, dot5_last_warp_kernel<T>, threads, DoubleTotal<T>>;

const Register<Dot, Dot5LastWarp> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
