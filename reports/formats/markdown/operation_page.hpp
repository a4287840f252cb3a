// A page of report/, about one operation: its ladder, what changes from rung to rung, time and
// bandwidth by size and type, and what did not run. Everything else is in report.html and the CSV.
#pragma once

#include <string>

#include "reports/numbers/result_set.hpp"

namespace ladder::reports {

// Below the page's title. As Markdown.
std::string operation_page(const OperationResults& operation);

}  // namespace ladder::reports
