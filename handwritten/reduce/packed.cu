#include "compare/operations/reduce.hpp"
#include "handwritten/packed.hpp"
#include "handwritten/shapes.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "gather with another finish for sums of 32-bit integers: each block adds its sum and a "
        "count of 1 to one word, in one atomic operation.",
    .follows = "gather",
    .step =
        "No block waits for another: the one whose addition completes the count has the sum in a "
        "register. A sum of integers is the same in any "
        "order.",
    .costs =
        "All blocks add to the same word. Other types and operators do not fit into it, and are "
        "left to gather.",
    .limited_by =
        "Reading the input. For small inputs, the launch, one way to memory and one to the cache "
        "and back.",
    .source = "Our own.",
};

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    packed_kernel(const std::int32_t* in, std::size_t n, unsigned head, Word* word,
                  std::int32_t* out) {
  begin_in_turn();
  std::int32_t value = 0;
  stream_in_grid<Shape::threads, Shape::vectors, Shape::once>(
      in, n, head, [&](std::int32_t x) { value = Sum{}(value, x); });
  if (finish_by_adding<Shape::threads>(value, word)) *out = value;
}

template <class T, class Op>
class Packed : public LeftTo<Reduce<T, Op>> {
 public:
  explicit Packed(const ReduceArguments<T>& device)
      : LeftTo<Reduce<T, Op>>("handwritten/reduce/gather", device) {}
};

// Of its words the first is enough.
template <>
class Packed<std::int32_t, Sum> : public ArrayInOneLaunch<std::int32_t> {
 public:
  explicit Packed(const ReduceArguments<std::int32_t>& device)
      : ArrayInOneLaunch<std::int32_t>(
            device, [](auto shape) { return packed_kernel<decltype(shape)>; }, 1) {}
};

const Register<Reduce, Packed, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
