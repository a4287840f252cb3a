#include <cuda_runtime.h>

#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void skipped_launch_kernel(const T* in, std::size_t n, T* out) {
  *out = serial_fold<T, Op>(in, n);
}

template <class T, class Op>
class SkippedLaunch {
 public:
  explicit SkippedLaunch(const typename Reduce<T, Op>::Device& device) : device_(device) {}

  void operator()(Stream stream) {
    // Right at first. In the first process at least two runs come before any sample: one admits it,
    // one shows whether it works elsewhere. So no sample launches anything.
    if (runs_++ < 2)
      launch(skipped_launch_kernel<T, Op>, {1, 1}, stream, device_.in, device_.n, device_.out);
  }

 private:
  typename Reduce<T, Op>::Device device_;
  unsigned runs_ = 0;
};

const Register<Reduce, SkippedLaunch, std::int32_t> rung{
    {.idea = "Launches nothing after the first two runs."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
