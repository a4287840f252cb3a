// The part of report.md that belongs to one operation: its ladder, the tables, what explains them, and what did not run.
#pragma once

#include <string>
#include <vector>

#include "reports/model.hpp"
#include "reports/published.hpp"

namespace ladder::reports {

// cells: presentable, of one operation. published: GPU times of it from other runs.
std::string operation_section(const std::string& operation, const std::vector<Cell>& cells, const std::vector<Excerpt>& published);

}  // namespace ladder::reports
