#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void past_the_end_kernel(const T* in, std::size_t n, T* out, T* scratch) {
  if (threadIdx.x == 0) *out = serial_fold<T, Op>(in, n);
  if (scratch[32 + threadIdx.x] == T(1)) scratch[0] = T(2);
}

template <class T, class Op>
using PastTheEnd = OneBlock<T, Op, past_the_end_kernel<T, Op>>;

const Register<Reduce, PastTheEnd, std::int32_t> rung{
    {.idea = "Reads scratch memory past its end."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
