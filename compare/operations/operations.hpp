// Every operation, each in its own source: what operations() of compare/operation.hpp is put together from.
#pragma once

#include <vector>

#include "compare/operation.hpp"

namespace ladder {

void append_reduce(std::vector<Operation>& to);
void append_sum_of_cubes(std::vector<Operation>& to);
void append_dot(std::vector<Operation>& to);
void append_scans(std::vector<Operation>& to);
void append_histogram(std::vector<Operation>& to);

}  // namespace ladder
