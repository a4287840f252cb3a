#include "handwritten/fold.hpp"
#include "handwritten/team/elements.hpp"
#include "handwritten/team/exchange.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "gather over all devices: each block stores its value into a tagged word of every device, "
        "and the last block of each device gathers those of all.",
    .follows = "fused_flagged",
    .step =
        "A value takes one way, not two: no block gathers those of its device before another "
        "device gets them.",
    .costs = "Each block stores as many words as there are devices.",
    .limited_by = "Reading the input. For small inputs, one way from device to device.",
    .source = "Our own.",
};

template <class Elements, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    gather_all_kernel(Elements elements,
                      const __grid_constant__ Board<typename Elements::Value> board) {
  using Op = typename Elements::Combine;
  using Value = typename Elements::Value;
  constexpr unsigned threads = Shape::threads;
  __shared__ unsigned run;
  __shared__ Value own;
  const unsigned number = board.first + blockIdx.x;
  const bool is_last = blockIdx.x == gridDim.x - 1;

  begin_in_turn();
  if (threadIdx.x == 0) run = board.run();
  const Value of_block = fold_block_in_one_warp<Op, threads>(elements.template fold<Shape>());
  if (threadIdx.x == 0) {
    own = of_block;
    for (unsigned to = 0; to < board.devices; ++to)
      if (to != board.device || !is_last) publish(board.place(to, run, number), run, of_block);
  }
  if (!is_last) return;

  // In the order of the blocks, so that all devices get the same bits.
  __syncthreads();
  Value value = Op::template identity<Value>();
  for (unsigned k = threadIdx.x; k < board.places; k += threads)
    value =
        Op{}(value, k == number ? own : wait_for<Value>(board.place(board.device, run, k), run));
  value = fold_block_in_one_warp<Op, threads>(value);
  if (threadIdx.x > 0) return;
  *elements.part.out = value;
  board.end(run);
}

template <class Operation>
class GatherAll {
 public:
  explicit GatherAll(const Spread<typename Operation::Device>& spread) {
    std::vector<unsigned> blocks;
    for (const auto& shard : spread.shards) {
      const Elements<Operation> elements(shard);
      const auto shape = elements.shape(
          [](auto its) { return gather_all_kernel<Elements<Operation>, decltype(its)>; });
      launches_.push_back({elements, shape});
      blocks.push_back(shape.blocks);
    }
    boards_.emplace(*spread.team, blocks);
  }

  void operator()(const Team& team) {
    team.each([&](unsigned device, Stream stream) {
      const auto& [elements, shape] = launches_[device];
      launch(shape.kernel, shape.launch(), stream, elements, boards_->of(device));
    });
  }

 private:
  using Value = typename Elements<Operation>::Value;
  struct OfDevice {
    Elements<Operation> elements;
    Shaped<void (*)(Elements<Operation>, Board<Value>)> shape;
  };

  std::vector<OfDevice> launches_;
  std::optional<Boards<Value>> boards_;
};

const RegisterEachOverDevices<GatherAll, Reduce, SumOfCubes, Dot> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
