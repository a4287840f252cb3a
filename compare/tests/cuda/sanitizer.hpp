// compute-sanitizer over a worker program.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "compare/driver/catalogue.hpp"
#include "compare/driver/shell.hpp"

namespace ladder::tests {

constexpr std::array<const char*, 4> tools{"memcheck", "racecheck", "initcheck", "synccheck"};

std::string sanitizer(std::string_view tool);  // the command that runs what follows it under the tool

// The rung on a few inputs of every type and contract under the tool. Inputs and outputs have no guards then: the tool sees a byte too far.
Said sanitized(const char* tool, const Backend& backend, const protocol::Listing& rung);

// It says so in so many words: silence is no summary.
bool is_clean(const Said& said);

// synccheck wants the whole block at one barrier instruction. The warps of waves meet at one barrier from two loops (handwritten/scan/waves.hpp),
// which it reports. Whether that is all it reports.
bool is_clean_but_for_meet(const Said& said);

}  // namespace ladder::tests
