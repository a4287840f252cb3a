// What nobody tuned for: primes, 2^k +- 1 and 3 * 2^k beside the powers of two around them, and
// displaced arrays beside aligned ones.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::reports {

// of the time for each element, above its neighbours' trend or the aligned time
constexpr double trend_tolerance = 0.15;

// A size, or displaced arrays, of a rung that holds a line of the targets, cold, until the result
// is in device memory.
struct OddSize {
  const Cell* cell = nullptr;
  // Of its time for each element: 0.1 is a tenth more than between its neighbours, on a straight
  // line over log n. Of displaced arrays: a tenth more than on aligned ones of the same size.
  double above_trend = 0;
};

// The worst first. A size counts that lies between two timed powers of two, of the same operation,
// operator, type, distribution and bins, and any size on displaced arrays that was timed on aligned
// ones too.
std::vector<OddSize> odd_sizes(const Results& results);

// Sentences, and a table of the worst, as Markdown. Empty where there is none.
std::string odd_sizes_text(const Results& results);

}  // namespace ladder::reports
