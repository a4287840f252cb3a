// `ladder new`: a file to start a rung from.
#pragma once

#include <filesystem>
#include <string>

namespace ladder {

struct NewOptions {
  // "reduce/my_kernel": the folder of its operation below handwritten/, and its own name
  std::string name = {};
  std::string like = {};           // the rung to copy; empty: the first of its ladder
  std::filesystem::path folder;    // of the user's kernels
  std::filesystem::path checkout;  // of this project, where the rungs to copy are
};

// Writes a copy of a rung under another name, with a card to fill in. Returns the exit code. Throws
// UsageError.
int new_command(const NewOptions& options);

}  // namespace ladder
