// The result sets that this checkout publishes.
#pragma once

#include <vector>

#include "reports/model/model.hpp"

namespace ladder {

// reports/published/*/results.json under $LADDER_ROOT, by name; none without it. What cannot be
// read is left out, with a line on standard error.
std::vector<reports::Results> read_published();

}  // namespace ladder
