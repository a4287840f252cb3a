#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each thread streams 16-byte vectors of a and b in a grid-stride loop, warps fold by shuffle, and the last block to finish folds the "
        "partials.",
    .follows = "dot5_last_warp",
    .step =
        "It has as many threads as the GPU holds, each with many elements and four loads in flight. There is no second launch, and a fold takes one "
        "barrier.",
    .costs =
        "Each block draws a ticket and passes a fence. Single elements are loaded where a and b lie at different distances from a 16-byte boundary.",
    .limited_by = "Reading the input.",
    .source = "Our own; the ticket of the last block is that of the threadFenceReduction sample of the CUDA toolkit.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
constexpr unsigned unroll = 2;                     // independent loads in flight in each thread, of a and of b
constexpr unsigned whole_warp = 0xffffffff;

template <class T, unsigned width>
struct alignas(width * sizeof(T)) Vector {
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
__device__ T add_product(T value, T a, T b) {
  return Sum{}(value, Product{}(a, b));
}

template <class T, unsigned width>
__device__ T add_products(T value, const Vector<T, width>& a, const Vector<T, width>& b) {
#pragma unroll
  for (unsigned k = 0; k < width; ++k) value = add_product(value, a.element[k], b.element[k]);
  return value;
}

// `head` elements lie before the first boundary of `a` and of `b`. `tickets` is 0 before and after every launch.
template <class T, unsigned width>
__global__ void __launch_bounds__(threads)
    single_pass_kernel(const T* a, const T* b, std::size_t n, unsigned head, T* partials, unsigned* tickets, T* out) {
  const auto* as = reinterpret_cast<const Vector<T, width>*>(a + head);
  const auto* bs = reinterpret_cast<const Vector<T, width>*>(b + head);
  const std::size_t count = (n - head) / width;
  const std::size_t stride = std::size_t{gridDim.x} * threads;
  const std::size_t thread = std::size_t{blockIdx.x} * threads + threadIdx.x;

  T value = 0;
  std::size_t i = thread;
  for (; i + (unroll - 1) * stride < count; i += unroll * stride) {
    Vector<T, width> of_a[unroll], of_b[unroll];
#pragma unroll
    for (unsigned k = 0; k < unroll; ++k) {
      of_a[k] = as[i + k * stride];
      of_b[k] = bs[i + k * stride];
    }
#pragma unroll
    for (unsigned k = 0; k < unroll; ++k) value = add_products(value, of_a[k], of_b[k]);
  }
  for (; i < count; i += stride) {
    const Vector<T, width> of_a = as[i], of_b = bs[i];
    value = add_products(value, of_a, of_b);
  }

  const std::size_t tail = head + count * width;  // head and tail are shorter than a vector
  if (thread < head) value = add_product(value, a[thread], b[thread]);
  if (tail + thread < n) value = add_product(value, a[tail + thread], b[tail + thread]);

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
  for (unsigned k = threadIdx.x; k < gridDim.x; k += threads) value = Sum{}(value, partials[k]);
  value = fold_block(value);
  if (threadIdx.x == 0) *out = value;
}

template <class T>
class SinglePass {
 public:
  explicit SinglePass(const typename Dot<T>::Device& device) : device_(device), tickets_(1) {
    const std::size_t past_boundary = reinterpret_cast<std::uintptr_t>(device.a) % 16;
    const bool together = past_boundary == reinterpret_cast<std::uintptr_t>(device.b) % 16;
    const std::size_t width = together ? 16 / sizeof(T) : 1;
    kernel_ = together ? single_pass_kernel<T, 16 / sizeof(T)> : single_pass_kernel<T, 1>;

    const std::size_t head = together && past_boundary != 0 ? (16 - past_boundary) / sizeof(T) : 0;
    head_ = static_cast<unsigned>(head < device.n ? head : device.n);
    const std::size_t tile = threads * width;
    const unsigned enough = device.n <= tile * unroll ? 1 : blocks_for(device.n, tile);  // one block has no one to wait for
    const unsigned resident = blocks_per_multiprocessor * backend::multiprocessors();
    blocks_ = enough < resident ? enough : resident;
    partials_ = DeviceArray<T>(blocks_);
    backend::fill(tickets_.data(), 0, sizeof(unsigned));
  }

  void operator()(Stream stream) {
    launch(kernel_, {blocks_, threads}, stream, device_.a, device_.b, device_.n, head_, partials_.data(), tickets_.data(), device_.out);
  }

 private:
  typename Dot<T>::Device device_;
  void (*kernel_)(const T* a, const T* b, std::size_t n, unsigned head, T* partials, unsigned* tickets, T* out);
  unsigned head_, blocks_;
  DeviceArray<T> partials_;
  DeviceArray<unsigned> tickets_;
};

const Register<Dot, SinglePass, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
