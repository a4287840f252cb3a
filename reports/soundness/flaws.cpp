#include "reports/soundness/flaws.hpp"

#include <algorithm>
#include <cmath>

#include "reports/words/names.hpp"

namespace ladder::reports {

bool agree(double a, double b) {
  return std::isfinite(a) && std::isfinite(b) &&
         std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

std::string place_of(const Results& results, std::size_t cell) {
  return fmt::format("/cells/{} ({})", cell, cell_name(results.cells[cell]));
}

}  // namespace ladder::reports
