// For whatever does not race: rungs one after another, each with a cell of its own.
#pragma once

#include <functional>
#include <vector>

#include "compare/operation.hpp"
#include "compare/registry.hpp"
#include "compare/worker/backend.hpp"

namespace ladder {

// Announces each rung and reports its cell. `observe` fills in the verdict; what it throws is one,
// but for backend::DeviceLost.
void one_by_one(const std::vector<probe::Entry>& entries, const probe::Reporter& report,
                const std::function<void(const Implementation& rung, Problem& problem,
                                         protocol::MeasuredCell& cell)>& observe);

}  // namespace ladder
