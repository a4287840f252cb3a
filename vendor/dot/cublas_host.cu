#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "vendor/dot/cublas_handle.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cublasSdot and cublasDdot in host pointer mode, the default: the call waits for the GPU "
        "and returns the result to the host.",
    .to_know =
        "It takes float and double only. It is more general than a rung: it takes any strides. It "
        "gives the same bits from run to run on one GPU and "
        "one version. The handle and its workspace are made in the constructor, outside the timed "
        "region. It is not called where there are no "
        "elements. There is no device_result.",
    .library = cublas_library,
    .source = "cuBLAS (CUDA toolkit), cublas_v2.h.",
};

template <class T>
struct CublasHost {
  typename Dot<T>::Device device;
  CublasHandle handle{CUBLAS_POINTER_MODE_HOST};

  void to_host(Stream stream, T* out) {
    *out = 0;
    if (device.n > 0) gpu::check(cublas_dot(handle.on(stream), device.n, device.a, device.b, out));
  }
};

const Register<Dot, CublasHost, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
