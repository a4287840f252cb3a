// What samples say, and whose they are: for results that are made of them, and for results that are held against them.
#pragma once

#include <vector>

#include "compare/operation.hpp"
#include "reports/model.hpp"

namespace ladder {

// Of all samples, one at least. The median and its interval are of a single process; of several, reports::derive() takes them over the processes.
reports::Time time_of(std::vector<double> samples);

// The cells of this input that were run in this way, but for who ran.
reports::CellKey key_of(const ProblemSpec& problem, const reports::How& how);

}  // namespace ladder
