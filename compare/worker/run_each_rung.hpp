// Rungs one after another, each with a cell of its own: counting, where nothing is timed.
#pragma once

#include <functional>
#include <vector>

#include "compare/operation.hpp"
#include "compare/worker/backend.hpp"

namespace ladder {

// Announces each rung and reports its cell. `observe` fills in the verdict. What it throws becomes
// a verdict, except backend::DeviceLost.
void run_each_rung(const std::vector<probe::Entry>& entries, const probe::Reporter& report,
                   const std::function<void(const Implementation& rung, Problem& problem,
                                            protocol::MeasuredCell& cell)>& observe);

}  // namespace ladder
