// What every implementation is asked.
#pragma once

#include <string>
#include <vector>

#include "compare/protocol.hpp"

namespace ladder::tests {

// All there is to ask of one operation, operator and type.
std::vector<protocol::VerifyRequest> whole_plan(const protocol::OperationListing& operation);

// Enough for more levels of partial results than whole_plan sees; slow, so not for every operator.
std::vector<protocol::VerifyRequest> long_inputs(const protocol::OperationListing& operation);

// Every kind of input at few sizes, to hold two implementations against each other.
std::vector<protocol::VerifyRequest> short_plan(const protocol::OperationListing& operation);

// "sum of f32, n = 1000, dyadic, seed 3, offset 2"
std::string in_words(const ProblemSpec& problem);

}  // namespace ladder::tests
