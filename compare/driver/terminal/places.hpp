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

// Where `run` writes its set, and from where other commands take it, unless the user names another.
inline fs::path latest_set() {
  return checkout() / "reports" / "latest";
}

// The path as short as it can be typed: relative to the current folder, for what lies in it.
inline fs::path from_here(const fs::path& file) {
  const fs::path relative = file.lexically_proximate(fs::current_path());
  return *relative.begin() == ".." ? file : relative;
}

}  // namespace ladder
