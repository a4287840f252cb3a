// `ladder compare`: two result sets, row by row.
#pragma once

#include <filesystem>

namespace ladder {

struct CompareOptions {
  std::filesystem::path a, b;  // results.json, or their folders
  bool as_json = false;
  bool fail_on_slower = false;
};

// Returns the exit code: 1 where a row is slower and that was to fail. Throws reports::BadFile.
int compare_command(const CompareOptions& options);

}  // namespace ladder
