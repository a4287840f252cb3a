// What ends a command early, other than a mistake in this program.
#pragma once

#include <stdexcept>

namespace ladder {

// What the user asked for cannot be done; the message is one sentence that says what, and what could be done instead. Exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Ctrl-C or a request to end. Exit code 130.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace ladder
