// What a worker's silence is measured by. Programs of the tests have a clock of straw in its place
// (compare/tests/straw_clock.cpp).
#pragma once

#include <chrono>

namespace ladder::driver {

std::chrono::steady_clock::time_point now();

}  // namespace ladder::driver
