#include <cuda_runtime.h>

#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void changes_input_kernel(const T* in, std::size_t n, T* out, T*) {
  if (threadIdx.x > 0) return;
  *out = serial_fold<T, Op>(in, n);
  const_cast<T*>(in)[n - 1] ^= 1;
}

template <class T, class Op>
using ChangesInput = OneBlock<T, Op, changes_input_kernel<T, Op>>;

const Register<Reduce, ChangesInput, std::int32_t> rung{
    {.idea = "Leaves the right answer, and another input."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
