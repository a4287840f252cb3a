// What every format needs to know of cells: what may be shown, in which order, and what follows from their counters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/model.hpp"

namespace ladder::reports {

// The cell as it may be shown: without a verdict no number, and the emulated backend has no time.
Cell presentable(Cell cell);

bool has_flag(const Cell& cell, std::string_view flag);

// "reduce, sum, i32, n = 2^16, random, cub/cub, cuda, device_result, cold", for a terminal
std::string cell_name(const CellKey& key);

// What the bandwidth of this cell is held against: of its backend, of the accesses of its operation, and of the cache where it stays in there. Null
// where that was not measured.
const Ceiling* ceiling_of(const Cell& cell, const std::vector<Ceiling>& ceilings);

// What the 95 % interval of a ratio decides: "faster", "slower", or "no difference shown" where 1 is in it.
const char* ratio_verdict(double ci95_low, double ci95_high);

using RungName = std::pair<std::string, std::string>;  // provider, rung

// Where each implementation stands among these cells: hand-written rungs first, each after the one it improves on, then the libraries.
std::map<RungName, std::size_t> ladder_order(const std::vector<Cell>& cells);

// Those of the inputs that most of them passed on.
std::vector<Cell> of_fullest_inputs(std::vector<Cell> cells);

// Those that share the input which shows most: one with an answer, the largest size, the first operator and type. In the order of the ladder.
std::vector<Cell> of_most_telling_input(std::vector<Cell> cells, const std::map<RungName, std::size_t>& order);

// Sorts as the study lists them; what it does not know comes last.
std::size_t rank_of_operation(std::string_view operation);
std::size_t rank_of_operator(const std::optional<std::string>& op);
std::size_t rank_of_backend(std::string_view backend);
std::size_t rank_of_dtype(std::string_view dtype);

// One of the counters of a cell; null where that was not counted.
template <auto Counters::*which>
std::optional<double> counter(const Cell& cell) {
  if (!cell.counters || !((*cell.counters).*which)) return {};
  return static_cast<double>(*((*cell.counters).*which));
}

// From the counters of a cell; null where one of the parts is missing or zero requests were made.
std::optional<double> traffic_over_minimum(const Cell& cell);
std::optional<double> dram_over_minimum(const Cell& cell);
std::optional<double> sector_use(const Cell& cell);  // bytes asked for, over 32 for each sector touched
std::optional<double> sectors_per_load(const Cell& cell);
std::optional<double> sectors_per_store(const Cell& cell);
std::optional<double> wavefronts_per_shared_request(const Cell& cell);
std::optional<double> barriers_per_block(const Cell& cell);
std::optional<double> barriers_per_thread(
    const Cell& cell);  // per block in files of an earlier schema, which is the same where no thread exits early
std::optional<double> memory_requests(const Cell& cell);

// Orders names of operations as the study takes them; those that it does not know come last.
struct InStudyOrder {
  bool operator()(const std::string& a, const std::string& b) const;
};

}  // namespace ladder::reports
