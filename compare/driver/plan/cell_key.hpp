// The cells of a result set that a problem, as workers are asked about it, belongs to.
#pragma once

#include "compare/operation.hpp"
#include "reports/model/model.hpp"

namespace ladder {

// The key of the cells of this input that were run in this way; `who` is empty.
reports::CellKey key_of(const ProblemSpec& problem, const reports::How& how);

}  // namespace ladder
