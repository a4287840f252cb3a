#include <cuda_runtime.h>

#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void swallowed_error_kernel(const T* in, std::size_t n, T* out) {
  *out = serial_fold<T, Op>(in, n);
}

template <class T, class Op>
class SwallowedError {
 public:
  explicit SwallowedError(const typename Reduce<T, Op>::Device& device) : device_(device) {}

  void operator()(Stream stream) {
    constexpr unsigned too_many = 2048;
    launch(swallowed_error_kernel<T, Op>, {1, 1}, stream, device_.in, device_.n, device_.out);
    swallowed_error_kernel<T, Op><<<1, too_many, 0, static_cast<cudaStream_t>(stream.handle)>>>(
        device_.in, device_.n, device_.out);
  }

 private:
  typename Reduce<T, Op>::Device device_;
};

const Register<Reduce, SwallowedError, std::int32_t> rung{
    {.idea = "Its second launch is refused, and it does not look."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
