// dot2_kahan: dot1_tree with a Kahan step on each product.
//
// Improves on  dot1_tree: nothing. The note says that it is more precise, but a sum of one term loses nothing that could be compensated: the step
//              computes y = -p, r = 0 - y = p, y = (p - 0) - p = 0, and drops y. compensated shows what compensation does where it is due.
// Costs        a few additions for each product, as far as the compiler leaves them in.
// Limited by   divergence, and a block barrier for every step, as dot1_tree.
// Source       N5; the step is that of W. Kahan, "Further remarks on reducing truncation errors", CACM 8 (1965)
// Repaired     as dot1_tree; the step itself is kept as it is. The host adds up in double, as the note does from here on, but integers in their
//              own type, so that they wrap.
#include "handwritten/dot/kahan.hpp"
#include "handwritten/dot/partials.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

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
class Dot2Kahan : public DotByPartials<T, DoubleTotal<T>> {
 public:
  explicit Dot2Kahan(const typename Dot<T>::Device& device) : DotByPartials<T, DoubleTotal<T>>(device, dot2_kahan_kernel<T>, threads) {}
};

const Register<Dot, Dot2Kahan, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "The same with a Kahan step on each product, which changes nothing.",
    .follows = "dot1_tree",
    .notes = "N5",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
