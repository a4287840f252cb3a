#include <cuda_runtime.h>

#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
class AllNaN {
 public:
  explicit AllNaN(const typename Reduce<T, Op>::Device& device) : device_(device) {}

  void operator()(Stream stream) {
    cudaMemsetAsync(device_.out, 0xff, sizeof(T), static_cast<cudaStream_t>(stream.handle));
  }

 private:
  typename Reduce<T, Op>::Device device_;
};

const Register<Reduce, AllNaN, float> rung{
    {.idea = "Answers NaN, which no comparison finds wrong by being larger."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
