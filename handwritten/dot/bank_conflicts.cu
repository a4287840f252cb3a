#include "handwritten/dot/partials.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "The pairs of dot1_tree, worked by the lowest threads at element 2 * offset * t: full "
        "warps, but up to 16 lanes in one bank.",
    .follows = "dot1_tree",
    .step =
        "Whole warps are busy or idle until 32 threads are left, but their lanes meet in the same "
        "banks.",
    .costs =
        "The lanes of a warp are 2 * offset elements apart. Of 4-byte elements, two lanes meet in "
        "each bank at offset 1, then 4, 8, and 16 at offset "
        "8. From there on the threads run out: 16 in one bank, then 8, and so on. A request is "
        "served in as many turns.",
    .limited_by =
        "Those conflicts, and a block barrier for every step. dot3_conflict_free gains over "
        "dot2_kahan by packed threads, which are here too; it "
        "gains over this rung by its lack of conflicts.",
    .source = "Our own, for the claim of N5 on bank conflicts.",
};

constexpr unsigned threads = 512;

template <class T>
__global__ void bank_conflicts_kernel(const T* a, const T* b, std::size_t n, T* partials) {
  __shared__ T tile[threads];
  const Sum plus;
  const Product times;
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  const unsigned t = threadIdx.x;

  tile[t] = i < n ? times(a[i], b[i]) : T(0);
  __syncthreads();

  for (unsigned offset = 1; offset < threads; offset *= 2) {
    const unsigned k = 2 * offset * t;
    if (k < threads) tile[k] = plus(tile[k], tile[k + offset]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = tile[0];
}

template <class T>
using BankConflicts = DotByPartials<T, bank_conflicts_kernel<T>, threads>;

const Register<Dot, BankConflicts> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
