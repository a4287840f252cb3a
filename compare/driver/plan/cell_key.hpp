// From a problem, as workers are asked about it, to the cells of a result set.
#pragma once

#include "compare/operation.hpp"
#include "reports/model/model.hpp"

namespace ladder {

// The cells of this input that were run in this way, but for who ran.
reports::CellKey key_of(const ProblemSpec& problem, const reports::How& how);

}  // namespace ladder
