#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void wrong_mask_kernel(const T* in, std::size_t n, T* out, T*) {
  if (threadIdx.x == 0) *out = serial_fold<T, Op>(in, n);
  if (threadIdx.x % 32 < 16) __syncwarp(0xffff0000);
}

template <class T, class Op>
using WrongMask = OneBlock<T, Op, wrong_mask_kernel<T, Op>>;

const Register<Reduce, WrongMask, std::int32_t> rung{
    {.idea = "Calls __syncwarp with a mask that does not hold the caller."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
