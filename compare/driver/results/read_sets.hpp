// Several result sets, to be shown side by side.
#pragma once

#include <vector>

#include "compare/driver/terminal/places.hpp"
#include "reports/formats/html/several_sets.hpp"

namespace ladder {

// Throws UsageError of more than a figure can tell apart, and BadFile.
std::vector<reports::GivenSet> read_sets(const std::vector<fs::path>& files);

}  // namespace ladder
