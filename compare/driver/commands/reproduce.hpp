// `ladder reproduce`: run the rows of a result set again, and say whether its ratios and counts are
// those of this machine.
#pragma once

#include <filesystem>
#include <string>

#include "compare/driver/commands/run.hpp"
#include "reports/numbers/chosen_cells.hpp"

namespace ladder {

struct ReproduceOptions {
  std::filesystem::path file = {};  // results.json, or its folder
  reports::Choice choice = {};      // of its rows
  RunOptions run;                   // its selection is not used
};

// command: as typed, for the record. Returns the exit code: 0 reproduced, 1 not. Throws
// reports::BadFile, and UsageError where nothing of the set can be run or compared here.
int reproduce_command(const ReproduceOptions& options, const std::filesystem::path& workers,
                      const std::string& command);

}  // namespace ladder
