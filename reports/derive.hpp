// What follows from what was measured: intervals, bandwidths, percentages and ratios. A run is assembled with it, and a file is checked with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/model.hpp"

namespace ladder::reports {

// Null where the operation is not listed.
const Operation* operation_of(const Input& input, const Results& results);

// What the bandwidth of this cell is held against: on its backend, of the accesses of its operation, from the cache where the data stays there. Null
// where that was not measured.
const Ceiling* ceiling_of(const Cell& cell, const Results& results);

// How many times as fast the first is as the second: paired by process, so that what slows a whole process cancels. Nothing with fewer than two
// processes in common.
std::optional<Ratio> ratio_of(
    const std::vector<ProcessMedian>& mine, const std::vector<ProcessMedian>& others,
    std::optional<double> (*time)(const ProcessMedian&) = [](const ProcessMedian& one) { return std::optional(one.time_us); });

Difference difference(double ci95_low, double ci95_high);

// Of a time from cold caches: more than the memory's own clock and width can deliver.
bool is_impossible(const Timing& timing, const Cell& cell, const Results& results);

// Fills in every number of a timed cell that follows from the medians of its processes and from its minimum bytes, and the flag above_ceiling. The
// interval of a single process is that of its samples, and stays.
void derive(Results& results);

}  // namespace ladder::reports
