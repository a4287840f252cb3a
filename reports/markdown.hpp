// report.md: what a person reads. Rendered from the results alone: the same results give the same bytes, on every machine.
#pragma once

#include <string>

#include "reports/model.hpp"

namespace ladder::reports {

std::string markdown(const Results& results);

}  // namespace ladder::reports
