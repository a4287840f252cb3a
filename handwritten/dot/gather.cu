#include "handwritten/dot/pairs.hpp"
#include "handwritten/gather.hpp"
#include "handwritten/shapes.hpp"

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
    gather_kernel(const T* a, const T* b, std::size_t n, unsigned head, Word* slots, T* out) {
  begin_in_turn();
  T value = 0;
  stream_pairs<(Shape::vectors + 1) / 2, width, Shape::once>(
      a, b, n, head, [&](T x, T y) { value = Sum{}(value, Product{}(x, y)); });
  if (finish_by_gathering<Sum, Shape::threads>(value, slots)) *out = value;
}

template <class T>
class Gather {
 public:
  explicit Gather(const typename Dot<T>::Device& device)
      : device_(device),
        pairs_(device),
        shape_(shape_for_stream(
            device.n * sizeof(T), 2,
            [&](auto shape) {
              return pairs_.width == 1 ? gather_kernel<T, decltype(shape), 1>
                                       : gather_kernel<T, decltype(shape), elements_of_vector<T>>;
            })),
        slots_(shape_.blocks * words<T>) {
    backend::fill(slots_.data(), 0, shape_.blocks * words<T> * sizeof(Word));
  }

  void operator()(Stream stream, T* out) {
    launch(shape_.kernel, shape_.launch(), stream, device_.a, device_.b, device_.n, pairs_.head,
           slots_.data(), out);
  }

 private:
  using Kernel = void (*)(const T* a, const T* b, std::size_t n, unsigned head, Word* slots,
                          T* out);

  typename Dot<T>::Device device_;
  Pairs<T> pairs_;
  Shaped<Kernel> shape_;
  DeviceArray<Word> slots_;
};

const Register<Dot, Gather, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
