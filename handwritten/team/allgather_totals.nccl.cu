#include <optional>

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
      : total_(*spread.team, 1),
        totals_(*spread.team, spread.team->size()),
        parts_(spread.team->size()) {
    spread.team->each(
        [&](unsigned device, Stream) { parts_[device].emplace(spread.shards[device]); });
  }

  void operator()(const Team& team) {
    team.each([&](unsigned device, Stream stream) {
      parts_[device]->template fold<Op, false>(stream, {{total_.of(device)}}, 1, 0);
    });
    team.all_gather(sizeof(T), [&](unsigned device) {
      return backend::Exchange{total_.of(device), totals_.of(device)};
    });
    team.each([&](unsigned device, Stream stream) {
      parts_[device]->template scan<Op, kind>(stream, totals_.of(device), device);
    });
  }

 private:
  TeamArray<T> total_, totals_;  // on each device: its own, and those of all
  std::vector<std::optional<StrandsOfDevice<T>>> parts_;  // of the devices of this process
};

const RegisterScansOverDevices<AllgatherTotals> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
