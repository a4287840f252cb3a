// What every format needs to know of cells: their names, which of them tell most, and what follows
// from their counters.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

bool has_flag(const Cell& cell, std::string_view flag);

// "reduce, sum, i32, n = 2^16, random, cub/cub, cuda, device_result, cold", for a terminal
std::string cell_name(const CellKey& key);

// ", 256 bins, displaced by 1, over 4 devices, in a process each"
std::string what_few_have(const Input& input);
std::string displaced(unsigned offset);  // ", displaced by 1"; empty for 0

// ", over 4 devices", or of a process for each ", over 4 devices, in a process each"; of no devices
// "", or ", on each device"
std::string over_devices(unsigned devices, bool process_for_each);

// " (one device)" of a reference, where others beside it are over devices
std::string_view mark_of_reference(const Cell& cell, const std::vector<Cell>& beside);

// 0: none is over devices, and none is a reference of such
unsigned most_devices_of(const std::vector<Cell>& cells);

// where its idea is from, and before that its folder where it is not of this project
std::string source_of(const Rung& rung);

bool has_failed(const Cell& cell);  // a wrong answer that was to be right, or none

bool is_library(const Cell& cell);
// the ratios of the others are against it, so it has none itself
bool is_fastest_library(const Cell& cell);

// Calls whose result ends up on the host when they end: they have no other time on a GPU, whatever
// was timed at a size.
class HostOnly {
 public:
  explicit HostOnly(const std::vector<Cell>& cells);
  bool contains(const Cell& cell) const;
  // of columns.hpp, or "to the host only"
  std::string_view instead_of_numbers(const Cell& cell) const;

 private:
  std::set<std::tuple<std::string, Who, Contract>> timed_;  // on the GPU
};

// Cells of the inputs that the most rungs passed, or at least this share of as many. On displaced
// arrays only where there are no others.
std::vector<Cell> of_fullest_inputs(std::vector<Cell> cells, double share = 1);

// The cells of the input that shows most: one with an answer, on arrays that are not displaced, the
// largest size, the first operator and type. In the order of the ladder; references on one device
// first.
std::vector<Cell> of_most_telling_input(std::vector<Cell> cells, const Order& order);

// One of the counters of a cell; null where that was not counted.
template <auto Counters::*which>
std::optional<double> counter(const Cell& cell) {
  const Counters* counters = cell.counters();
  if (counters == nullptr || !(counters->*which)) return {};
  return static_cast<double>(*(counters->*which));
}

// From the counters of a cell; null where one of the parts is missing or zero requests were made.
std::optional<double> traffic_over_minimum(const Cell& cell);
std::optional<double> dram_over_minimum(const Cell& cell);
std::optional<double> bytes_between_devices(const Cell& cell);
// bytes asked for, over 32 for each sector touched
std::optional<double> sector_use(const Cell& cell);
std::optional<double> sectors_per_load(const Cell& cell);
std::optional<double> sectors_per_store(const Cell& cell);
std::optional<double> wavefronts_per_shared_request(const Cell& cell);
std::optional<double> barriers_per_block(const Cell& cell);
std::optional<double> barriers_per_thread(const Cell& cell);
std::optional<double> memory_requests(const Cell& cell);

}  // namespace ladder::reports
