// Whether an implementation computes its answer when it runs.
#pragma once

#include <string>

#include "compare/operation.hpp"
#include "compare/registry.hpp"
#include "compare/worker/trees.hpp"

namespace ladder {

// What is wrong with its second answer, where its first was right and then the input changed: one
// that was computed beforehand, or kept from an earlier run, is the answer to another question.
// Empty: nothing, or its first is wrong already. On a thousand elements at most, whatever the size
// of spec.
std::string complaint_on_changed_input(const Implementation& rung, const Kind& kind,
                                       const ProblemSpec& spec, Contract contract, Trees& trees);

}  // namespace ladder
