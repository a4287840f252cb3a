#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void illegal_address_kernel(const T* in, std::size_t n, T* out, T* scratch) {
  *out = serial_fold<T, Op>(in, n);
  reinterpret_cast<T*>(8)[threadIdx.x] = *scratch;
}

template <class T, class Op>
using IllegalAddress = OneBlock<T, Op, illegal_address_kernel<T, Op>>;

const Register<Reduce, IllegalAddress, std::int32_t> rung{
    {.idea = "Writes where no memory is: the whole context is lost."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
