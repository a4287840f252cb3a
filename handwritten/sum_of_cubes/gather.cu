#include <cstdint>
#include <type_traits>

#include "compare/operations/sum_of_cubes.hpp"
#include "handwritten/gather.hpp"
#include "handwritten/shapes.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "single_pass with another finish: each block leaves its subtotal in a tagged word of its "
        "own, and one block gathers the words.",
    .follows = "single_pass",
    .step =
        "No ticket and no fence: a value and the news that it is there are one word. One warp "
        "folds a block, with one row of shuffles. "
        "Threads, loads in flight, blocks and what the cache keeps go by the size.",
    .costs =
        "One block polls the words of the others, a thread each, and clears them for the next run.",
    .limited_by =
        "Reading the input. For small inputs, the launch, one way to memory and two through the "
        "cache.",
    .source = "Our own.",
};

template <class T, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    gather_kernel(const T* in, std::size_t n, unsigned head, Word* slots, Accumulator<T>* out) {
  begin_in_turn();
  Accumulator<T> total = 0;
  stream_in_grid<Shape::threads, Shape::vectors, Shape::once>(
      in, n, head, [&](Accumulator<T> x) { total = Sum{}(total, cube(x)); });
  if (finish_by_gathering<Sum, Shape::threads>(total, slots)) *out = total;
}

// The cubes of 8-byte integers take registers. On an H200 those of 2^26 then take 132 us, with four
// vectors 137 us.
template <class T>
using Largest = Shape<1024, std::is_same_v<T, std::int64_t> ? 2 : 4>;

template <class T>
class Gather : public ArrayInOneLaunch<T, Shape<1024, 4, true>, Largest<T>> {
 public:
  explicit Gather(const typename SumOfCubes<T>::Device& device)
      : ArrayInOneLaunch<T, Shape<1024, 4, true>, Largest<T>>(
            device, [](auto shape) { return gather_kernel<T, decltype(shape)>; },
            words<Accumulator<T>>) {}
};

const Register<SumOfCubes, Gather, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
