#include "handwritten/sum_of_cubes/slots.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "One block; each of its 1,024 threads sums a chunk of its own, as threads of a CPU share "
        "out work, so the lanes of a warp read far apart.",
    .costs = "The 32 lanes of a warp read n / 1,024 elements apart: 32 sectors for 32 elements.",
    .limited_by = "Those scattered reads, and the one multiprocessor that has the block.",
    .repaired =
        "The note drops the last n mod 1,024 elements: here chunk t ends where chunk t + 1 begins, "
        "at (t + 1) n / 1,024, and the last one at n. The "
        "note read the clock of its first thread, which is not the block's: here all threads meet "
        "before the clock is read. The 32-bit total of the "
        "note overflows past 2,945,793 of its digits at worst: here i32 wraps by contract, and i64 "
        "holds more.",
    .notes = "N2",
    .max_elements = std::size_t{1} << 26,
    .max_reason = "one block works on one multiprocessor, and the others wait for it",
};

template <class T>
__global__ void chunked_kernel(const T* in, std::size_t n, T* slots, long long* cycles) {
  const long long start = clock_of_block();
  const std::size_t t = threadIdx.x;
  const std::size_t begin = t * n / blockDim.x;
  const std::size_t end = (t + 1) * n / blockDim.x;

  T total = 0;
  for (std::size_t i = begin; i < end; ++i) total = Sum()(total, cube(in[i]));
  slots[t] = total;

  const long long stop = clock_of_block();
  if (t == 0) *cycles = stop - start;
}

template <class T>
using Chunked = OneBlockOfSlots<T, chunked_kernel<T>>;

const Register<SumOfCubes, Chunked> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
