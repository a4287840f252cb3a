// Shards of one plan, and the set that they are merged into.
#pragma once

#include <vector>

#include "reports/model/model.hpp"
#include "reports/soundness/flaws.hpp"

namespace ladder::reports {

// What the machines of shards must have in common: all but what tells one board, or one moment,
// from another.
json kind_of(const Machine& machine);

// The machine of a merged set.
Machine common_machine(const std::vector<MergedShard>& shards);

// Whether a merged set is what merging makes: of one kind of machine, and each group of competitors
// on one card.
void check_merged(const Results& results, Soundness& found);

}  // namespace ladder::reports
