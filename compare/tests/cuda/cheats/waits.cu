#include <cuda_runtime.h>

#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void waits_kernel(const T* in, std::size_t n, T* out) {
  *out = serial_fold<T, Op>(in, n);
}

template <class T, class Op>
class Waits {
 public:
  explicit Waits(const typename Reduce<T, Op>::Device& device) : device_(device) {}

  void operator()(Stream stream) {
    launch(waits_kernel<T, Op>, {1, 1}, stream, device_.in, device_.n, device_.out);
    cudaStreamSynchronize(stream);
  }

 private:
  typename Reduce<T, Op>::Device device_;
};

const Register<Reduce, Waits, std::int32_t> rung{
    {.idea = "Waits for its stream, so that no time begins when all of it is enqueued."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
