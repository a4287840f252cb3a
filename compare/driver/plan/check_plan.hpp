// The runs of a rung under check-kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/plan/selection.hpp"

namespace ladder {

struct CheckRun {
  ProblemSpec problem;
  unsigned multiprocessors;
  bool in_few_orders;

  auto operator<=>(const CheckRun&) const = default;
};

// Empty where the rung has nothing of what was chosen. is_quick: fewer sizes, and nothing else
// varied.
std::vector<CheckRun> runs_of(const protocol::Listing& rung, const Backend& backend,
                              const Selection& selection, bool is_quick);

// A run has the inputs of two seeds, one after the other. Some distributions have more to show than
// two seeds do: they have several variants.
unsigned variants_of(const std::string& distribution);

}  // namespace ladder
