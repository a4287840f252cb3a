#include "handwritten/sum_of_cubes/slots.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "The strides of strided over as many blocks as the GPU holds at once; each block folds its "
        "threads in shared memory, and one more block adds "
        "the blocks up.",
    .follows = "strided",
    .step =
        "Every multiprocessor works, and each block leaves one subtotal in place of one a thread.",
    .costs = "A block passes nine barriers, and a second launch adds the blocks up.",
    .limited_by = "Reading the input, one element at a time. For small inputs, the second launch.",
    .source = "Our own; N2 names more blocks as the other way to go on.",
};

constexpr unsigned threads = 256;
// 2,048 resident threads, the most that a multiprocessor takes
constexpr unsigned blocks_per_multiprocessor = 8;

template <class T>
__global__ void many_blocks_kernel(const T* in, std::size_t n, T* slots) {
  __shared__ T tile[threads];
  const Sum plus;
  const unsigned t = threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * threads;

  T total = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * threads + t; i < n; i += stride)
    total = plus(total, cube(in[i]));
  tile[t] = total;
  __syncthreads();

  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (t < half) tile[t] = plus(tile[t], tile[t + half]);
    __syncthreads();
  }
  if (t == 0) slots[blockIdx.x] = tile[0];
}

template <class T>
struct ManyBlocks {
  typename SumOfCubes<T>::Device device;
  unsigned blocks = blocks_for(device.n, threads, blocks_per_multiprocessor);
  DeviceArray<T> slots{blocks};

  void operator()(Stream stream) {
    launch(many_blocks_kernel<T>, {blocks, threads}, stream, device.in, device.n, slots.data());
    launch(add_slots_kernel<T>, {1, 1024}, stream, slots.data(), blocks, device.out);
  }
};

const Register<SumOfCubes, ManyBlocks> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
