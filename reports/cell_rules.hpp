// What must hold within one cell of a sound result set.
#pragma once

#include <string>
#include <vector>

#include "reports/model.hpp"

namespace ladder::reports {

// A sentence for each rule that this cell of these results breaks, beyond those of cell_violations().
std::vector<std::string> broken_rules(const Cell& cell, const Results& results);

}  // namespace ladder::reports
