// The file of this program, and the checkout whose script ./ladder has started it.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace ladder {

inline std::filesystem::path this_program() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

// Empty where no script has started it.
inline std::filesystem::path checkout() {
  const char* const root = std::getenv("LADDER_ROOT");
  return root == nullptr ? "" : root;
}

}  // namespace ladder
