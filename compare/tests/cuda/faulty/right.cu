#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void right_kernel(const T* in, std::size_t n, T* out, T* scratch) {
  // so the next rung may get memory that was written before
  if (threadIdx.x < 32) scratch[threadIdx.x] = T(0);
  if (threadIdx.x == 0) *out = serial_fold<T, Op>(in, n);
}

template <class T, class Op>
using Right = OneBlock<T, Op, right_kernel<T, Op>>;

const Register<Reduce, Right, std::int32_t> rung{
    {.idea = "Right, so that there is something for the others to leave standing."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
