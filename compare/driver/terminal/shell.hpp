// Words for a shell, and running a program and reading all that it says.
#pragma once

#include <string>
#include <vector>

namespace ladder {

std::string quoted(const std::string& word);  // so that a shell takes it for one word
// ./ladder with these words, as they could be typed to begin the run
std::string typed(const std::vector<std::string>& words);

struct Said {
  int exit_code = 0;  // 128 + signal where one ended it
  std::string text;   // standard output and standard error
};

// Throws std::system_error where no shell can be started.
Said captured(const std::string& shell_command);

}  // namespace ladder
