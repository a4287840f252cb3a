// The cells as one flat table: a row for each cell, a column for each of its fields, and for what
// follows from them. Every picture is drawn from it.
//
// A column is named like the field in results.json, or shorter where that is still unique. Tests
// hold that no field of a cell is missing, and that the key columns tell any two rows apart.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/numbers/result_set.hpp"

namespace ladder::reports {

struct CellFacts;

struct FlatColumn {
  std::string name;
  std::string unit;  // "us", "GB/s", "bytes", "%", "MHz"; empty: none
  // a JSON pointer into the cell as results.json has it; empty: it follows from others
  std::string field;
  bool is_key = false;
  json (*value)(const CellFacts&) = nullptr;  // where it follows from others
};

std::span<const FlatColumn> flat_columns();
// its index; throws std::logic_error where there is none
std::size_t flat_column(std::string_view name);

// A value for each of flat_columns(): null, a number, true, false, or text. A list is text, with a
// space between its parts.
using FlatRow = std::vector<json>;

// In the order of the results' cells.
std::vector<FlatRow> flat(const ResultSet& set);

}  // namespace ladder::reports
