// Whether an implementation computes its answer when it runs.
#pragma once

#include "compare/contract.hpp"
#include "compare/operation.hpp"
#include "compare/worker/trees.hpp"

namespace ladder {

// The verdict on its second answer, where the input has changed after it was prepared and had run once: an answer that was computed beforehand, or
// kept from an earlier run, is that to another question. On a thousand elements at most, whatever the size of spec.
Verdict verdict_on_new_input(const Implementation& rung, const Operation& operation, const ProblemSpec& spec, Contract contract, Trees& trees);

}  // namespace ladder
