#include "handwritten/gather.hpp"
#include "handwritten/team/elements.hpp"
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
      const auto shape = elements.shape(
          [](auto its) { return fused_flagged_kernel<Elements<Operation>, decltype(its)>; });
      auto slots = zeros<Word>(shape.blocks * words<Value>);
      launches_.push_back({elements, shape, std::move(slots), {mail_.peers(), devices, device}});
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
