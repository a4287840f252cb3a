// The part of report.md that belongs to one operation: its ladder, the tables, what explains them, and what did not run.
#pragma once

#include <string>
#include <vector>

#include "reports/model.hpp"

namespace ladder::reports {

// cells: presentable, of one operation.
std::string operation_section(const std::string& operation, const std::vector<Cell>& cells);

}  // namespace ladder::reports
