#include "handwritten/team/strands.hpp"
#include "handwritten/words.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "from_cache in one launch on each device: blocks hand their totals to each other, and "
        "devices theirs, in tagged words.",
    .follows = "from_cache",
    .step =
        "No event and no launch between the passes: a block goes on as soon as the totals before "
        "it are there.",
    .costs = "All blocks of a device must be resident, and each reads the totals of all before it.",
    .limited_by =
        "Each device's memory, as from_cache. For small inputs, one way from block to block and "
        "one from device to device.",
    .source = "Our own.",
};

// Words that carry values: of the blocks of this device, and on each device two places for each
// sender.
struct Totals {
  Word* of_blocks;
  Peers<Word> mail;
  unsigned devices, device;
  unsigned* runs;  // of which this is one, from 1
};

template <class T, class Op, ScanKind kind>
__global__ void __launch_bounds__(Strands<T>::threads, Strands<T>::blocks_of_multiprocessor)
    fused_exchange_kernel(Strands<T> strands, const __grid_constant__ Totals totals) {
  constexpr unsigned threads = Strands<T>::threads;
  const Op op;
  const T identity = Op::template identity<T>();
  __shared__ OfWarps<T, Strands<T>::warps> of_warps, of_totals;
  const unsigned run = *static_cast<volatile unsigned*>(totals.runs);
  const auto place = [&](unsigned at, unsigned sender) {
    return totals.mail.of[at] + (run % 2 * totals.devices + sender) * words<T>;
  };

  of_warps.gather(strands.template total<Op, true>());
  const T of_block = threadIdx.x == 0 ? of_warps.template fold<Op>() : identity;
  const bool is_last = blockIdx.x == gridDim.x - 1;
  if (threadIdx.x == 0 && !is_last)
    publish(totals.of_blocks + blockIdx.x * words<T>, run, of_block);

  // The blocks before this one: thread after thread, each takes neighbours.
  T before = identity;
  const unsigned each = (blockIdx.x + threads - 1) / threads;
  for (unsigned k = threadIdx.x * each; k < (threadIdx.x + 1) * each && k < blockIdx.x; ++k)
    before = op(before, wait_for<T>(totals.of_blocks + k * words<T>, run));
  before = fold_for_all<Op>(before, of_totals);

  if (is_last && threadIdx.x == 0)
    for (unsigned peer = 0; peer < totals.devices; ++peer)
      publish(place(peer, totals.device), run, op(before, of_block));
  T before_device = identity;
  for (unsigned sender = 0; sender < totals.device; ++sender)
    before_device = op(before_device, wait_for<T>(place(totals.device, sender), run));
  before = op(before, of_warps.template fold<Op>(threadIdx.x / 32));
  strands.template scan<Op, kind>(op(before_device, before));

  // All blocks have read the number of the run, since they have published. No device is two runs
  // ahead of another, whose mail it would write anew.
  if (is_last && threadIdx.x == 0) {
    for (unsigned sender = 0; sender < totals.devices; ++sender)
      wait_for<T>(place(totals.device, sender), run);
    *static_cast<volatile unsigned*>(totals.runs) = run + 1;
  }
}

template <class T, class Op, ScanKind kind>
class FusedExchange {
 public:
  explicit FusedExchange(const Spread<ScanArguments<T>>& spread)
      : mail_(*spread.team, 2 * spread.team->size() * words<T>), runs_(*spread.team, 1) {
    spread.team->each([&](unsigned device, Stream) {
      Strands<T> strands(spread.shards[device]);
      if (const unsigned most =
              resident_blocks(fused_exchange_kernel<T, Op, kind>, strands.threads, 0);
          strands.blocks > most)
        strands.blocks = most;
      auto of_blocks = zeros<Word>(strands.blocks * words<T>);
      const unsigned first_run = 1;
      backend::upload(runs_.of(device), &first_run, sizeof first_run);
      const Totals totals{of_blocks.data(), mail_.peers(), spread.team->size(), device,
                          runs_.of(device)};
      parts_.push_back({strands, std::move(of_blocks), totals});
    });
  }

  void operator()(const Team& team) {
    team.each([&](unsigned device, Stream stream) {
      const Part& part = parts_[device];
      launch(fused_exchange_kernel<T, Op, kind>,
             {.grid = part.strands.blocks, .block = part.strands.threads, .resident = true}, stream,
             part.strands, part.totals);
    });
  }

 private:
  struct Part {
    Strands<T> strands;
    DeviceArray<Word> of_blocks;
    Totals totals;
  };

  TeamArray<Word> mail_;
  TeamArray<unsigned> runs_;
  std::vector<Part> parts_;
};

const RegisterScansOverDevices<FusedExchange> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
