// Several result sets side by side, of several GPUs or of several versions: sets.html and sets.md.
//
// A ratio to the fastest library of its own set can be compared with one of another machine, so
// ratios come first. Times stand apart, and it is said whose they are.
#pragma once

#include <string>
#include <vector>

#include "reports/formats/report.hpp"

namespace ladder::reports {

struct GivenSet {
  std::string name;  // as its user calls it
  Results results;
  Soundness soundness;  // what check says of it
};

inline constexpr std::size_t most_sets = 5;  // as many as there are colours that can be told apart

// 2 sets at least, most_sets at most.
Files sets_files(const std::vector<GivenSet>& sets);

// The specification of a picture of that width: the fastest kernel of each operation against the
// fastest library of the same set, a point for each set. Empty where no set has such a ratio.
std::string sets_figure(const std::vector<GivenSet>& sets, double width_mm);

}  // namespace ladder::reports
