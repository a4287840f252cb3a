// What is wrong, in a sentence.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace ladder::reports {

// Thrown with the sentence, or with its format and what fills it.
struct Complaint : std::runtime_error {
  using std::runtime_error::runtime_error;

  template <class... Values>
  explicit Complaint(fmt::format_string<Values...> format, Values&&... values)
      : std::runtime_error(fmt::format(format, std::forward<Values>(values)...)) {}
};

}  // namespace ladder::reports
