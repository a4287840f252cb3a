// Whether two answers to one problem are the same.
#pragma once

#include <string>

#include "compare/protocol.hpp"

namespace ladder::tests {

// How they differ; empty where they agree: bit for bit, or for floats whose order of combination
// matters, as far as both bounds allow. One may be in a type to which it is rounded from the
// other's.
std::string disagreement(const protocol::Answer& a, const protocol::Answer& b);

}  // namespace ladder::tests
