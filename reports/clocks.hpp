// What several looks at a GPU's clock say together.
#pragma once

#include <algorithm>
#include <optional>

#include "reports/model.hpp"

namespace ladder::reports {

inline void merge(const Clocks& more, std::optional<Clocks>& into) {
  if (!into) {
    into = more;
    return;
  }
  into->sm_mhz_min = std::min(into->sm_mhz_min, more.sm_mhz_min);
  into->sm_mhz_max = std::max(into->sm_mhz_max, more.sm_mhz_max);
  for (const auto& reason : more.slowed_by)
    if (std::ranges::count(into->slowed_by, reason) == 0) into->slowed_by.push_back(reason);
}

}  // namespace ladder::reports
