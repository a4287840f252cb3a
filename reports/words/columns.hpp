// The columns of the ladder tables: what each says of a cell, and what it means.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "reports/model/model.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/markdown_table.hpp"

namespace ladder::reports {

struct Column {
  std::string_view title;
  std::function<std::string(const Cell&)> text;  // Markdown; empty: nothing to say
  bool is_number = true;
  bool over_devices = false;  // a set without rows over devices has none
  // one sentence for the reader; empty where the title says it all
  std::string meaning = {};
};

std::span<const Column> columns();
const Column& column(std::string_view title);  // throws std::logic_error where there is none

// A row for each cell.
Table table_of(const Cells& cells, const std::vector<Column>& columns);

// "1.801", with as many digits as it takes to see that it is not 1
std::string ratio_digits(double value);

// "1.80x (1.79 to 1.81)"
std::string ratio_text(const Ratio& ratio);

// "pass", "**fail**", ..
std::string verdict_text(const Cell& cell);

// Why a column says nothing of a cell: "not run", "is the fastest", ..
std::string_view blank_in_words(const Column& column, const Cell& cell);

// What stands where the numbers of a row without a pass would be.
std::string_view instead_of_numbers(Verdict verdict);
// .. and of a call that has no time until the result is on the device
std::string_view instead_of_numbers(const Cell& cell, const HostOnly& host_only);

}  // namespace ladder::reports
