#include "reports/numbers/cell_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "reports/model/json.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/metrics.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

constexpr bool key = true;

// Those with a field first, then those that follow.
const std::vector<FlatColumn> all_flat_columns{
    {"operation", "", "/input/operation", key},
    {"operator", "", "/input/operator", key},
    {"dtype", "", "/input/dtype", key},
    {"n", "", "/input/n", key},
    {"distribution", "", "/input/distribution", key},
    {"bins", "", "/input/bins", key},
    {"offset", "", "/input/offset", key},
    {"devices", "", "/input/devices", key},
    {"process_for_each_device", "", "/input/process_for_each_device", key},
    {"provider", "", "/who/provider", key},
    {"rung", "", "/who/rung", key},
    {"backend", "", "/how/backend", key},
    {"contract", "", "/how/contract", key},
    {"cache", "", "/how/cache", key},
    {"shard", "", "/shard"},
    {"flags", "", "/flags"},
    {"minimum_bytes_read", "bytes", "/minimum_bytes/read"},
    {"minimum_bytes_written", "bytes", "/minimum_bytes/written"},
    {"verdict", "", "/outcome/verdict"},
    {"reason", "", "/outcome/reason"},
    {"lost_counts", "", "/outcome/lost_counts"},
    {"time", "us", "/measured/timing/time_us/median"},
    {"time_low", "us", "/measured/timing/time_us/ci95_low"},
    {"time_high", "us", "/measured/timing/time_us/ci95_high"},
    {"time_min", "us", "/measured/timing/time_us/min"},
    {"time_p5", "us", "/measured/timing/time_us/p5"},
    {"time_p25", "us", "/measured/timing/time_us/p25"},
    {"time_p75", "us", "/measured/timing/time_us/p75"},
    {"time_p95", "us", "/measured/timing/time_us/p95"},
    {"time_max", "us", "/measured/timing/time_us/max"},
    {"samples", "", "/measured/timing/time_us/samples"},
    {"outliers", "", "/measured/timing/time_us/outliers"},
    {"processes", "", "/measured/timing/processes/*/process"},
    {"process_times", "us", "/measured/timing/processes/*/time_us"},
    {"process_back_to_back", "us", "/measured/timing/processes/*/back_to_back_us"},
    {"process_devices", "us", "/measured/timing/processes/*/devices_us"},
    {"bandwidth", "GB/s", "/measured/timing/bandwidth_gbps/median"},
    {"bandwidth_low", "GB/s", "/measured/timing/bandwidth_gbps/ci95_low"},
    {"bandwidth_high", "GB/s", "/measured/timing/bandwidth_gbps/ci95_high"},
    {"percent_of_ceiling", "%", "/measured/timing/percent_of_ceiling"},
    {"percent_of_datasheet", "%", "/measured/timing/percent_of_datasheet"},
    {"vs_first_rung", "", "/measured/timing/ratios/vs_first_rung/value"},
    {"vs_first_rung_low", "", "/measured/timing/ratios/vs_first_rung/ci95_low"},
    {"vs_first_rung_high", "", "/measured/timing/ratios/vs_first_rung/ci95_high"},
    {"vs_first_rung_verdict", "", "/measured/timing/ratios/vs_first_rung/verdict"},
    {"vs_followed", "", "/measured/timing/ratios/vs_followed/value"},
    {"vs_followed_low", "", "/measured/timing/ratios/vs_followed/ci95_low"},
    {"vs_followed_high", "", "/measured/timing/ratios/vs_followed/ci95_high"},
    {"vs_followed_verdict", "", "/measured/timing/ratios/vs_followed/verdict"},
    {"vs_fastest_library", "", "/measured/timing/ratios/vs_fastest_library/value"},
    {"vs_fastest_library_low", "", "/measured/timing/ratios/vs_fastest_library/ci95_low"},
    {"vs_fastest_library_high", "", "/measured/timing/ratios/vs_fastest_library/ci95_high"},
    {"vs_fastest_library_verdict", "", "/measured/timing/ratios/vs_fastest_library/verdict"},
    {"vs_one_device", "", "/measured/timing/ratios/vs_one_device/value"},
    {"vs_one_device_low", "", "/measured/timing/ratios/vs_one_device/ci95_low"},
    {"vs_one_device_high", "", "/measured/timing/ratios/vs_one_device/ci95_high"},
    {"vs_one_device_verdict", "", "/measured/timing/ratios/vs_one_device/verdict"},
    {"back_to_back", "us", "/measured/timing/back_to_back/median_us"},
    {"back_to_back_vs_fastest_library", "",
     "/measured/timing/back_to_back/vs_fastest_library/value"},
    {"back_to_back_vs_fastest_library_low", "",
     "/measured/timing/back_to_back/vs_fastest_library/ci95_low"},
    {"back_to_back_vs_fastest_library_high", "",
     "/measured/timing/back_to_back/vs_fastest_library/ci95_high"},
    {"back_to_back_vs_fastest_library_verdict", "",
     "/measured/timing/back_to_back/vs_fastest_library/verdict"},
    {"sm_cycles", "", "/measured/timing/sm_cycles"},
    {"sm_mhz_min", "MHz", "/measured/timing/clocks/sm_mhz_min"},
    {"sm_mhz_max", "MHz", "/measured/timing/clocks/sm_mhz_max"},
    {"slowed_by", "", "/measured/timing/clocks/slowed_by"},
    {"error_ulp_max", "", "/measured/error/ulp_max"},
    {"error_relative", "", "/measured/error/relative"},
    {"error_bound", "", "/measured/error/bound"},
    {"error_of_bound", "", "/measured/error/of_bound"},
    {"global_load_bytes", "bytes", "/measured/counters/global_load_bytes"},
    {"global_load_requests", "", "/measured/counters/global_load_requests"},
    {"global_load_sectors", "", "/measured/counters/global_load_sectors"},
    {"global_store_bytes", "bytes", "/measured/counters/global_store_bytes"},
    {"global_store_requests", "", "/measured/counters/global_store_requests"},
    {"global_store_sectors", "", "/measured/counters/global_store_sectors"},
    {"shared_requests", "", "/measured/counters/shared_requests"},
    {"shared_wavefronts", "", "/measured/counters/shared_wavefronts"},
    {"atomics", "", "/measured/counters/atomics"},
    {"atomic_requests", "", "/measured/counters/atomic_requests"},
    {"atomic_contention", "", "/measured/counters/atomic_contention"},
    {"barriers", "", "/measured/counters/barriers"},
    {"barriers_per_thread", "", "/measured/counters/barriers_per_thread"},
    {"active_lanes", "", "/measured/counters/active_lanes"},
    {"launches", "", "/measured/counters/launches"},
    {"blocks", "", "/measured/counters/blocks"},
    {"steps", "", "/measured/counters/steps"},
    {"work", "", "/measured/counters/work"},
    {"dram_read_bytes", "bytes", "/measured/counters/dram_read_bytes"},
    {"dram_write_bytes", "bytes", "/measured/counters/dram_write_bytes"},
    {"peer_load_bytes", "bytes", "/measured/counters/peer_load_bytes"},
    {"peer_store_bytes", "bytes", "/measured/counters/peer_store_bytes"},
    // What follows.
    // what pictures call it: the rung, with its provider where two of an operation share the name
    {"implementation", "", ""},
    // "best hand-written" on the input that tells most, "hand-written" or "library"
    {"role", "", ""},
    // whether the role is "best hand-written", whatever a reader picks
    {"best", "", ""},
    {"place", "", ""},               // of the rung on its ladder, from 0
    {"usual", "", ""},               // whether the input is a usual one of its operation
    {"ceiling", "GB/s", ""},         // what the bandwidth is held against
    {"bytes_over_minimum", "", ""},  // that warps load and store in global memory
    {"sectors_per_load", "", ""},    // of 32 bytes
    {"sectors_used", "%", ""},       //
    {"wavefronts_per_shared_request", "", ""},
    // whether it was skipped since the call has no device_result at all
    {"host_only", "", ""},
    // as vs_fastest_library, of the libraries that promise as much as the hand-written rung
    {"vs_same_promise", "", ""},
    {"vs_same_promise_low", "", ""},
    {"vs_same_promise_high", "", ""},
    {"vs_same_promise_verdict", "", ""},
    // Of a timed row: the counts of the same rung, operator and type on the largest usual input
    // that the emulated backend counted.
    {"counted_n", "", ""},
    {"counted_bytes_over_minimum", "", ""},
    {"counted_sectors_used", "%", ""},
    {"counted_active_lanes", "", ""},
};

// Where a cell's JSON has the value. "*" stands for each entry of a list.
json at(const json& value, std::string_view field) {
  if (value.is_null() || field.empty()) return value;
  const auto end = std::min(field.find('/', 1), field.size());
  const std::string_view name = field.substr(1, end - 1), rest = field.substr(end);
  // what only data over devices has is absent in other cells
  if (name != "*") return at(value.value(std::string(name), json()), rest);
  json list = json::array();
  for (const json& entry : value)
    if (entry.contains(json::json_pointer(std::string(rest)))) list.push_back(at(entry, rest));
  return list;
}

json as_text(const json& list) {
  std::string text;
  for (const json& entry : list) {
    if (!text.empty()) text += ' ';
    text += entry.is_string() ? entry.get_ref<const std::string&>() : entry.dump();
  }
  return text;
}

json or_null(std::optional<double> value) {
  return value;
}

json percent_of_sectors(const Cell& cell) {
  const auto use = sector_use(cell);
  return use ? json(100 * *use) : json();
}

// What one cell takes from all others.
class Others {
 public:
  explicit Others(const ResultSet& set)
      : results_(set.results),
        order_(set.order),
        ceilings_(results_, order_),
        host_only_(results_.cells) {
    const Results& results = set.results;
    std::map<std::pair<std::string, std::string>, std::set<std::string>> providers;
    for (const Cell& c : results.cells)
      providers[{c.input.operation, c.who.rung}].insert(c.who.provider);
    for (const auto& [rung, whose] : providers)
      if (whose.size() > 1) shared_.insert(rung);
    for (const OperationResults& operation : set.operations)
      if (const auto& best = operation.fastest.by_hand) best_.emplace(operation.name, best->who);
    for (const Cell& c : results.cells) {
      if (c.how.backend != Backend::emulated || c.counters() == nullptr ||
          !order_.is_usual(c.input))
        continue;
      const Cell*& counted = counted_[same(c)];
      if (counted == nullptr || counted->input.n < c.input.n) counted = &c;
    }
  }

  void add(const Cell& cell, FlatRow& row) const {
    const bool is_shared = shared_.contains({cell.input.operation, cell.who.rung});
    const auto best = best_.find(cell.input.operation);
    const bool is_best = best != best_.end() && best->second == cell.who;
    const double ceiling = cell.timing() == nullptr ? 0 : ceilings_.of(cell);
    const auto found = counted_.find(same(cell));
    const Cell* counted =
        cell.timing() == nullptr || found == counted_.end() ? nullptr : found->second;
    const std::optional<Ratio> promise =
        cell.timing() == nullptr ? std::nullopt : cell.timing()->ratios.vs_same_promise;
    const std::vector<json> values{
        is_shared ? cell.who.provider + '/' + cell.who.rung : cell.who.rung,
        is_best                              ? "best hand-written"
        : cell.who.provider == "handwritten" ? "hand-written"
                                             : "library",
        is_best,
        order_.of(cell) < results_.rungs.size() ? json(order_.of(cell))
                                                : json(results_.rungs.size()),
        order_.is_usual(cell.input),
        ceiling > 0 ? json(ceiling) : json(),
        or_null(traffic_over_minimum(cell)),
        or_null(sectors_per_load(cell)),
        percent_of_sectors(cell),
        or_null(wavefronts_per_shared_request(cell)),
        host_only_.contains(cell),
        promise ? json(promise->value) : json(),
        promise ? json(promise->ci95_low) : json(),
        promise ? json(promise->ci95_high) : json(),
        promise ? json(promise->verdict) : json(),
        counted == nullptr ? json() : json(counted->input.n),
        counted == nullptr ? json() : or_null(traffic_over_minimum(*counted)),
        counted == nullptr ? json() : percent_of_sectors(*counted),
        counted == nullptr ? json() : or_null(counter<&Counters::active_lanes>(*counted)),
    };
    row.insert(row.end(), values.begin(), values.end());
  }

 private:
  using Same = std::tuple<std::string, std::optional<std::string>, std::string, Who>;

  static Same same(const Cell& cell) {
    return {cell.input.operation, cell.input.op, cell.input.dtype, cell.who};
  }

  const Results& results_;
  const Order& order_;
  Ceilings ceilings_;
  HostOnly host_only_;
  std::set<std::pair<std::string, std::string>> shared_;
  std::map<std::string, Who> best_;  // of each operation
  std::map<Same, const Cell*> counted_;
};

}  // namespace

std::span<const FlatColumn> flat_columns() {
  return all_flat_columns;
}

std::size_t flat_column(std::string_view name) {
  const auto found = std::ranges::find(all_flat_columns, name, &FlatColumn::name);
  if (found == all_flat_columns.end())
    throw std::logic_error(fmt::format("the flat table has no column {}", name));
  return static_cast<std::size_t>(found - all_flat_columns.begin());
}

std::vector<FlatRow> flat(const ResultSet& set) {
  const Results& results = set.results;
  const Others others(set);
  std::vector<FlatRow> rows;
  rows.reserve(results.cells.size());
  for (const Cell& cell : results.cells) {
    json document = cell;
    document["input"]["offset"] = cell.input.offset;  // 0 too
    FlatRow row;
    row.reserve(all_flat_columns.size());
    for (const FlatColumn& column : all_flat_columns) {
      if (column.field.empty()) break;
      json value = at(document, column.field);
      row.push_back(value.is_array() ? as_text(value) : std::move(value));
    }
    others.add(cell, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace ladder::reports
