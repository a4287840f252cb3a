#include "compare/launch.hpp"
#include "compare/operations/sum_of_cubes.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "Each thread streams 16-byte vectors in a grid-stride loop, warps fold by shuffle, and the last block to finish folds the partials.",
    .follows = "many_blocks",
    .step =
        "It has a quarter of the load instructions (half for 8-byte elements), and four of them in flight. There is no second launch, and a fold "
        "takes one barrier.",
    .costs = "Each block draws a ticket and passes a fence.",
    .limited_by = "Reading the input.",
    .source = "Our own; the ticket of the last block is that of the threadFenceReduction sample of the CUDA toolkit.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
constexpr unsigned unroll = 4;                     // independent 16-byte loads in flight in each thread
constexpr unsigned whole_warp = 0xffffffff;

template <class T>
struct alignas(16) Vector {
  static constexpr unsigned width = 16 / sizeof(T);
  T element[width];
};

// What a thread or a block has folded so far, in its first lane.
template <class T>
__device__ T fold_warp(T value) {
  for (unsigned offset = 16; offset > 0; offset /= 2) value = Sum{}(value, __shfl_down_sync(whole_warp, value, offset));
  return value;
}

template <class T>
__device__ T fold_block(T value) {
  __shared__ T of_warp[threads / 32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;

  value = fold_warp(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) value = fold_warp(lane < threads / 32 ? of_warp[lane] : T(0));
  return value;
}

template <class T>
__device__ T add_cubes(T value, const Vector<T>& vector) {
#pragma unroll
  for (unsigned k = 0; k < Vector<T>::width; ++k) value = Sum{}(value, cube(vector.element[k]));
  return value;
}

// `head` elements lie before the first 16-byte boundary of `in`. `tickets` is 0 before and after every launch.
template <class T>
__global__ void __launch_bounds__(threads) single_pass_kernel(const T* in, std::size_t n, unsigned head, T* partials, unsigned* tickets, T* out) {
  const Sum plus;
  const auto* vectors = reinterpret_cast<const Vector<T>*>(in + head);
  const std::size_t count = (n - head) / Vector<T>::width;
  const std::size_t stride = std::size_t{gridDim.x} * threads;
  const std::size_t thread = std::size_t{blockIdx.x} * threads + threadIdx.x;

  T value = 0;
  std::size_t i = thread;
  for (; i + (unroll - 1) * stride < count; i += unroll * stride) {
    Vector<T> loaded[unroll];
#pragma unroll
    for (unsigned k = 0; k < unroll; ++k) loaded[k] = vectors[i + k * stride];
#pragma unroll
    for (unsigned k = 0; k < unroll; ++k) value = add_cubes(value, loaded[k]);
  }
  for (; i < count; i += stride) {
    const Vector<T> loaded = vectors[i];
    value = add_cubes(value, loaded);
  }

  const std::size_t tail = head + count * Vector<T>::width;  // head and tail are shorter than a vector
  if (thread < head) value = plus(value, cube(in[thread]));
  if (tail + thread < n) value = plus(value, cube(in[tail + thread]));

  value = fold_block(value);
  if (gridDim.x == 1) {
    if (threadIdx.x == 0) *out = value;
    return;
  }

  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = value;
    __threadfence();                                               // the partial is visible before the ticket ..
    is_last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;  // .. which wraps to 0 for the next launch
    __threadfence();                                               // and the others' partials are read after it
  }
  __syncthreads();
  if (!is_last) return;

  value = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += threads) value = plus(value, partials[k]);
  value = fold_block(value);
  if (threadIdx.x == 0) *out = value;
}

template <class T>
class SinglePass {
 public:
  explicit SinglePass(const typename SumOfCubes<T>::Device& device) : device_(device), tickets_(1) {
    const std::size_t past_boundary = reinterpret_cast<std::uintptr_t>(device.in) % 16;
    const std::size_t head = past_boundary == 0 ? 0 : (16 - past_boundary) / sizeof(T);
    head_ = static_cast<unsigned>(head < device.n ? head : device.n);
    constexpr std::size_t tile = std::size_t{threads} * Vector<T>::width;
    const unsigned enough = device.n <= tile * unroll ? 1 : blocks_for(device.n, tile);  // one block has no one to wait for
    const unsigned resident = blocks_per_multiprocessor * backend::multiprocessors();
    blocks_ = enough < resident ? enough : resident;
    partials_ = DeviceArray<T>(blocks_);
    backend::fill(tickets_.data(), 0, sizeof(unsigned));
  }

  void operator()(Stream stream) {
    launch(single_pass_kernel<T>, {blocks_, threads}, stream, device_.in, device_.n, head_, partials_.data(), tickets_.data(), device_.out);
  }

 private:
  typename SumOfCubes<T>::Device device_;
  unsigned head_, blocks_;
  DeviceArray<T> partials_;
  DeviceArray<unsigned> tickets_;
};

const Register<SumOfCubes, SinglePass, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
