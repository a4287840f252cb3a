// A number with its interval, for print: with as many digits as the interval bears out.
#pragma once

#include <string>

namespace ladder::reports {

// Equally many decimals in all three: the interval has the first digit of its half width, the value
// three digits at least, and no end of a ratio reads 1 that is not.
struct Precise {
  Precise(double value, double low, double high);
  std::string value, low, high;
};

}  // namespace ladder::reports
