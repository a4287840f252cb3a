#include "handwritten/fold.hpp"
#include "handwritten/stream.hpp"
#include "handwritten/sum_of_cubes/slots.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "many_blocks with loads of 16 bytes, four of them in flight in each thread, and blocks "
        "folded by shuffle.",
    .follows = "many_blocks",
    .step =
        "It has a quarter of the load instructions (half for 8-byte elements, an eighth for 2-byte "
        "ones), and 16 times the "
        "bytes on their way. A fold takes one barrier.",
    .costs = "Elements before the first 16-byte boundary and after the last are loaded one by one.",
    .limited_by = "Reading the input. For small inputs, the second launch.",
    .source = "Our own; reduce has these two ideas one by one.",
};

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;  // 2,048 resident threads, all that an SM takes
// independent 16-byte loads in flight in each thread
constexpr unsigned unroll = 4;

template <class T>
__global__ void __launch_bounds__(threads)
    vector_loads_kernel(const T* in, std::size_t n, unsigned head, Accumulator<T>* slots) {
  Accumulator<T> total = 0;
  stream_in_grid<threads, unroll>(in, n, head,
                                  [&](Accumulator<T> x) { total = Sum{}(total, cube(x)); });
  total = fold_block<Sum, threads>(total);
  if (threadIdx.x == 0) slots[blockIdx.x] = total;
}

template <class T>
struct VectorLoads {
  typename SumOfCubes<T>::Device device;
  unsigned head = elements_before_boundary(device.in, device.n);
  unsigned blocks =
      blocks_for(device.n, std::size_t{threads} * elements_of_vector<T>, blocks_per_multiprocessor);
  DeviceArray<Accumulator<T>> slots{blocks};

  void operator()(Stream stream) {
    launch(vector_loads_kernel<T>, {blocks, threads}, stream, device.in, device.n, head,
           slots.data());
    launch(add_slots_kernel<Accumulator<T>>, {1, 1024}, stream, slots.data(), blocks, device.out);
  }
};

const Register<SumOfCubes, VectorLoads, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
