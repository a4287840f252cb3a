#include <algorithm>
#include <memory>
#include <optional>

#include "handwritten/scan/one_wave.hpp"
#include "handwritten/team/exchange.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "one_wave over all devices: each block keeps its tile in registers, and stores the total "
        "into the memory of every device that comes after.",
    .follows = "fused_exchange",
    .step =
        "Nothing is read twice, and a total takes one way, not two: no block adds up those of its "
        "device for the others.",
    .costs =
        "All tiles of a device must be resident: what does not fit is left to fused_exchange. Each "
        "block reads the totals of all blocks before it, on all devices.",
    .limited_by = "The way of a total from one device to another.",
    .source = "Our own.",
};

// The totals of the tiles of all devices are on the board, and that each device has begun.
template <class T, class Op, ScanKind kind, unsigned threads, unsigned vectors>
__global__ void __launch_bounds__(threads, vectors > 4 ? 2 : 4)
    in_registers_kernel(ScanVectors<T> arrays, const __grid_constant__ Board<T> board) {
  __shared__ OfWarps<T, threads / 32> of_warps, of_totals;
  __shared__ unsigned run;
  const unsigned warp = threadIdx.x / 32, number = board.first + blockIdx.x;

  Tile<T, Op, threads, vectors> tile(arrays, blockIdx.x);
  if (threadIdx.x == 0) run = board.run();  // after the loads are sent, as in one_wave
  of_warps.gather(tile.fold_in_warp());
  for (unsigned to = board.device + threadIdx.x; to < board.devices; to += threads)
    publish(board.place(to, run, number), run, of_warps.template fold<Op>());
  if (warp == 0) bring_to_cache(board.place(board.device, run, 0), number * words<T>);
  tile.scan_in_warp();  // while the total is on its way
  const T before_in_tile = of_warps.template fold<Op>(warp);
  const T before = wait_for_all<Op>(board.place(board.device, run, 0), number, run, of_totals);
  tile.template store<kind>(Op{}(before, before_in_tile));

  if (blockIdx.x < gridDim.x - 1 || threadIdx.x > 0) return;
  const unsigned first_to_begin = board.places - board.devices;
  for (unsigned to = 0; to < board.device; ++to)
    publish(board.place(to, run, first_to_begin + board.device), run, T());
  for (unsigned from = board.device + 1; from < board.devices; ++from)
    wait_for<T>(board.place(board.device, run, first_to_begin + from), run);
  board.end(run);
}

template <class T, class Op, ScanKind kind>
class InRegisters {
 public:
  explicit InRegisters(const Spread<ScanArguments<T>>& spread) {
    std::size_t most = 0;  // elements of a device
    for (const ScanArguments<T>& shard : spread.shards) most = std::max(most, shard.n);
    with_shape_of_wave<T>(most, [&]<class Shape>(Shape) {
      kernel_ = in_registers_kernel<T, Op, kind, Shape::threads, Shape::vectors>;
      threads_ = Shape::threads;
      for (const ScanArguments<T>& shard : spread.shards) {
        arrays_.emplace_back(shard);
        tiles_.push_back(arrays_.back().tiles(Shape::threads * Shape::vectors));
      }
    });
    if (std::ranges::max(tiles_) <= resident_blocks(kernel_, threads_, 0))
      boards_.emplace(*spread.team, tiles_, spread.team->size());
    else other_ = prepare_rung<OverAll>("handwritten/team/fused_exchange", spread);
  }

  void operator()(const Team& team) {
    if (other_) return other_->run({});
    team.each([&](unsigned device, Stream stream) {
      launch(kernel_, {.grid = tiles_[device], .block = threads_, .resident = true}, stream,
             arrays_[device], boards_->of(device));
    });
  }

 private:
  using OverAll = std::conditional_t<kind == ScanKind::inclusive,
                                     typename OverDevices<InclusiveScan>::template Of<T, Op>,
                                     typename OverDevices<ExclusiveScan>::template Of<T, Op>>;

  void (*kernel_)(ScanVectors<T> arrays, const Board<T> board) = nullptr;
  unsigned threads_ = 0;
  std::vector<ScanVectors<T>> arrays_;
  std::vector<unsigned> tiles_;
  std::optional<Boards<T>> boards_;
  std::unique_ptr<Prepared> other_;  // for what does not fit
};

const RegisterScansOverDevices<InRegisters> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
