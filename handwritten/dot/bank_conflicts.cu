// bank_conflicts: the pairs of dot1_tree, worked by the lowest threads at element 2 * offset * t: packed threads, but real bank conflicts.
//
// Improves on  dot1_tree: whole warps are busy or idle until 32 threads are left.
// Costs        the lanes of a warp are 2 * offset elements apart. Of 4-byte elements, two of them meet in each bank at offset 1, then 4, 8, and 16 at
//              offset 8; from there on the threads run out: 16 in one bank, 8, .. A request is served in as many turns.
// Limited by   those conflicts, and a block barrier for every step. What dot3_conflict_free really gains over dot2_kahan is the packing, which is
//              here too; what it gains over this rung is the conflicts.
// Source       our own, for the claim of N5
// Repaired     nothing.
#include "handwritten/dot/partials.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

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
class BankConflicts : public DotByPartials<T> {
 public:
  explicit BankConflicts(const typename Dot<T>::Device& device) : DotByPartials<T>(device, bank_conflicts_kernel<T>, threads) {}
};

const Register<Dot, BankConflicts, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "The same pairs, worked by the lowest threads: full warps, but up to 16 lanes in one bank.",
    .follows = "dot1_tree",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
