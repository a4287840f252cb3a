// What samples say, and whose they are: for results that are made of them, and for results that are held against them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compare/operation.hpp"
#include "reports/model.hpp"

namespace ladder {

// A rung's median in each process it was timed in.
using ProcessMedians = std::map<unsigned, double>;

// The headline is of the medians, everything else of all samples; there is one of each at least.
reports::Time time_of(const ProcessMedians& medians, std::vector<double> samples, bool converged);

// The cells of this input, but for provider and rung.
reports::CellKey key_of(const ProblemSpec& problem, const std::string& backend, const std::optional<std::string>& contract,
                        const std::optional<std::string>& cache);

}  // namespace ladder
