#include <cuda_runtime.h>

#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void persisting_l2_kernel(const T* in, std::size_t n, T* out) {
  *out = serial_fold<T, Op>(in, n);
}

template <class T, class Op>
class PersistingL2 {
 public:
  explicit PersistingL2(const typename Reduce<T, Op>::Device& device) : device_(device) {
    constexpr std::size_t set_aside = std::size_t{4} << 20;
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, set_aside);
  }

  void operator()(Stream stream) {
    launch(persisting_l2_kernel<T, Op>, {1, 1}, stream, device_.in, device_.n, device_.out);
  }

 private:
  typename Reduce<T, Op>::Device device_;
};

const Register<Reduce, PersistingL2, std::int32_t> rung{
    {.idea = "Sets part of the L2 cache aside, where its input outlasts every flush."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
