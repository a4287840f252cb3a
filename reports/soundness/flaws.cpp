#include "reports/soundness/flaws.hpp"

#include <algorithm>
#include <cmath>

#include "reports/words/names.hpp"

namespace ladder::reports {

bool agree(double a, double b) {
  return std::isfinite(a) && std::isfinite(b) &&
         std::abs(a - b) <= 2e-5 * std::max(std::abs(a), std::abs(b));
}

std::string place_of(const PlacedCell& cell) {
  return fmt::format("{} ({})", cell.place(), cell_name(*cell));
}

}  // namespace ladder::reports
