#include <cuda_runtime.h>

#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void writes_beside_kernel(const T* in, std::size_t n, T* out, T*) {
  if (threadIdx.x > 0) return;
  *out = serial_fold<T, Op>(in, n);
  out[1] = *out;
}

template <class T, class Op>
using WritesBeside = OneBlock<T, Op, writes_beside_kernel<T, Op>>;

const Register<Reduce, WritesBeside, std::int32_t> rung{
    {.idea = "Leaves the right answer twice, the second time beside its output."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
