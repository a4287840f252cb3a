#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void divergent_barrier_kernel(const T* in, std::size_t n, T* out, T* scratch) {
  if (threadIdx.x == 0) *out = serial_fold<T, Op>(in, n);
  if (threadIdx.x < 32) __syncthreads();
  else __nanosleep(100'000);  // it is still there, and does not come
  if (n > 0 && scratch[0] == T(12345)) *out = T(1);
}

template <class T, class Op>
using DivergentBarrier = OneBlock<T, Op, divergent_barrier_kernel<T, Op>>;

const Register<Reduce, DivergentBarrier, std::int32_t> rung{{.idea = "One warp waits at a barrier that the other does not reach."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
