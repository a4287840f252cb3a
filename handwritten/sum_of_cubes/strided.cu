// strided: one block; thread t takes elements t, t + 1,024, t + 2,048, .., so that a warp reads 32 adjacent ones.
//
// Improves on  chunked: the same threads, and each request of a warp is 4 adjacent sectors (of 4-byte elements) instead of 32 scattered ones.
// Costs        nothing: only the order of the elements is another.
// Limited by   the loads that one multiprocessor can keep in flight.
// Source       N2
// Repaired     timed itself by the clock of its first thread, which is not that of the block: now all threads meet before it is read.
#include "handwritten/sum_of_cubes/slots.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T>
__global__ void strided_kernel(const T* in, std::size_t n, T* slots, long long* cycles) {
  const long long start = clock_of_block();
  T total = 0;
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) total = Sum()(total, cube(in[i]));
  slots[threadIdx.x] = total;

  const long long stop = clock_of_block();
  if (threadIdx.x == 0) *cycles = stop - start;
}

template <class T>
class Strided : public OneBlockOfSlots<T> {
 public:
  explicit Strided(const typename SumOfCubes<T>::Device& device) : OneBlockOfSlots<T>(device, strided_kernel<T>) {}
};

const Register<SumOfCubes, Strided, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "One block; the threads take turns, so that the lanes of a warp read side by side.",
    .follows = "chunked",
    .notes = "N2",
    .max_elements = std::size_t{1} << 26,
    .max_reason = "one block works on one multiprocessor, and the others wait for it",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
