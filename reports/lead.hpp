// The first sentences of a report: which kernel is the fastest, by how much, and how sure that is. As Markdown.
#pragma once

#include <string>

#include "reports/model.hpp"

namespace ladder::reports {

// Of one operation, on the input that tells most: the best hand-written rung beside the fastest library. Empty where none was timed on a GPU.
std::string standing(const Results& results, const std::string& operation);

// Of all operations, or what else there is where nothing was timed on a GPU.
std::string lead(const Results& results);

}  // namespace ladder::reports
