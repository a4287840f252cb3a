#include "compare/tests/gpu.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "compare/tests/catch.hpp"

namespace ladder::tests {

void skip(const std::string& why) {
  if (std::getenv("LADDER_REQUIRE_GPU") != nullptr) FAIL(why);
  fmt::print("SKIPPED: {}\n", why);  // what ctest knows a skipped test by
}

bool skipped_without(const Backend& backend) {
  if (backend.unavailable.empty()) return false;
  skip(fmt::format("the {} backend does not run here: {}", name_of(backend.name),
                   backend.unavailable));
  return true;
}

}  // namespace ladder::tests
