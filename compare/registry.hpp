// The order of the registry, apart from the one registry that a program has.
#pragma once

#include <vector>

#include "compare/contract.hpp"

namespace ladder {

// Sorted by path, operation, operator and type. Throws std::logic_error that names the path if two registered as one.
std::vector<Implementation> in_order(std::vector<Implementation> registered);

}  // namespace ladder
