// Figures that lie drawn beside a report, where they are of its results.
#pragma once

#include <string>

#include "reports/formats/report.hpp"
#include "reports/numbers/result_set.hpp"

namespace ladder::reports {

// "figures/reduce-ladder.svg", or empty where no picture shows these rows.
std::string ladder_picture(const Report& report, const OperationResults& operation);

}  // namespace ladder::reports
