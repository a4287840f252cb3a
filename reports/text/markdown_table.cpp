#include "reports/text/markdown_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ladder::reports {

std::string markdown_table(const Table& table) {
  const auto& [columns, rows, caption] = table;
  std::string head = "|", rule = "|", body;
  std::vector<bool> shown;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    shown.push_back(std::ranges::any_of(rows, [c](const auto& row) { return !row[c].empty(); }));
    if (!shown[c]) continue;
    head += fmt::format(" {} |", columns[c].title);
    rule += columns[c].number ? " ---: |" : " --- |";
  }
  for (const auto& row : rows) {
    body += '|';
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (shown[c]) body += fmt::format(" {} |", row[c]);
    }
    body += '\n';
  }
  return head + '\n' + rule + '\n' + body;
}

}  // namespace ladder::reports
