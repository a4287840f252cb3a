#include <memory>

#include "handwritten/dot/pairs.hpp"
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
class Packed {
 public:
  explicit Packed(const typename Dot<T>::Device& device)
      : gather_(prepare_rung<Dot, T>("handwritten/dot/gather", device)) {}

  void operator()(Stream stream) { gather_->run(stream); }
  void to_host(Stream stream, T* out) { gather_->run_to_host(stream, out); }

 private:
  std::unique_ptr<Prepared> gather_;
};

template <>
class Packed<std::int32_t> {
 public:
  explicit Packed(const Dot<std::int32_t>::Device& device)
      : device_(device),
        pairs_(device),
        shape_(shape_for_stream(
            device.n * sizeof(std::int32_t), 2,
            [&](auto shape) {
              return pairs_.width == 1
                         ? packed_kernel<decltype(shape), 1>
                         : packed_kernel<decltype(shape), elements_of_vector<std::int32_t>>;
            })),
        word_(1) {
    backend::fill(word_.data(), 0, sizeof(Word));
  }

  void operator()(Stream stream, std::int32_t* out) {
    launch(shape_.kernel, shape_.launch(), stream, device_.a, device_.b, device_.n, pairs_.head,
           word_.data(), out);
  }

 private:
  using Kernel = void (*)(const std::int32_t* a, const std::int32_t* b, std::size_t n,
                          unsigned head, Word* word, std::int32_t* out);

  Dot<std::int32_t>::Device device_;
  Pairs<std::int32_t> pairs_;
  Shaped<Kernel> shape_;
  DeviceArray<Word> word_;
};

const Register<Dot, Packed, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
