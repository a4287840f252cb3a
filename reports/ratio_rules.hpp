// What must hold between the cells of a sound result set: every ratio follows from two of them.
//
// A ratio is the geometric mean of quotients paired by process, which is the quotient of two geometric means: paired or not is the same for the
// value, if not for its interval. The geometric mean of a cell's process medians can be had from the cell: its interval is symmetric about that mean
// on the logarithms, unless it was stretched to hold the median. So the value must be met exactly, where a quotient of the medians is off by 9 % in a
// set of six processes on a GPU and by 30 % in one of three on a busy CPU. Where an interval was stretched, the mean is somewhere within.
#pragma once

#include <vector>

#include "reports/schema.hpp"

namespace ladder::reports {

std::vector<CellViolation> broken_ratios(const std::vector<Cell>& cells);

}  // namespace ladder::reports
