// cublas: cublasSdot and cublasDdot in device pointer mode, where the result stays on the GPU.
//
// Source       cuBLAS (CUDA toolkit), cublas_v2.h
// To know      float and double only. More general than a rung: it takes any strides. The same bits from run to run on one GPU and one version. The
//              handle and its workspace are made in the constructor, outside the timed region. No elements, no result: it is not asked then.
#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "vendor/dot/cublas_handle.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T>
class Cublas {
 public:
  explicit Cublas(const typename Dot<T>::Device& device) : device_(device), handle_(CUBLAS_POINTER_MODE_DEVICE) {}

  void operator()(Stream stream) {
    if (device_.n == 0) cuda::check(cudaMemsetAsync(device_.out, 0, sizeof(T), static_cast<cudaStream_t>(stream.handle)));
    else cuda::check(cublas_dot(handle_.on(stream), device_.n, device_.a, device_.b, device_.out));
  }

 private:
  typename Dot<T>::Device device_;
  CublasHandle handle_;
};

const Register<Dot, Cublas, float, double> rung{{
    .idea = "cublasSdot and cublasDdot with the result left on the GPU.",
    .follows = "cublas_host",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
