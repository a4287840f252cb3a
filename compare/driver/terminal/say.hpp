// A line for the person at the terminal. It never ends the study: where standard error cannot be
// written to, it is lost. Whatever words it quotes, of an option or of a file, it has no character
// that a terminal takes for a command.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

#include "reports/text/escape.hpp"

namespace ladder {

template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string line =
      "ladder: " + reports::one_line(fmt::format(format, std::forward<Arguments>(arguments)...)) +
      '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace ladder
