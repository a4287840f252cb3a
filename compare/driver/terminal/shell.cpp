#include "compare/driver/terminal/shell.hpp"

#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace ladder {

std::string quoted(const std::string& word) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:^@%";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + '\'';
}

std::string typed(const std::vector<std::string>& words) {
  std::string text = "./ladder";
  for (const std::string& word : words)
    if (word != "--resume" && word != "--restart")
      text += ' ' + quoted(word);  // neither makes another run
  return text;
}

Said captured(const std::string& shell_command) {
  std::FILE* const pipe = popen(("{ " + shell_command + "; } 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::system_error(errno, std::generic_category(), "popen");
  Said said;
  std::array<char, 4096> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    said.text.append(buffer.data(), size);
  const int status = pclose(pipe);
  said.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return said;
}

}  // namespace ladder
