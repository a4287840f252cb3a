#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "vendor/dot/cublas_handle.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cublasSdot, cublasDdot and cublasDotEx in device pointer mode: the result stays on the "
        "GPU.",
    .follows = "cublas_host",
    .step = "The call does not wait for the GPU, and nothing is copied.",
    .to_know = "As cublas_host, but there is a device_result.",
    .library = cublas_library,
    .source = "cuBLAS (CUDA toolkit), cublas_v2.h.",
    .returns_elements = true,
};

template <class T>
struct Cublas {
  typename Dot<T>::Device device;
  CublasHandle handle{CUBLAS_POINTER_MODE_DEVICE};

  void operator()(Stream stream) {
    if (device.n == 0) gpu::check(cudaMemsetAsync(device.out, 0, sizeof(T), stream));
    else gpu::check(cublas_dot(handle.on(stream), device.n, device.a, device.b, device.out));
  }
};

const Register<Dot, Cublas, float, double, F16, BF16> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
