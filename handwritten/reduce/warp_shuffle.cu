#include "compare/operations/reduce.hpp"
#include "handwritten/fold.hpp"
#include "handwritten/stream.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "vector_loads with blocks folded by shuffle: each warp folds its lanes in registers, and "
        "the first warp folds the warps.",
    .follows = "vector_loads",
    .step =
        "A block passes one barrier in place of ten, and its shared memory holds a value for each "
        "warp in place of one for each thread.",
    .costs =
        "Every lane of a warp takes part in each step of the fold, although one needs the result.",
    .limited_by = "Reading the input. For small inputs, the second launch.",
    .source =
        "Our own; the fold is that of J. Luitjens, Faster Parallel Reductions on Kepler, NVIDIA "
        "(2014).",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
// independent 16-byte loads in flight in each thread
constexpr unsigned unroll = 4;

template <class T, class Op>
__global__ void __launch_bounds__(threads)
    warp_shuffle_kernel(const T* in, std::size_t n, unsigned head, T* partials) {
  T value = Op::template identity<T>();
  stream_elements<unroll>(in, n, head, std::size_t{blockIdx.x} * threads + threadIdx.x,
                          std::size_t{gridDim.x} * threads, [&](T x) { value = Op{}(value, x); });
  value = fold_block<Op, threads>(value);
  if (threadIdx.x == 0) partials[blockIdx.x] = value;
}

template <class T, class Op>
class WarpShuffle {
 public:
  explicit WarpShuffle(const typename Reduce<T, Op>::Device& device)
      : device_(device), head_(elements_before_boundary(device.in, device.n)) {
    const unsigned enough = blocks_for(device.n, threads * elements_of_vector<T>);
    const unsigned resident = blocks_per_multiprocessor * backend::multiprocessors();
    blocks_ = enough < resident ? enough : resident;
    partials_ = DeviceArray<T>(blocks_);
  }

  void operator()(Stream stream) {
    launch(warp_shuffle_kernel<T, Op>, {blocks_, threads}, stream, device_.in, device_.n, head_,
           blocks_ == 1 ? device_.out : partials_.data());
    if (blocks_ > 1)
      launch(warp_shuffle_kernel<T, Op>, {1, threads}, stream, partials_.data(), blocks_, 0U,
             device_.out);
  }

 private:
  typename Reduce<T, Op>::Device device_;
  unsigned head_, blocks_;
  DeviceArray<T> partials_;
};

const Register<Reduce, WarpShuffle, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
