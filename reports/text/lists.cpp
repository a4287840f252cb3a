#include "reports/text/lists.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text/numbers.hpp"

namespace ladder::reports {

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string enumerated(const std::vector<std::string>& parts) {
  if (parts.size() < 2) return joined(parts);
  return joined({parts.begin(), parts.end() - 1}) + " and " + parts.back();
}

std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  if (n == 1 || !many.empty()) return fmt::format("{} {}", grouped(n), n == 1 ? one : many);
  return fmt::format("{} {}{}", grouped(n), one, one.ends_with('s') ? "es" : "s");
}

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& columns,
                                 std::size_t left_aligned) {
  std::vector<std::size_t> width;
  width.reserve(columns.size());
  for (const auto& texts : columns)
    width.push_back(std::ranges::max_element(texts, {}, &std::string::size)->size());
  std::vector<std::string> lines;
  for (std::size_t r = 0; !columns.empty() && r < columns[0].size(); ++r) {
    std::string line = " ";
    for (std::size_t c = 0; c < columns.size(); ++c)
      line += c < left_aligned ? fmt::format(" {:<{}} ", columns[c][r], width[c])
                               : fmt::format("{:>{}}  ", columns[c][r], width[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line + '\n');
  }
  return lines;
}

}  // namespace ladder::reports
