// The figures for a paper that a choice leaves empty.
#pragma once

#include <string>

#include "reports/formats/report.hpp"

namespace ladder::reports {

// "reduce-error, reduce-wins (no selected row has what it shows)"; empty: all are drawn.
std::string left_out_figures(const Report& report);

}  // namespace ladder::reports
