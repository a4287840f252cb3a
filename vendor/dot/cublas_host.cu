// cublas_host: cublasSdot and cublasDdot as they are unless told otherwise: in host pointer mode, which waits for the GPU and returns the result.
//
// Source       cuBLAS (CUDA toolkit), cublas_v2.h
// To know      As cublas, but for the copy: there is no device_result.
#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "vendor/dot/cublas_handle.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T>
class CublasHost {
 public:
  explicit CublasHost(const typename Dot<T>::Device& device) : device_(device), handle_(CUBLAS_POINTER_MODE_HOST) {}

  void to_host(Stream stream, T* out) {
    *out = 0;
    if (device_.n > 0) cuda::check(cublas_dot(handle_.on(stream), device_.n, device_.a, device_.b, out));
  }

 private:
  typename Dot<T>::Device device_;
  CublasHandle handle_;
};

const Register<Dot, CublasHost, float, double> rung{{
    .idea = "cublasSdot and cublasDdot with the result returned to the host.",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
