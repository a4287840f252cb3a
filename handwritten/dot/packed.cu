#include "handwritten/dot/pairs_in_one_launch.hpp"
#include "handwritten/packed.hpp"

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
        "All blocks add to the same word. Other types do not fit into it, and are left to gather.",
    .limited_by =
        "Reading the input. For small inputs, the launch, one way to memory and one to the cache "
        "and back.",
    .source = "Our own.",
};

template <class Shape, unsigned width>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    packed_kernel(const std::int32_t* a, const std::int32_t* b, std::size_t n, unsigned head,
                  Word* word, std::int32_t* out) {
  begin_in_turn();
  std::int32_t value = 0;
  stream_pairs<(Shape::vectors + 1) / 2, width, Shape::once>(
      a, b, n, head,
      [&](std::int32_t x, std::int32_t y) { value = Sum{}(value, Product{}(x, y)); });
  if (finish_by_adding<Shape::threads>(value, word)) *out = value;
}

template <class T>
class Packed : public LeftTo<Dot<T>> {
 public:
  explicit Packed(const typename Dot<T>::Device& device)
      : LeftTo<Dot<T>>("handwritten/dot/gather", device) {}
};

// Of its words the first is enough.
template <>
class Packed<std::int32_t> : public PairsInOneLaunch<std::int32_t> {
 public:
  explicit Packed(const Dot<std::int32_t>::Device& device)
      : PairsInOneLaunch<std::int32_t>(
            device,
            []<class Shape, unsigned width>(Shape, Width<width>) {
              return packed_kernel<Shape, width>;
            },
            1) {}
};

const Register<Dot, Packed, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
