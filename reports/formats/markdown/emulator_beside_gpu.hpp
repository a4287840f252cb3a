// Where a run has the emulated backend's counts and a GPU's own counters of one rung on one input:
// both, side by side.
#pragma once

#include <string>
#include <vector>

#include "reports/model/ladder_order.hpp"

namespace ladder::reports {

// cells: of one operation. Empty where nothing was counted twice.
std::string counted_twice(const std::vector<Cell>& cells, const Order& order);

}  // namespace ladder::reports
