#include "handwritten/dot/pairs_in_one_launch.hpp"
#include "handwritten/gather.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "single_pass with another finish: each block leaves its value in a tagged word of its own, "
        "and one block gathers the words.",
    .follows = "single_pass",
    .step =
        "No ticket and no fence: a value and the news that it is there are one word. One warp "
        "folds a block, with one row of shuffles. "
        "Threads, loads in flight, blocks and what the cache keeps go by the size.",
    .costs =
        "One block polls the words of the others, a thread each, and clears them for the next run. "
        "Single elements are loaded where a and b lie at "
        "different distances from a 16-byte boundary.",
    .limited_by =
        "Reading the input. For small inputs, the launch, one way to memory and two through the "
        "cache.",
    .source = "Our own.",
};

template <class T, class Shape, unsigned width>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    gather_kernel(const T* a, const T* b, std::size_t n, unsigned head, Word* slots,
                  Accumulator<T>* out) {
  begin_in_turn();
  Accumulator<T> value = 0;
  stream_pairs<(Shape::vectors + 1) / 2, width, Shape::once>(
      a, b, n, head,
      [&](Accumulator<T> x, Accumulator<T> y) { value = Sum{}(value, Product{}(x, y)); });
  if (finish_by_gathering<Sum, Shape::threads>(value, slots)) *out = value;
}

template <class T>
class Gather : public PairsInOneLaunch<T> {
 public:
  explicit Gather(const typename Dot<T>::Device& device)
      : PairsInOneLaunch<T>(
            device,
            []<class Shape, unsigned width>(Shape, Width<width>) {
              return gather_kernel<T, Shape, width>;
            },
            words<Accumulator<T>>) {}
};

const Register<Dot, Gather, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
