// Lengthy tests have a part that every machine runs; docs/checks.md lists them.
#pragma once

#include <cstdlib>

namespace ladder::tests {

// Whether they run whole, as .ci/run lets them on its even turns.
inline bool run_whole() {
  return std::getenv("LADDER_WHOLE") != nullptr;
}

}  // namespace ladder::tests
