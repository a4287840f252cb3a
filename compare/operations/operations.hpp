// Every operation, each in its own source: what operations() of compare/operation.hpp is put together from.
#pragma once

#include <vector>

#include "compare/operation.hpp"

namespace ladder {

void append_reduce(std::vector<Operation>& to);

}  // namespace ladder
