// Tests that need a backend which this machine may not have.
#pragma once

#include <string>

#include "compare/driver/plan/catalogue.hpp"

namespace ladder::tests {

// True where the backend does not run here: the test then ends, and ctest lists it as skipped.
// Where LADDER_REQUIRE_GPU is set, the test fails.
bool skipped_without(const Backend& backend);

// Ends a test for this reason in the same way.
void skip(const std::string& why);

}  // namespace ladder::tests
