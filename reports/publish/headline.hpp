// The picture and the table in the README: what a visitor of the repository sees of a published
// result set.
#pragma once

#include <string>

#include "reports/formats/report.hpp"

namespace ladder::reports {

// As Markdown. folder: where the set is, as the README's links name it.
std::string headline(const Report& report, const std::string& folder);

}  // namespace ladder::reports
