#include <memory>
#include <optional>

#include "handwritten/scan/one_wave.hpp"

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

// Words that carry totals from block to block. On each device there are two places for each tile of
// all devices, and for the news that a device has begun.
template <class T>
struct Board {
  Peers<Word> words;
  unsigned devices, device;
  unsigned tiles, first_tile;  // of all devices, and the number of this device's first
  unsigned* runs;              // of which this is one, from 1

  __device__ Word* place(unsigned at, unsigned run, unsigned number) const {
    return words.of[at] + (run % 2 * (tiles + devices) + number) * ladder::words<T>;
  }
};

template <class T, class Op, ScanKind kind, unsigned threads, unsigned vectors>
__global__ void __launch_bounds__(threads, vectors > 4 ? 2 : 4)
    in_registers_kernel(ScanVectors<T> arrays, const __grid_constant__ Board<T> board) {
  __shared__ OfWarps<T, threads / 32> of_warps, of_totals;
  __shared__ unsigned run;
  const unsigned warp = threadIdx.x / 32, number = board.first_tile + blockIdx.x;

  if (threadIdx.x == 0) run = *static_cast<volatile unsigned*>(board.runs);
  Tile<T, Op, threads, vectors> tile(arrays, blockIdx.x);
  of_warps.gather(tile.fold_in_warp());
  for (unsigned to = board.device + threadIdx.x; to < board.devices; to += threads)
    publish(board.place(to, run, number), run, of_warps.template fold<Op>());
  if (warp == 0) bring_to_cache(board.place(board.device, run, 0), number * words<T>);
  tile.scan_in_warp();  // while the total is on its way
  const T before_in_tile = of_warps.template fold<Op>(warp);
  const T before =
      wait_for_all<Op>(board.place(board.device, run, 0), number, run, of_totals);
  tile.template store<kind>(Op{}(before, before_in_tile));

  // All blocks have read the number of the run, since they have published. No device is two runs
  // ahead of one behind it, whose board it would write anew.
  if (blockIdx.x < gridDim.x - 1 || threadIdx.x > 0) return;
  for (unsigned to = 0; to < board.device; ++to)
    publish(board.place(to, run, board.tiles + board.device), run, T());
  for (unsigned from = board.device + 1; from < board.devices; ++from)
    wait_for<T>(board.place(board.device, run, board.tiles + from), run);
  *static_cast<volatile unsigned*>(board.runs) = run + 1;
}

template <class T, class Op, ScanKind kind>
class InRegisters {
 public:
  explicit InRegisters(const Spread<ScanArguments<T>>& spread) : runs_(*spread.team, 1) {
    std::size_t most = 0;  // elements of a device
    for (const ScanArguments<T>& shard : spread.shards) most = std::max(most, shard.n);
    with_shape_of_wave<T>(most, [&]<class Shape>(Shape) {
      kernel_ = in_registers_kernel<T, Op, kind, Shape::threads, Shape::vectors>;
      threads_ = Shape::threads;
      share(spread, Shape::threads * Shape::vectors);
    });
  }

  void operator()(const Team& team) {
    if (other_) return other_->run({});
    team.each([&](unsigned device, Stream stream) {
      const auto& [arrays, tiles, board] = parts_[device];
      launch(kernel_, {.grid = tiles, .block = threads_, .resident = true}, stream, arrays, board);
    });
  }

 private:
  using OverAll = std::conditional_t<kind == ScanKind::inclusive,
                                     typename OverDevices<InclusiveScan>::template Of<T, Op>,
                                     typename OverDevices<ExclusiveScan>::template Of<T, Op>>;

  struct Part {
    ScanVectors<T> arrays;
    unsigned tiles;
    Board<T> board;
  };

  void share(const Spread<ScanArguments<T>>& spread, unsigned vectors_of_tile) {
    const unsigned devices = spread.team->size(), first_run = 1;
    unsigned tiles = 0;
    bool fits = true;
    spread.team->each([&](unsigned device, Stream) {
      const ScanVectors<T> arrays(spread.shards[device]);
      const unsigned its = arrays.tiles(vectors_of_tile);
      if (its > resident_blocks(kernel_, threads_, 0)) fits = false;
      backend::upload(runs_.of(device), &first_run, sizeof first_run);
      parts_.push_back({arrays, its, {{}, devices, device, 0, tiles, runs_.of(device)}});
      tiles += its;
    });
    if (!fits) other_ = prepare_rung<OverAll>("handwritten/team/fused_exchange", spread);
    words_.emplace(*spread.team, 2 * (tiles + devices) * words<T>);
    for (Part& part : parts_) {
      part.board.words = words_->peers();
      part.board.tiles = tiles;
    }
  }

  void (*kernel_)(ScanVectors<T> arrays, const Board<T> board) = nullptr;
  unsigned threads_ = 0;
  std::vector<Part> parts_;
  TeamArray<unsigned> runs_;
  std::optional<TeamArray<Word>> words_;
  std::unique_ptr<Prepared> other_;  // for what does not fit
};

const RegisterScansOverDevices<InRegisters> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
