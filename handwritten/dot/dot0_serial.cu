// dot0_serial: each block multiplies its slices side by side into shared memory; then its first thread adds all products up.
//
// Improves on  nothing: the products are parallel, the sum is not.
// Costs        512 dependent additions for a block while 511 threads wait. As the note writes it, each of them loads and stores the total in global
//              memory, and is counted so; nvcc keeps the total in a register and stores it once, at the end.
// Limited by   the latency of those additions.
// Source       N5
// Repaired     added onto whatever the output held: it is cleared first. Read past n: a partly filled slice ends in zeros.
#include "handwritten/dot/partials.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr unsigned threads = 512;

template <class T>
__global__ void dot0_serial_kernel(const T* a, const T* b, std::size_t n, T* partials) {
  __shared__ T tile[threads];
  const Sum plus;
  const Product times;
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  const unsigned t = threadIdx.x;

  tile[t] = i < n ? times(a[i], b[i]) : T(0);
  __syncthreads();

  if (t == 0) {
    T* total = partials + blockIdx.x;
    *total = 0;
    for (unsigned k = 0; k < threads; ++k) *total = plus(*total, tile[k]);
  }
}

template <class T>
class Dot0Serial : public DotByPartials<T> {
 public:
  explicit Dot0Serial(const typename Dot<T>::Device& device) : DotByPartials<T>(device, dot0_serial_kernel<T>, threads) {}
};

const Register<Dot, Dot0Serial, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "Multiply in parallel; then one thread of each block adds its 512 products into global memory.",
    .notes = "N5",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
