// A few lines for the terminal, at the end of a run.
#pragma once

#include <string>

#include "reports/model.hpp"

namespace ladder::reports {

// At most about 25 lines of 100 columns, plain ASCII: for each backend the most telling input, and how the verdicts fell.
std::string summary(const Results& results);

}  // namespace ladder::reports
