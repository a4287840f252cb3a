// Files and folders: that of this program, and the checkout whose script ./ladder has started it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace ladder {

namespace fs = std::filesystem;

inline fs::path this_program() {
  return fs::read_symlink("/proc/self/exe");
}

// Of the environment; empty where it is not set.
inline std::string environment_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Empty where no script has started it.
inline fs::path checkout() {
  return environment_variable("LADDER_ROOT");
}

}  // namespace ladder
