#include "handwritten/dot/partials.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each block multiplies its slices in parallel into shared memory; then its first thread "
        "adds the 512 products into global memory.",
    .costs =
        "A block takes 512 dependent additions while 511 threads wait. As the note writes it, each "
        "addition loads and stores the total in global "
        "memory, and the emulated backend counts that; nvcc keeps the total in a register and "
        "stores it once, at the end.",
    .limited_by = "The latency of those additions.",
    .repaired =
        "The note adds onto the old value of the output: here it is cleared first. The note reads "
        "past n: here a partly filled slice ends in zeros.",
    .notes = "N5",
};

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
using Dot0Serial = DotByPartials<T, dot0_serial_kernel<T>, threads>;

const Register<Dot, Dot0Serial> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
