// JSON of unknown origin, within bounds that no file of a study comes near.
#pragma once

#include <string_view>

#include "reports/model/fields.hpp"
#include "reports/text/complaint.hpp"

namespace ladder::reports {

// What is wrong, in one sentence.
struct BadJson : Complaint {
  using Complaint::Complaint;
};

// Throws BadJson, also for what the library's own parser would accept: a field given twice, deep
// nesting, which everything that walks a document would pay for with the stack, and more values
// than memory is there for.
json strict_json(std::string_view text);

}  // namespace ladder::reports
