#include "reports/formats/markdown/cell_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text/escape.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/columns.hpp"

namespace ladder::reports {
namespace {

bool says_something(const Column& column, const Cells& cells) {
  return std::ranges::any_of(cells, [&](const Cell& c) { return !column.text(c).empty(); });
}

}  // namespace

std::string cell_table(const Cells& cells, const Cell* bold) {
  Table table{{"type"}};
  auto& rows = table.rows;
  for (const Cell& cell : cells) rows.push_back({escaped(cell.input.dtype)});
  for (const Column& column : columns()) {
    if (!says_something(column, cells)) continue;
    table.columns.push_back({std::string(column.title), column.is_number});
    for (std::size_t r = 0; r < cells.size(); ++r) {
      const std::string text = column.text(cells[r]);
      rows[r].push_back(text.empty() ? std::string(blank_in_words(column, cells[r])) : text);
      if (&cells[r] == bold && text.find('*') == text.npos)
        rows[r].back() = fmt::format("**{}**", rows[r].back());
    }
  }
  return markdown_table(table);
}

std::string how_to_read(const Cells& cells) {
  std::string meanings;
  for (const Column& column : columns())
    if (!column.meaning.empty() && says_something(column, cells))
      meanings += fmt::format("- **{}**: {}\n", column.title, column.meaning);
  return meanings.empty() ? "" : passage("report/how to read", {{"meanings", meanings}});
}

}  // namespace ladder::reports
