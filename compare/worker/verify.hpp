// Verifies implementations on one problem, without timing them.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "compare/operation.hpp"
#include "compare/protocol.hpp"
#include "compare/registry.hpp"
#include "compare/worker/trees.hpp"

namespace ladder {

// For each rung: prepare, then for each schedule `repeats` runs, each poisoned before and checked
// after. Stops a rung at its first wrong answer. Where an answer may be off, the tree of each rung
// is measured first.
// What an implementation throws becomes a failed answer with the message as its reason.
void verify(const protocol::VerifyRequest& request, Problem& problem,
            const std::vector<const Implementation*>& rungs, Trees& trees,
            const std::function<void(std::string_view path)>& begin,
            const std::function<void(const protocol::Answer&)>& answer);

// The same of several runs that nobody waits for, captured as one unit that is replayed; before and
// after the replays each rung runs alone. The answer is skipped where they cannot be captured.
void verify_replayed(Problem& problem, const std::vector<const Implementation*>& rungs,
                     Trees& trees, const std::function<void(std::string_view path)>& begin,
                     const std::function<void(const protocol::Answer&)>& answer);

// The same of two instances of each rung that run at the same time, on a GPU each behind launches
// that still change its input. `another` is the same problem, with an input and an output of its
// own.
void verify_together(Problem& problem, Problem& another,
                     const std::vector<const Implementation*>& rungs, Trees& trees,
                     const std::function<void(std::string_view path)>& begin,
                     const std::function<void(const protocol::Answer&)>& answer);

}  // namespace ladder
