#include "reports/text/wrap.hpp"

#include <algorithm>

namespace ladder::reports {
namespace {

std::size_t continued_at(std::string_view line) {
  constexpr std::size_t furthest = terminal_width / 2;
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t column = line.find_first_not_of(' ', line.find("  ", begin));
  if (column <= furthest) return column;
  return begin == 0 ? 2 : begin;
}

}  // namespace

std::string wrapped(std::string_view text) {
  std::string all;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
    std::string line(text.substr(start, end - start));
    start = end;
    const std::size_t indent = continued_at(line);
    while (line.size() > terminal_width + 1) {  // with its end
      std::size_t space = line.rfind(' ', terminal_width);
      if (space == line.npos || space <= indent) space = line.find(' ', indent);
      if (space == line.npos) break;
      all += line.substr(0, line.find_last_not_of(' ', space) + 1) + '\n';
      line.replace(0, space + 1, indent, ' ');
    }
    all += line;
  }
  return all;
}

}  // namespace ladder::reports
