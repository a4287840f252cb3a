#include "compare/operations/dot.hpp"
#include "compare/operations/reduce.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "handwritten/dot/pairs.hpp"
#include "handwritten/gather.hpp"
#include "handwritten/shapes.hpp"
#include "handwritten/team/exchange.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "gather on each device, whose last thread stores the device's value into a tagged word of "
        "every other device and waits for theirs.",
    .follows = "one_shot",
    .step =
        "One launch on each device, and no event: a value and the news that it is there are one "
        "store to the other device.",
    .costs = "One thread of each device polls as many words as there are devices.",
    .limited_by = "Reading the input. For small inputs, gather, and one way from device to device.",
    .source = "Our own. Words that carry their flag are also how NCCL's LL protocol sends.",
};

// How the threads of a grid fold the elements of one device.
template <class Operation>  // on one array
struct Elements {
  using Value = typename PartsOf<Operation>::Element;
  using Combine = typename PartsOf<Operation>::Combine;
  static constexpr unsigned arrays = 1;

  explicit Elements(const typename Operation::Device& device)
      : part(device), head(elements_before_boundary(device.in, device.n)) {}

  template <class Shape>
  __device__ Value fold() const {
    Value value = Combine::template identity<Value>();
    stream_in_grid<Shape::threads, Shape::vectors, Shape::once>(
        part.in, part.n, head, [&](Value x) {
          if constexpr (std::is_same_v<Operation, SumOfCubes<Value>>) x = cube(x);
          value = Combine{}(value, x);
        });
    return value;
  }

  typename Operation::Device part;
  unsigned head;
};
template <class T>
struct Elements<Dot<T>> {
  using Value = T;
  using Combine = Sum;
  static constexpr unsigned arrays = 2;

  explicit Elements(const typename Dot<T>::Device& device) : part(device), pairs(device) {}

  template <class Shape>
  __device__ T fold() const {
    constexpr unsigned vectors = (Shape::vectors + 1) / 2;
    T value = 0;
    const auto take = [&](T x, T y) { value = Sum{}(value, Product{}(x, y)); };
    if (pairs.width == 1)
      stream_pairs<vectors, 1, Shape::once>(part.a, part.b, part.n, pairs.head, take);
    else
      stream_pairs<vectors, elements_of_vector<T>, Shape::once>(part.a, part.b, part.n, pairs.head,
                                                                take);
    return value;
  }

  typename Dot<T>::Device part;
  Pairs<T> pairs;
};

template <class Elements, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    fused_flagged_kernel(Elements elements, Word* slots,
                         const __grid_constant__ Exchange<typename Elements::Value> others,
                         unsigned* run) {
  begin_in_turn();
  using Op = typename Elements::Combine;
  auto value = elements.template fold<Shape>();
  if (finish_by_gathering<Op, Shape::threads>(value, slots))
    *elements.part.out = others.template combined<Op>(value, ++*run);
}

template <class Operation>
class FusedFlagged {
 public:
  explicit FusedFlagged(const Spread<typename Operation::Device>& spread)
      : mail_(*spread.team, 2 * spread.team->size() * words<Value>), runs_(*spread.team, 1) {
    const unsigned devices = spread.team->size();
    spread.team->each([&](unsigned device, Stream) {
      const Elements<Operation> elements(spread.shards[device]);
      const auto shape = shape_for_stream(
          elements.part.n * sizeof(Value), elements.arrays,
          [](auto its) { return fused_flagged_kernel<Elements<Operation>, decltype(its)>; });
      auto slots = zeros<Word>(shape.blocks * words<Value>);
      launches_.push_back(
          {elements, shape, std::move(slots), {mail_.peers(), devices, device}});
    });
  }

  void operator()(const Team& team) {
    team.each([&](unsigned device, Stream stream) {
      const auto& [elements, shape, slots, others] = launches_[device];
      launch(shape.kernel, shape.launch(), stream, elements, slots.data(), others,
             runs_.of(device));
    });
  }

 private:
  using Value = typename Elements<Operation>::Value;
  struct OfDevice {
    Elements<Operation> elements;
    Shaped<void (*)(Elements<Operation>, Word*, Exchange<Value>, unsigned*)> shape;
    DeviceArray<Word> slots;
    Exchange<Value> others;
  };

  TeamArray<Word> mail_;
  TeamArray<unsigned> runs_;
  std::vector<OfDevice> launches_;
};

const RegisterEachOverDevices<FusedFlagged, Reduce, SumOfCubes, Dot> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
