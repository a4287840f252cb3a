// Where a run has the emulated backend's counts and a GPU's own counters of one rung on one input: both, side by side.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/ladder.hpp"

namespace ladder::reports {

// cells: presentable, of one operation. Empty where nothing was counted twice.
std::string counted_twice(const std::vector<Cell>& cells, const std::map<RungName, std::size_t>& order);

}  // namespace ladder::reports
