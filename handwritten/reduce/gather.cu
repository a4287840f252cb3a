#include "compare/operations/reduce.hpp"
#include "handwritten/gather.hpp"
#include "handwritten/shapes.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "tagged_words in a shape that goes by the size: threads, loads in flight, blocks, and what "
        "the cache keeps.",
    .follows = "tagged_words",
    .step =
        "Small inputs have small blocks; large ones have several blocks in turns. Loads of inputs "
        "that push others out of the cache are marked as "
        "needed once. A launch is set up while the one before it runs.",
    .costs = "It is compiled for four shapes.",
    .limited_by =
        "Reading the input. For small inputs, the launch, one way to memory and two through the "
        "cache.",
    .source = "Our own.",
};

template <class T, class Op, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    gather_kernel(const T* in, std::size_t n, unsigned head, Word* slots, Accumulator<T>* out) {
  begin_in_turn();
  auto value = Op::template identity<Accumulator<T>>();
  stream_in_grid<Shape::threads, Shape::vectors, Shape::once>(
      in, n, head, [&](Accumulator<T> x) { value = Op{}(value, x); });
  if (finish_by_gathering<Op, Shape::threads>(value, slots)) *out = value;
}

template <class T, class Op>
class Gather : public ArrayInOneLaunch<T> {
 public:
  explicit Gather(const ReduceArguments<T>& device)
      : ArrayInOneLaunch<T>(
            device, [](auto shape) { return gather_kernel<T, Op, decltype(shape)>; },
            words<Accumulator<T>>) {}
};

const Register<Reduce, Gather, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
