// What must hold within one cell of a sound result set.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::reports {

struct CellFindings {
  // a sentence for each rule that the cell breaks, beyond those of cell_violations()
  std::vector<std::string> broken;
  std::vector<std::string> doubtful;  // what can have been so, and seldom is
};

CellFindings judged(const Cell& cell, const Results& results);

}  // namespace ladder::reports
