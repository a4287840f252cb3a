#include "compare/driver/workers/clock.hpp"

namespace ladder::driver {

std::chrono::steady_clock::time_point now() {
  return std::chrono::steady_clock::now();
}

}  // namespace ladder::driver
