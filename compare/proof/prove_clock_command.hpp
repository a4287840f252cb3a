// `ladder prove-clock`: is the clock right by which kernels are timed here?
#pragma once

#include <string>

#include "compare/driver/terminal/places.hpp"

namespace ladder {

// device: as in RunOptions. out: the folder for clock.json and clock.md. command: as typed, for the
// record. Returns the exit code: 1 where a check does not hold. Throws UsageError where there is no
// GPU.
int prove_clock_command(const std::string& device, const fs::path& out, const std::string& command);

}  // namespace ladder
