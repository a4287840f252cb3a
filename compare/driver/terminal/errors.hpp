// What ends a command early, other than a mistake in this program.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace ladder {

// What the user asked for cannot be done; the message is one sentence that says what, and what
// could be done instead. Exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Ctrl-C or a request to end. Exit code 130.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

// What a file or folder refused, without the library's own words for it.
inline std::string words_of(const std::system_error& problem) {
  const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&problem);
  return of_file == nullptr ? problem.what()
                            : of_file->path1().string() + ": " + of_file->code().message();
}

}  // namespace ladder
