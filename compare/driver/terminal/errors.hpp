// What ends a command early, other than a mistake in this program.
#pragma once

#include <string>
#include <system_error>

#include "compare/driver/terminal/places.hpp"
#include "reports/text/complaint.hpp"

namespace ladder {

// What the user asked for cannot be done; the message is one sentence that says what, and what
// could be done instead. Exit code 2.
struct UsageError : reports::Complaint {
  using Complaint::Complaint;
};

// Ctrl-C, or a request to end. No std::exception, so no handler of failures takes it for one. Exit
// code 130.
struct Interrupted {};

// What a file or folder refused, without the library's own words for it.
inline std::string words_of(const std::system_error& problem) {
  const auto* of_file = dynamic_cast<const fs::filesystem_error*>(&problem);
  return of_file == nullptr ? problem.what()
                            : of_file->path1().string() + ": " + of_file->code().message();
}

}  // namespace ladder
