// What follows from what was measured: intervals, bandwidths, percentages, ratios and flags. A run
// is assembled with it, and a file is checked with it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

using CellSamples = std::map<unsigned, std::vector<double>>;  // microseconds, by process
using Samples = std::vector<CellSamples>;                     // of each of placed_cells()

// Fills in what the samples of a cell say, one at least: its quantiles, and the median of each
// process. A process keeps its time back to back, which is not sampled.
void take_samples(const CellSamples& samples, Timing& timing);

// How many times as fast the first is as the second: paired by process, so that what slows a whole
// process cancels. Nothing with fewer than two processes in common.
std::optional<Ratio> ratio_of(
    const std::vector<ProcessMedian>& mine, const std::vector<ProcessMedian>& others,
    std::optional<double> (*time)(const ProcessMedian&) = [](const ProcessMedian& one) {
      return std::optional(one.time_us);
    });

Difference difference(double ci95_low, double ci95_high);

// One of the times of a timed cell, and of its processes.
struct TimeOf {
  std::optional<double> (*of_cell)(const Cell& cell);
  std::optional<double> (*of_process)(const ProcessMedian& one);
};
extern const TimeOf time_alone, time_back_to_back;

// The timed cell with the least such time; of two that are equally fast, the first. Null: no cell
// has such a time.
const Cell* fastest_of(std::span<const Cell* const> cells, const TimeOf& time);

// Whether a time from cold caches means more than the memory's own clock and width can deliver.
bool is_impossible(const Timing& timing, const Cell& cell, const Results& results);

// What bandwidths are held against, in GB/s: on the cell's backend, of the accesses of its
// operation, from the cache where the data stays there. Over devices as many times that of one. 0
// where it was not measured.
class Ceilings {
 public:
  Ceilings(const Results& results, const Order& order);
  double of(const Cell& cell) const;

 private:
  const Order& order_;
  // of two that are listed alike, the first
  std::map<std::tuple<unsigned, Backend, Access, Memory>, double> ceilings_;
};

// Fills in every number of a timed cell that follows from the medians of its processes and from its
// minimum bytes, and every flag of any cell that follows from its numbers. The interval of a single
// process is that of its samples, and stays.
void derive(Results& results);

// Fills in the ratios that no file holds: derive() does, and so does read().
void derive_same_promise(Results& results);

}  // namespace ladder::reports
