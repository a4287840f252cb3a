// What a cell says about its rung, from the rung's card and the verdict on its answer. Common to
// the backends that time and the one that counts.
#pragma once

#include <optional>
#include <string>

#include "compare/operation.hpp"
#include "compare/protocol.hpp"
#include "compare/registry.hpp"

namespace ladder {

// Why this rung is not run on n elements; nothing where it is.
std::optional<std::string> reason_to_skip(const Implementation& rung, std::uint64_t n);

// Writes verdict, reason, error and flags for one checked answer. True where the rung may go on:
// only a right answer earns a number.
bool judge(const Implementation& rung, const Verdict& answer, protocol::MeasuredCell& cell);

}  // namespace ladder
