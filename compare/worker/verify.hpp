// Verifies implementations on one problem, without timing them.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "compare/contract.hpp"
#include "compare/operation.hpp"
#include "compare/protocol.hpp"
#include "compare/worker/trees.hpp"

namespace ladder {

// For each rung: prepare, then for each schedule `repeats` runs, each poisoned before and checked after. Stops a rung at its first wrong answer.
// Where an answer may be off, the tree of each rung is measured first.
// What an implementation throws becomes a failed answer with the message as its reason.
void verify(const protocol::VerifyRequest& request, Problem& problem, const std::vector<const Implementation*>& rungs, Trees& trees,
            const std::function<void(std::string_view path)>& begin, const std::function<void(const protocol::Answer&)>& answer);

}  // namespace ladder
