// report.md: what a person reads. Rendered from results alone: the same results give the same bytes, on every machine.
#pragma once

#include <string>
#include <vector>

#include "reports/model.hpp"
#include "reports/soundness.hpp"

namespace ladder::reports {

// published: result sets of GPUs, whose times stand, marked as theirs, where the results have none of a GPU for an operation.
// soundness: what check says of the results.
std::string markdown(const Results& results, const std::vector<Results>& published = {}, const Soundness& soundness = {});

}  // namespace ladder::reports
