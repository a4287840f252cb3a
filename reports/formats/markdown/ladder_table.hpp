// The ladder of one operation in one small table: what report.md shows.
#pragma once

#include <string>

#include "reports/numbers/result_set.hpp"

namespace ladder::reports {

// Of the input that tells most; it was timed on a GPU. As Markdown.
std::string ladder_table(const OperationResults& operation);

}  // namespace ladder::reports
