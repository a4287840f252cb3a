// A request that reads the hardware's counters, and takes no time.
#pragma once

#include <vector>

#include "compare/worker/backend.hpp"
#include "compare/worker/trees.hpp"

namespace ladder {

void count(const protocol::MeasureRequest& request, const std::vector<probe::Entry>& entries,
           Trees& trees, const probe::Reporter& report);

}  // namespace ladder
