// compute-sanitizer over a worker program.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/terminal/shell.hpp"

namespace ladder::tests {

constexpr std::array<const char*, 4> tools{"memcheck", "racecheck", "initcheck", "synccheck"};

// the command that runs what follows it under the tool
std::string sanitizer(std::string_view tool);

struct Sanitized {
  Said said;
  std::size_t answers = 0;  // that were asked for

  std::string complaints() const;  // what it said, but for right answers
};

// Rungs of one operation, on a few inputs of every type and contract, in one process under the
// tool: starting the tool takes longer than running most rungs. All are collective, or none is.
// Inputs and outputs have no guards then: the tool sees a byte too far.
Sanitized sanitized(std::string_view tool, const Backend& backend,
                    std::span<const protocol::Listing> rungs);
// whether any of these inputs is for it
bool is_asked(const Backend& backend, const protocol::Listing& rung);

// The tool has printed its summary, and every answer is there and right.
bool is_clean(const Sanitized& run);

// Whether every report names one of these functions (a regular expression), and is a barrier error
// or a warning of a race.
bool is_clean_but_for(const std::string& functions, const Sanitized& run);

}  // namespace ladder::tests
