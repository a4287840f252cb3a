// A static site of result sets: a list of them, a page of each, and all of them side by side.
#pragma once

#include <vector>

#include "reports/formats/html/several_sets.hpp"
#include "reports/formats/report.hpp"

namespace ladder::reports {

// The name of a set is its folder in the site. Throws std::invalid_argument for no set.
Files site(const std::vector<GivenSet>& sets);

}  // namespace ladder::reports
