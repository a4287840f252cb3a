// `ladder prove-clock`: is the clock right by which kernels are timed here?
#pragma once

#include <filesystem>
#include <string>

namespace ladder {

struct ProveClockOptions {
  std::string device;         // as in RunOptions
  std::filesystem::path out;  // of clock.json and clock.md
};

// command: as typed, for the record. Returns the exit code: 1 where a check does not hold. Throws
// UsageError where there is no GPU.
int prove_clock_command(const ProveClockOptions& options, const std::filesystem::path& workers,
                        const std::string& command);

}  // namespace ladder
