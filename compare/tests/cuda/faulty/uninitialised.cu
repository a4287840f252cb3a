#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void uninitialised_kernel(const T* in, std::size_t n, T* out, T* scratch) {
  if (threadIdx.x == 0) *out = serial_fold<T, Op>(in, n);
  if (scratch[threadIdx.x % 32] == T(12345)) scratch[0] = T(1);
}

template <class T, class Op>
using Uninitialised = OneBlock<T, Op, uninitialised_kernel<T, Op>>;

const Register<Reduce, Uninitialised, std::int32_t> rung{
    {.idea = "Reads device memory that nobody has written."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
