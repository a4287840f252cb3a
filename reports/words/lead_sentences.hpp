// The first sentences of a report: which kernel is the fastest, by how much, and how sure that is.
// As Markdown.
#pragma once

#include <string>

#include "reports/numbers/result_set.hpp"

namespace ladder::reports {

// On the input that tells most: the best hand-written rung beside the fastest library. Empty where
// none was timed on a GPU.
std::string standing(const OperationResults& operation);

// From which size on several devices are faster than one, or that no such size is shown. Empty
// where none was timed over several.
std::string faster_from(const OperationResults& operation);

// Of all operations, or what else there is where nothing was timed on a GPU.
std::string lead(const ResultSet& set);

}  // namespace ladder::reports
