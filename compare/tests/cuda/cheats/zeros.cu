#include <cuda_runtime.h>

#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
class Zeros {
 public:
  explicit Zeros(const typename Reduce<T, Op>::Device& device) : device_(device) {}

  void operator()(Stream stream) {
    cudaMemsetAsync(device_.out, 0, sizeof(T), static_cast<cudaStream_t>(stream.handle));
  }

 private:
  typename Reduce<T, Op>::Device device_;
};

const Register<Reduce, Zeros, std::int32_t> rung{
    {.idea = "Answers 0, as memory that nobody wrote to often does."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
