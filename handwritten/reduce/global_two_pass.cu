// global_two_pass: blocks of 1,024 fold their slices in place in global memory, then one block folds the partials.
//
// Improves on  serial: by Brent's theorem the tree's work is cut to fit the processors, 1,024 blocks of 1,024 threads for 2^20 elements.
// Costs        1,024 reads and 512 writes of global memory in the first step, half of that in the next, ..: 2,047 words read and 1,024 written
//              for 1,024 elements.
// Limited by   that traffic.
// Source       N3
// Repaired     did not compile as printed; destroyed its input; held 2^20 elements only: more levels follow for larger n.
#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr unsigned threads = 1024;

template <class T, class Op>
__global__ void global_two_pass_kernel(T* data, std::size_t n, T* partials) {
  const Op op;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  const unsigned length = slice_length(n, first, blockDim.x);
  const unsigned t = threadIdx.x;
  T* slice = data + first;

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride && t + stride < length) slice[t] = op(slice[t], slice[t + stride]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = folded<T, Op>(slice, length);
}

template <class T, class Op>
class GlobalTwoPass : public InPlaceReduce<T, Op> {
 public:
  explicit GlobalTwoPass(const typename Reduce<T, Op>::Device& device)
      : InPlaceReduce<T, Op>(device, global_two_pass_kernel<T, Op>, threads, threads) {}
};

const Register<Reduce, GlobalTwoPass, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "Blocks of 1,024 fold their slices in global memory, then one block folds the partials.",
    .follows = "serial",
    .notes = "N3",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
