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
    gather_kernel(const T* in, std::size_t n, unsigned head, Word* slots, T* out) {
  begin_in_turn();
  constexpr unsigned threads = Shape::threads;
  T value = Op::template identity<T>();
  stream_elements<Shape::vectors, Shape::once>(
      in, n, head, std::size_t{blockIdx.x} * threads + threadIdx.x,
      std::size_t{gridDim.x} * threads, [&](T x) { value = Op{}(value, x); });
  if (finish_by_gathering<Op, threads>(value, slots)) *out = value;
}

template <class T, class Op>
class Gather {
 public:
  explicit Gather(const typename Reduce<T, Op>::Device& device)
      : device_(device),
        head_(elements_before_boundary(device.in, device.n)),
        shape_(shape_for_stream(device.n * sizeof(T), 1,
                                [](auto shape) { return gather_kernel<T, Op, decltype(shape)>; })),
        slots_(shape_.blocks * words<T>) {
    backend::fill(slots_.data(), 0, shape_.blocks * words<T> * sizeof(Word));
  }

  void operator()(Stream stream, T* out) {
    launch(shape_.kernel, shape_.launch(), stream, device_.in, device_.n, head_, slots_.data(),
           out);
  }

 private:
  using Kernel = void (*)(const T* in, std::size_t n, unsigned head, Word* slots, T* out);

  typename Reduce<T, Op>::Device device_;
  unsigned head_;
  Shaped<Kernel> shape_;
  DeviceArray<Word> slots_;
};

const Register<Reduce, Gather, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
