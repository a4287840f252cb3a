// RFC 4180: every cell that fits the choice, with the id of the run and every column of the table
// of cells (numbers/flat_table.hpp). Foreign text that a spreadsheet would take for a formula
// begins with an apostrophe.
#include <string>
#include <string_view>

#include "reports/formats/report.hpp"
#include "reports/text/escape.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

std::string csv_name(const FlatColumn& column) {
  const std::string name(column.name);
  if (column.unit == "us") return name + "_us";
  if (column.unit == "GB/s") return name + "_gbps";
  return column.unit == "%" && !name.starts_with("percent") ? name + "_percent" : name;
}

std::string csv_text(const json& value) {
  if (value.is_null()) return "";
  if (!value.is_string()) return value.dump();
  std::string text = one_line(value.get_ref<const std::string&>());
  const auto first = text.find_first_not_of(' ');
  if (first != text.npos && std::string_view("=+-@").find(text[first]) != std::string_view::npos)
    text.insert(0, 1, '\'');
  // some programs take a semicolon for a comma
  if (text.find_first_of(",;\"") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

// JSON has no infinity: an answer has no such error only where it is infinite.
bool is_infinite(const FlatColumn& column, const json& value, const Cell& cell) {
  return value.is_null() && cell.error() != nullptr &&
         (column.name == "error_ulp_max" || column.name == "error_relative");
}

}  // namespace

Files csv(const Report& report) {
  std::string text = "run";
  for (const FlatColumn& column : flat_columns()) text += ',' + csv_name(column);
  text += "\r\n";
  for (std::size_t r = 0; r < report.rows().size(); ++r) {
    const Cell& cell = report.results.cells[r];
    if (!fits(report.choice, cell.key())) continue;
    text += short_id(report.results.run);
    for (std::size_t c = 0; c < flat_columns().size(); ++c) {
      const json& value = report.rows()[r][c];
      text += ',' + (is_infinite(flat_columns()[c], value, cell) ? "inf" : csv_text(value));
    }
    text += "\r\n";
  }
  return {{"table.csv", text}};
}

}  // namespace ladder::reports
