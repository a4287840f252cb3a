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

using Rungs = std::vector<const Implementation*>;
using Begin = std::function<void(std::string_view path)>;  // of each rung
using Answered = std::function<void(const protocol::Answer&)>;

// For each rung: prepare, then for each schedule `repeats` runs, each poisoned before and checked
// after. Stops a rung at its first wrong answer. Where an answer may be off, the tree of each rung
// is measured first.
// What an implementation throws becomes a failed answer with the message as its reason.
// how: "verify", or "verify replayed" for several runs that nobody waits for, captured as one unit
// that is replayed; before and after the replays each rung runs alone, and the answer is skipped
// where they cannot be captured. "verify together": two instances of each rung that run at the same
// time, on a GPU each behind launches that still change its input; `another` is then the same
// problem, with an input and an output of its own.
void verify(std::string_view how, const protocol::VerifyRequest& request, Problem& problem,
            Problem* another, const Rungs& rungs, Trees& trees, const Begin& begin,
            const Answered& answered);

}  // namespace ladder
