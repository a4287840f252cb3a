// report.md: what a person reads. Rendered from results alone: the same results give the same bytes, on every machine.
#pragma once

#include <string>
#include <vector>

#include "reports/model.hpp"

namespace ladder::reports {

// published: result sets of GPUs, whose times stand, marked as theirs, where the results have none of a GPU for an operation.
std::string markdown(const Results& results, const std::vector<Results>& published = {});

}  // namespace ladder::reports
