#include <memory>

#include "compare/operations/sum_of_cubes.hpp"
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

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    packed_kernel(const std::int32_t* in, std::size_t n, unsigned head, Word* word,
                  std::int32_t* out) {
  begin_in_turn();
  constexpr unsigned threads = Shape::threads;
  std::int32_t total = 0;
  stream_elements<Shape::vectors, Shape::once>(
      in, n, head, std::size_t{blockIdx.x} * threads + threadIdx.x,
      std::size_t{gridDim.x} * threads, [&](std::int32_t x) { total = Sum{}(total, cube(x)); });
  if (finish_by_adding<threads>(total, word)) *out = total;
}

template <class T>
class Packed {
 public:
  explicit Packed(const typename SumOfCubes<T>::Device& device)
      : gather_(prepare_rung<SumOfCubes, T>("handwritten/sum_of_cubes/gather", device)) {}

  void operator()(Stream stream) { gather_->run(stream); }
  void to_host(Stream stream, T* out) { gather_->run_to_host(stream, out); }

 private:
  std::unique_ptr<Prepared> gather_;
};

template <>
class Packed<std::int32_t> {
 public:
  explicit Packed(const SumOfCubes<std::int32_t>::Device& device)
      : device_(device),
        head_(elements_before_boundary(device.in, device.n)),
        shape_(shape_for_stream(device.n * sizeof(std::int32_t), 1,
                                [](auto shape) { return packed_kernel<decltype(shape)>; })),
        word_(1) {
    backend::fill(word_.data(), 0, sizeof(Word));
  }

  void operator()(Stream stream, std::int32_t* out) {
    launch(shape_.kernel, shape_.launch(), stream, device_.in, device_.n, head_, word_.data(), out);
  }

 private:
  using Kernel = void (*)(const std::int32_t* in, std::size_t n, unsigned head, Word* word,
                          std::int32_t* out);

  SumOfCubes<std::int32_t>::Device device_;
  unsigned head_;
  Shaped<Kernel> shape_;
  DeviceArray<Word> word_;
};

const Register<SumOfCubes, Packed, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
