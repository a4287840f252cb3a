#include "handwritten/team/reduce_then_scan.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each device folds its part of the data, and one call of NCCL gives the totals of all to "
        "each. Then it scans its part after the totals of "
        "the devices before it.",
    .follows = "reduce_then_scan",
    .step =
        "The library hands on the totals: no device reads or writes the memory of another, so they "
        "need not be on one host.",
    .costs = "A launch more on each device, whose blocks wait for those of the others.",
    .limited_by =
        "Each device's memory, and for small inputs the latency of the library's exchange.",
    .source =
        "NVIDIA NCCL, ncclAllGather; cudax, the experimental part of CCCL, scans over devices in "
        "this order.",
    .collective = true,
};

template <class T, class Op, ScanKind kind>
class AllgatherTotals {
 public:
  explicit AllgatherTotals(const Spread<ScanArguments<T>>& spread)
      : spread_(spread),
        total_(*spread.team, 1),
        totals_(*spread.team, spread.team->size()),
        carries_(spread.team->size()) {
    spread.team->each([&](unsigned device, Stream) {
      carries_[device] = DeviceArray<T>(Strands<T>(spread.shards[device]).count());
    });
  }

  void operator()(const Team& team) {
    team.each([&](unsigned device, Stream stream) {
      const Strands<T> strands(spread_.shards[device]);
      const Peers<T> own{{total_.of(device)}};
      launch(fold_strands_kernel<T, Op, false>, {strands.blocks, strands.threads}, stream, strands,
             carries_[device].data());
      launch(carries_kernel<T, Op>, {1, threads_of_carries}, stream, carries_[device].data(),
             strands.count(), own, 1U, 0U);
    });
    team.all_gather(sizeof(T), [&](unsigned device) {
      return backend::Exchange{total_.of(device), totals_.of(device)};
    });
    team.each([&](unsigned device, Stream stream) {
      const Strands<T> strands(spread_.shards[device]);
      launch(scan_strands_kernel<T, Op, kind>, {strands.blocks, strands.threads}, stream, strands,
             carries_[device].data(), totals_.of(device), device);
    });
  }

 private:
  Spread<ScanArguments<T>> spread_;
  TeamArray<T> total_, totals_;  // on each device: its own, and those of all
  // of each strand: its total, and then all that comes before it
  std::vector<DeviceArray<T>> carries_;
};

template <class T, class Op>
using InclusiveAllgatherTotals = AllgatherTotals<T, Op, ScanKind::inclusive>;
template <class T, class Op>
using ExclusiveAllgatherTotals = AllgatherTotals<T, Op, ScanKind::exclusive>;

const RegisterOverDevices<InclusiveScan, InclusiveAllgatherTotals, std::int32_t, std::int64_t,
                          float, double>
    inclusive{card};
const RegisterOverDevices<ExclusiveScan, ExclusiveAllgatherTotals, std::int32_t, std::int64_t,
                          float, double>
    exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
