// Sizes that nobody tuned for, beside the powers of two around them: primes, 2^k +- 1, 3 * 2^k.
#pragma once

#include <string>
#include <vector>

#include "reports/model.hpp"

namespace ladder::reports {

constexpr double trend_tolerance = 0.15;  // of the time for each element, above its neighbours' trend

// A size of a rung that holds a line of the targets, cold, until the result is in device memory.
struct OddSize {
  const Cell* cell = nullptr;
  double above_trend = 0;  // of its time for each element: 0.1 is a tenth more than between its neighbours, on a straight line over log n
};

// The worst first. A size counts that lies between two timed powers of two, of the same operation, operator, type, distribution and bins.
std::vector<OddSize> odd_sizes(const Results& results);

// A sentence, and a table of the worst, as Markdown. Empty where there is none.
std::string odd_sizes_text(const Results& results);

}  // namespace ladder::reports
