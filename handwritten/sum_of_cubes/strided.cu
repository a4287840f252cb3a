#include "handwritten/sum_of_cubes/slots.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "One block; thread t takes elements t, t + 1,024, t + 2,048, .., so the lanes of a warp "
        "read side by side.",
    .follows = "chunked",
    .step =
        "The threads are the same, but a request of a warp is 4 adjacent sectors (of 4-byte "
        "elements) in place of 32 scattered ones.",
    .costs = "Nothing: only the order of the elements differs.",
    .limited_by = "The loads that one multiprocessor can keep in flight.",
    .repaired =
        "The note read the clock of its first thread, which is not the block's: here all threads "
        "meet before the clock is read.",
    .notes = "N2",
    .max_elements = std::size_t{1} << 26,
    .max_reason = "one block works on one multiprocessor, and the others wait for it",
};

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
using Strided = OneBlockOfSlots<T, strided_kernel<T>>;

const Register<SumOfCubes, Strided> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
