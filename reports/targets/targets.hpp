// How the best kernels stand against the fastest libraries, over all inputs of a set: for each
// operation, from small inputs to large ones. docs/targets.md has the table for readers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/model.hpp"
#include "reports/numbers/compare_sets.hpp"
#include "reports/text/markdown_table.hpp"

namespace ladder::reports {

// Whether a hand-written rung is the one that its operation offers for every size and input of a
// type: the preset `wide` times these alone.
bool holds_a_line(std::string_view operation, std::string_view dtype, const Who& who);

// The inputs of an operation in a band of sizes: from cold caches, until the result is in the GPU's
// memory. On each of them the hand-written rung that is the fastest is held against the library
// that is. An input on which no rung for every size was timed does not count: the experiments of
// the study notes have the rungs of the notes alone.
struct Band {
  std::string operation, sizes;  // "2^14 to 2^20"
  Tally inputs = {};             // on how many the rung is faster, slower or neither
  double median = 0;             // of the ratios
  // of the input with the lowest ratio
  const Cell *worst = nullptr, *library = nullptr;
  // of the shares of the limit; nothing and null where none was measured
  std::optional<double> median_of_limit = {};
  const Cell* farthest = nullptr;  // the rung with the lowest share
};

// Those that have inputs, by operation. They point into the results.
std::vector<Band> bands(const Results& results);

// "faster on 410 of 434 inputs, slower on 3, no difference shown on 21"
std::string targets_in_short(const std::vector<Band>& all);

Table targets_table(const std::vector<Band>& all);

// What docs/targets.md says of a published set, as Markdown.
std::string targets_of_published(const Results& results);

}  // namespace ladder::reports
