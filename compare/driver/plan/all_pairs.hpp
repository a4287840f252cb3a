// Few rows in which every value of a factor meets every value of every other factor.
//
// Most mistakes show where two values meet, whatever the others are (D. R. Kuhn, D. R. Wallace and
// A. M. Gallo, "Software fault interactions and implications for software testing", IEEE
// Transactions on Software Engineering 30(6), 2004).
#pragma once

#include <functional>
#include <vector>

namespace ladder {

struct Level {
  unsigned factor, value;  // its place among the values of the factor
};

// Of each factor the place of its value.
using Row = std::vector<unsigned>;

// values: the number of values of each factor. fit: whether two levels may be in one row. A pair
// that no row can have is left out. Of two values that are worth the same, rows have the first: the
// cheapest stands there. The same rows on every machine.
std::vector<Row> all_pairs(const std::vector<unsigned>& values,
                           const std::function<bool(Level, Level)>& fit);

}  // namespace ladder
