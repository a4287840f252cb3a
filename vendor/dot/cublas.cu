#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "vendor/dot/cublas_handle.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "cublasSdot and cublasDdot in device pointer mode: the result stays on the GPU.",
    .follows = "cublas_host",
    .step = "The call does not wait for the GPU, and nothing is copied.",
    .to_know = "As cublas_host, but there is a device_result.",
    .library = cublas_library,
    .source = "cuBLAS (CUDA toolkit), cublas_v2.h.",
};

template <class T>
class Cublas {
 public:
  explicit Cublas(const typename Dot<T>::Device& device)
      : device_(device), handle_(CUBLAS_POINTER_MODE_DEVICE) {}

  void operator()(Stream stream) {
    if (device_.n == 0)
      gpu::check(
          cudaMemsetAsync(device_.out, 0, sizeof(T), static_cast<cudaStream_t>(stream.handle)));
    else gpu::check(cublas_dot(handle_.on(stream), device_.n, device_.a, device_.b, device_.out));
  }

 private:
  typename Dot<T>::Device device_;
  CublasHandle handle_;
};

const Register<Dot, Cublas, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
