#include <cuda_runtime.h>

#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void other_stream_kernel(const T* in, std::size_t n, T* out) {
  *out = serial_fold<T, Op>(in, n);
}

template <class T, class Op>
class OtherStream {
 public:
  explicit OtherStream(const typename Reduce<T, Op>::Device& device) : device_(device) {
    cudaStreamCreateWithFlags(&mine_, cudaStreamNonBlocking);
  }
  ~OtherStream() { cudaStreamDestroy(mine_); }

  void operator()(Stream) {
    launch(other_stream_kernel<T, Op>, {1, 1}, Stream{mine_}, device_.in, device_.n, device_.out);
    cudaStreamSynchronize(mine_);  // so that the answer is there in time
  }

 private:
  typename Reduce<T, Op>::Device device_;
  cudaStream_t mine_{};
};

const Register<Reduce, OtherStream, std::int32_t> rung{
    {.idea = "Works on a stream of its own, which no event is recorded in."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
