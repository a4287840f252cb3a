#include "handwritten/dot/pairs.hpp"
#include "handwritten/fold.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "As many blocks as the GPU holds at once stride over a and b in 16-byte vectors; warps "
        "fold by shuffle, and a second launch adds the blocks.",
    .follows = "dot5_last_warp",
    .step =
        "Each thread adds many products up in a register, with four loads in flight. Then the "
        "block folds once, behind one barrier: the blocks, and with them the partials, are few.",
    .costs =
        "Single elements are loaded where a and b lie at different distances from a 16-byte "
        "boundary.",
    .limited_by = "Reading the input. For small inputs, the second launch.",
    .source = "Our own; reduce has these ideas one by one.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
// independent loads in flight in each thread, of a and of b
constexpr unsigned unroll = 2;

template <class T, unsigned width>
__global__ void __launch_bounds__(threads)
    vector_loads_kernel(const T* a, const T* b, std::size_t n, unsigned head,
                        Accumulator<T>* partials) {
  Accumulator<T> value = 0;
  stream_pairs<unroll, width>(a, b, n, head, [&](Accumulator<T> x, Accumulator<T> y) {
    value = Sum{}(value, Product{}(x, y));
  });
  value = fold_block<Sum, threads>(value);
  if (threadIdx.x == 0) partials[blockIdx.x] = value;
}

template <class T>
__global__ void __launch_bounds__(threads)
    vector_loads_partials_kernel(const T* partials, unsigned count, T* out) {
  T value = 0;
  for (unsigned k = threadIdx.x; k < count; k += threads) value = Sum{}(value, partials[k]);
  value = fold_block<Sum, threads>(value);
  if (threadIdx.x == 0) *out = value;
}

template <class T>
struct VectorLoads {
  typename Dot<T>::Device device;
  Pairs<T> pairs{device};
  unsigned blocks =
      blocks_for(device.n, std::size_t{threads} * pairs.width, blocks_per_multiprocessor);
  DeviceArray<Accumulator<T>> partials{blocks};

  void operator()(Stream stream) {
    launch(pairs.width == 1 ? vector_loads_kernel<T, 1>
                            : vector_loads_kernel<T, elements_of_vector<T>>,
           {blocks, threads}, stream, device.a, device.b, device.n, pairs.head, partials.data());
    launch(vector_loads_partials_kernel<Accumulator<T>>, {1, threads}, stream, partials.data(),
           blocks, device.out);
  }
};

const Register<Dot, VectorLoads, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
