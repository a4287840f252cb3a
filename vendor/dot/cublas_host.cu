#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "vendor/dot/cublas_handle.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cublasSdot, cublasDdot and cublasDotEx in host pointer mode, the default: the call waits "
        "for the GPU and returns the result to the host.",
    .to_know =
        "It takes floats only. Of f16 and bf16, cublasDotEx computes in f32 and rounds the result "
        "to the element type. It is more general than a rung: it takes any strides. It gives the "
        "same bits from run to run on one GPU and one version. The handle and its workspace are "
        "made in the constructor, outside the timed "
        "region. It is not called where there are no "
        "elements. There is no device_result.",
    .library = cublas_library,
    .source = "cuBLAS (CUDA toolkit), cublas_v2.h.",
    .returns_elements = true,
};

template <class T>
struct CublasHost {
  typename Dot<T>::Device device;
  CublasHandle handle{CUBLAS_POINTER_MODE_HOST};

  void to_host(Stream stream, Accumulator<T>* out) {
    *out = 0;
    if (device.n > 0) gpu::check(cublas_dot(handle.on(stream), device.n, device.a, device.b, out));
  }
};

const Register<Dot, CublasHost, float, double, F16, BF16> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
