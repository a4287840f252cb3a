// What a newer version of a library brings. A call that was compiled with two versions is two
// rungs; the one of the newer version follows the other.
#pragma once

#include <string>

#include "reports/numbers/result_set.hpp"

namespace ladder::reports {

// Of all operations, as a section of report.md. Empty where no call was timed with two versions.
std::string upgrade_section(const ResultSet& set);

}  // namespace ladder::reports
