// The part of report.md that belongs to one operation: its ladder, the tables, what explains them, and what did not run.
#pragma once

#include <string>
#include <vector>

#include "reports/model.hpp"
#include "reports/times_and_counts.hpp"

namespace ladder::reports {

// cells: of one operation of the run. gpu: times of it on a GPU, of this run or of others.
std::string operation_section(const std::string& operation, const Results& run, const Order& order, const std::vector<Cell>& cells,
                              const std::vector<Excerpt>& gpu);

}  // namespace ladder::reports
