// Files and folders: that of this program, and the checkout whose script ./ladder has started it.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace ladder {

namespace fs = std::filesystem;

inline fs::path this_program() {
  return fs::read_symlink("/proc/self/exe");
}

// Empty where no script has started it.
inline fs::path checkout() {
  const char* const root = std::getenv("LADDER_ROOT");
  return root == nullptr ? "" : root;
}

}  // namespace ladder
