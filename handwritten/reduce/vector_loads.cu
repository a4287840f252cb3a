#include "compare/operations/reduce.hpp"
#include "handwritten/stream.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "grid_stride with loads of 16 bytes, four of them in flight in each thread.",
    .follows = "grid_stride",
    .step =
        "It has a quarter of the load instructions (half for 8-byte elements), and 16 times the "
        "bytes on their way.",
    .costs = "Elements before the first 16-byte boundary and after the last are loaded one by one.",
    .limited_by =
        "Reading the input. For small inputs, the second launch, and nine barriers in each.",
    .source = "Our own.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
// independent 16-byte loads in flight in each thread
constexpr unsigned unroll = 4;

template <class T, class Op>
__global__ void __launch_bounds__(threads)
    vector_loads_kernel(const T* in, std::size_t n, unsigned head, T* partials) {
  __shared__ T tile[threads];
  const Op op;
  const unsigned t = threadIdx.x;

  T value = Op::template identity<T>();
  stream_elements<unroll>(in, n, head, std::size_t{blockIdx.x} * threads + t,
                          std::size_t{gridDim.x} * threads, [&](T x) { value = op(value, x); });
  tile[t] = value;
  __syncthreads();

  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (t < half) tile[t] = op(tile[t], tile[t + half]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = tile[0];
}

template <class T, class Op>
class VectorLoads {
 public:
  explicit VectorLoads(const typename Reduce<T, Op>::Device& device)
      : device_(device), head_(elements_before_boundary(device.in, device.n)) {
    const unsigned enough = blocks_for(device.n, threads * elements_of_vector<T>);
    const unsigned resident = blocks_per_multiprocessor * backend::multiprocessors();
    blocks_ = enough < resident ? enough : resident;
    partials_ = DeviceArray<T>(blocks_);
  }

  void operator()(Stream stream) {
    launch(vector_loads_kernel<T, Op>, {blocks_, threads}, stream, device_.in, device_.n, head_,
           blocks_ == 1 ? device_.out : partials_.data());
    if (blocks_ > 1)
      launch(vector_loads_kernel<T, Op>, {1, threads}, stream, partials_.data(), blocks_, 0U,
             device_.out);
  }

 private:
  typename Reduce<T, Op>::Device device_;
  unsigned head_, blocks_;
  DeviceArray<T> partials_;
};

const Register<Reduce, VectorLoads, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
