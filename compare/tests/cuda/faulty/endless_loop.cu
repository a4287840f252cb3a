#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void endless_loop_kernel(const T* in, std::size_t n, T* out, T* scratch) {
  const volatile T* const never_changes = scratch;
  const T first = *never_changes;
  while (*never_changes == first) {
  }
  *out = first;
}

template <class T, class Op>
using EndlessLoop = OneBlock<T, Op, endless_loop_kernel<T, Op>>;

const Register<Reduce, EndlessLoop, std::int32_t> rung{{.idea = "Never ends."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
