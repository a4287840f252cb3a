#include "handwritten/fold.hpp"
#include "handwritten/reduce/two_launches.hpp"

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
    warp_shuffle_kernel(const T* in, std::size_t n, unsigned head, Accumulator<T>* partials) {
  auto value = Op::template identity<Accumulator<T>>();
  stream_in_grid<threads, unroll>(in, n, head, [&](Accumulator<T> x) { value = Op{}(value, x); });
  value = fold_block<Op, threads>(value);
  if (threadIdx.x == 0) partials[blockIdx.x] = value;
}

template <class T, class Op>
using WarpShuffle =
    InTwoLaunches<T, warp_shuffle_kernel<T, Op>, warp_shuffle_kernel<Accumulator<T>, Op>, threads,
                  blocks_per_multiprocessor>;

const Register<Reduce, WarpShuffle, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
