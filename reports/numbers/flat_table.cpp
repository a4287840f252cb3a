#include "reports/numbers/flat_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "reports/model/json.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/metrics.hpp"

namespace ladder::reports {
// What a row takes from other cells.
struct CellFacts {
  const Cell& cell;
  // the same rung, operator and type on the largest usual input that the emulated backend counted;
  // null where the cell is not timed
  const Cell* counted = nullptr;
  bool shares_its_name = false;  // with a rung of another provider
  bool is_best = false;          // the best hand-written one on the input that tells most
  bool is_usual_input = false;
  bool is_host_only = false;
  std::size_t place = 0;
  double ceiling = 0;
};

namespace {

using FlatColumns = std::vector<FlatColumn>;

constexpr bool key = true;

// Fields of one object, named as they are there, behind a prefix.
FlatColumns fields_of(const std::string& place, std::initializer_list<const char*> fields,
                      const std::string& unit = "", bool is_key = false,
                      const std::string& prefix = "") {
  FlatColumns all;
  for (const std::string field : fields)
    all.push_back({prefix + field, unit, fmt::format("{}/{}", place, field), is_key});
  return all;
}

FlatColumns with_interval(const std::string& name, const std::string& unit,
                          const std::string& place) {
  return {{name, unit, place + "/median"},
          {name + "_low", unit, place + "/ci95_low"},
          {name + "_high", unit, place + "/ci95_high"}};
}

FlatColumns ratio_columns(const std::string& name, const std::string& place) {
  return {{name, "", place + "/value"},
          {name + "_low", "", place + "/ci95_low"},
          {name + "_high", "", place + "/ci95_high"},
          {name + "_verdict", "", place + "/verdict"}};
}

FlatColumns flat_counters() {
  FlatColumns all;
  const Counters none;
  Counters::fields(none, [&](const std::string& name, const auto&, const FieldFacts& facts = {}) {
    all.push_back({name, std::string(facts.unit), "/measured/counters/" + name});
  });
  return all;
}

json percent_of_sectors(const Cell& cell) {
  const auto use = sector_use(cell);
  return use ? json(100 * *use) : json();
}

template <auto Ratio::*part>
json vs_same_promise(const CellFacts& facts) {
  const Timing* timing = facts.cell.timing();
  if (timing == nullptr || !timing->ratios.vs_same_promise) return {};
  return json(*timing->ratios.vs_same_promise.*part);
}

template <auto CellFacts::*fact>
json known(const CellFacts& facts) {
  return json(facts.*fact);
}

template <auto of>
json of_cell(const CellFacts& facts) {
  return json(of(facts.cell));
}

template <auto of>
json of_counted(const CellFacts& facts) {
  return facts.counted == nullptr ? json() : json(of(*facts.counted));
}

FlatColumn follows(const char* name, json (*value)(const CellFacts&), const char* unit = "") {
  return {name, unit, "", false, value};
}

// What follows from fields, and from other cells.
FlatColumns what_follows() {
  using Facts = const CellFacts&;
  return {
      // what pictures call it: the rung, with its provider where two share the name
      follows("implementation",
              [](Facts f) {
                const Who& who = f.cell.who;
                return json(f.shares_its_name ? who.provider + '/' + who.rung : who.rung);
              }),
      follows("role",
              [](Facts f) {
                return json(f.is_best             ? "best hand-written"
                            : !is_library(f.cell) ? "hand-written"
                                                  : "library");
              }),
      // whether the role is "best hand-written", whatever a reader picks
      follows("best", known<&CellFacts::is_best>),
      // of the rung on its ladder, from 0
      follows("place", known<&CellFacts::place>),
      // whether the input is a usual one of its operation
      follows("usual", known<&CellFacts::is_usual_input>),
      // what the bandwidth is held against
      follows(
          "ceiling", [](Facts f) { return f.ceiling > 0 ? json(f.ceiling) : json(); }, "GB/s"),
      // that warps load and store in global memory
      follows("bytes_over_minimum", of_cell<traffic_over_minimum>),
      follows("sectors_per_load", of_cell<sectors_per_load>),
      follows("sectors_used", of_cell<percent_of_sectors>, "%"),
      follows("wavefronts_per_shared_request", of_cell<wavefronts_per_shared_request>),
      // whether it was skipped since the call has no device_result at all
      follows("host_only", known<&CellFacts::is_host_only>),
      // as vs_fastest_library, of the libraries that promise as much as the rung
      follows("vs_same_promise", vs_same_promise<&Ratio::value>),
      follows("vs_same_promise_low", vs_same_promise<&Ratio::ci95_low>),
      follows("vs_same_promise_high", vs_same_promise<&Ratio::ci95_high>),
      follows("vs_same_promise_verdict", vs_same_promise<&Ratio::verdict>),
      // the counts beside a timed row (CellFacts::counted)
      follows("counted_n", of_counted<[](const Cell& c) { return c.input.n; }>),
      follows("counted_bytes_over_minimum", of_counted<traffic_over_minimum>),
      follows("counted_sectors_used", of_counted<percent_of_sectors>, "%"),
      follows("counted_active_lanes", of_counted<counter<&Counters::active_lanes>>),
      follows("counted_wavefronts_per_shared_request", of_counted<wavefronts_per_shared_request>),
  };
}

FlatColumns made_flat_columns() {
  const std::string timing = "/measured/timing", time = timing + "/time_us",
                    processes = timing + "/processes/*", ratios = timing + "/ratios/",
                    back_to_back = timing + "/back_to_back/";
  FlatColumns all;
  for (const FlatColumns& some : {
           fields_of("/input",
                     {"operation", "operator", "dtype", "n", "distribution", "bins", "offset",
                      "devices", "process_for_each_device"},
                     "", key),
           fields_of("/who", {"provider", "rung"}, "", key),
           fields_of("/how", {"backend", "contract", "cache"}, "", key),
           fields_of("", {"shard", "flags"}),
           fields_of("/minimum_bytes", {"read", "written"}, "bytes", false, "minimum_bytes_"),
           fields_of("/outcome", {"verdict", "reason", "lost_counts"}),
           with_interval("time", "us", time),
           fields_of(time, {"min", "p5", "p25", "p75", "p95", "max"}, "us", false, "time_"),
           fields_of(time, {"samples", "outliers"}),
           FlatColumns{{"processes", "", processes + "/process"},
                       {"process_times", "us", processes + "/time_us"},
                       {"process_back_to_back", "us", processes + "/back_to_back_us"},
                       {"process_devices", "us", processes + "/devices_us"}},
           with_interval("bandwidth", "GB/s", timing + "/bandwidth_gbps"),
           fields_of(timing, {"percent_of_ceiling", "percent_of_datasheet"}, "%"),
           ratio_columns("vs_first_rung", ratios + "vs_first_rung"),
           ratio_columns("vs_followed", ratios + "vs_followed"),
           ratio_columns("vs_fastest_library", ratios + "vs_fastest_library"),
           ratio_columns("vs_one_device", ratios + "vs_one_device"),
           ratio_columns("vs_limit", ratios + "vs_limit"),
           FlatColumns{{"back_to_back", "us", back_to_back + "median_us"}},
           ratio_columns("back_to_back_vs_fastest_library", back_to_back + "vs_fastest_library"),
           fields_of(timing, {"sm_cycles"}),
           fields_of(timing + "/clocks", {"sm_mhz_min", "sm_mhz_max"}, "MHz"),
           fields_of(timing + "/clocks", {"slowed_by"}),
           fields_of("/measured/error", {"ulp_max", "relative", "bound", "of_bound"}, "", false,
                     "error_"),
           flat_counters(),
           what_follows(),
       })
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

const FlatColumns& all_flat_columns() {
  static const FlatColumns all = made_flat_columns();
  return all;
}

// Where a cell's JSON has the value. "*" stands for each entry of a list.
json at(const json& value, std::string_view field) {
  const json* within = &value;
  while (!field.empty() && !within->is_null()) {
    const auto end = std::min(field.find('/', 1), field.size());
    const std::string name(field.substr(1, end - 1));
    field.remove_prefix(end);
    if (name == "*") {
      json list = json::array();
      for (const json& entry : *within)
        if (entry.contains(json::json_pointer(std::string(field))))
          list.push_back(at(entry, field));
      return list;
    }
    // what only data over devices has is absent in other cells
    const auto found = within->find(name);
    if (found == within->end()) return {};
    within = &*found;
  }
  return *within;
}

json as_text(const json& list) {
  std::string text;
  for (const json& entry : list) {
    if (!text.empty()) text += ' ';
    text += entry.is_string() ? entry.get_ref<const std::string&>() : entry.dump();
  }
  return text;
}

auto same(const Cell& cell) {
  return std::tuple(cell.input.operation, cell.input.op, cell.input.dtype, cell.who);
}

// What CellFacts::counted is, by same().
std::map<decltype(same(Cell())), const Cell*> counted_cells(const ResultSet& set) {
  std::map<decltype(same(Cell())), const Cell*> all;
  for (const Cell& c : set.results.cells) {
    if (c.how.backend != Backend::emulated || c.counters() == nullptr ||
        !set.order.is_usual(c.input))
      continue;
    const Cell*& counted = all[same(c)];
    if (counted == nullptr || counted->input.n < c.input.n) counted = &c;
  }
  return all;
}

}  // namespace

std::span<const FlatColumn> flat_columns() {
  return all_flat_columns();
}

std::size_t flat_column(std::string_view name) {
  const auto found = std::ranges::find(all_flat_columns(), name, &FlatColumn::name);
  if (found == all_flat_columns().end())
    throw std::logic_error(fmt::format("the flat table has no column {}", name));
  return static_cast<std::size_t>(found - all_flat_columns().begin());
}

std::vector<FlatRow> flat(const ResultSet& set) {
  const Results& results = set.results;
  const Ceilings ceilings(results, set.order);
  const HostOnly host_only(results.cells);
  const auto counted = counted_cells(set);
  std::map<std::pair<std::string, std::string>, std::set<std::string>> providers;
  for (const Cell& c : results.cells)
    providers[{c.input.operation, c.who.rung}].insert(c.who.provider);
  std::set<std::pair<std::string, Who>> best;  // of each operation
  for (const OperationResults& operation : set.operations)
    if (const auto& by_hand = operation.fastest.by_hand) best.emplace(operation.name, by_hand->who);
  std::vector<FlatRow> rows;
  rows.reserve(results.cells.size());
  for (const Cell& cell : results.cells) {
    json document = cell;
    document["input"]["offset"] = cell.input.offset;  // 0 too
    const bool is_timed = cell.timing() != nullptr;
    const auto its = counted.find(same(cell));
    const CellFacts facts{
        .cell = cell,
        .counted = is_timed && its != counted.end() ? its->second : nullptr,
        .shares_its_name = providers.at({cell.input.operation, cell.who.rung}).size() > 1,
        .is_best = best.contains({cell.input.operation, cell.who}),
        .is_usual_input = set.order.is_usual(cell.input),
        .is_host_only = host_only.contains(cell),
        .place = std::min(set.order.of(cell), results.rungs.size()),
        .ceiling = is_timed ? ceilings.of(cell) : 0};
    FlatRow row;
    row.reserve(all_flat_columns().size());
    for (const FlatColumn& column : all_flat_columns()) {
      json value = column.value == nullptr ? at(document, column.field) : column.value(facts);
      row.push_back(value.is_array() ? as_text(value) : std::move(value));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace ladder::reports
