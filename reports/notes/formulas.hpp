// The formulas of note N3 for steps and work of each way to reduce and to scan, beside the counts.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/notes/evidence.hpp"

namespace ladder::reports {

struct Formula {
  std::string_view text;
  double (*of)(double n);
};

struct Complexity {
  const Experiment& experiment;
  std::string_view rung;
  Formula steps, work;
};

std::span<const Complexity> complexities();

// A table of the rungs whose steps and work were counted; empty where there are none.
std::string formulas_section(const Results& results);

}  // namespace ladder::reports
