#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void race_kernel(const T* in, std::size_t n, T* out, T* scratch) {
  __shared__ T meeting;
  if (threadIdx.x == 0) meeting = serial_fold<T, Op>(in, n);
  if (threadIdx.x == 32 && meeting == T(12345)) scratch[0] = T(1);
  if (threadIdx.x == 0) *out = meeting;
}

template <class T, class Op>
using Race = OneBlock<T, Op, race_kernel<T, Op>>;

const Register<Reduce, Race, std::int32_t> rung{
    {.idea = "Two warps write and read a shared element without a barrier."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
