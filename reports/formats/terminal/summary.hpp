// A few lines for the terminal, at the end of a run.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::reports {

// At most about 25 lines of 100 columns, plain ASCII: for each backend the most telling input, and
// how the verdicts fell. published: as the report has them; a line points to it where it shows
// their times.
std::string summary(const Results& results, const std::vector<Results>& published = {});

}  // namespace ladder::reports
