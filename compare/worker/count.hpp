// A request that reads the hardware's counters, and takes no time.
#pragma once

#include <vector>

#include "compare/worker/backend.hpp"

namespace ladder {

void count(const protocol::MeasureRequest& request, Problem& problem, const std::vector<const Implementation*>& rungs, Trees& trees,
           const probe::Reporter& report);

}  // namespace ladder
