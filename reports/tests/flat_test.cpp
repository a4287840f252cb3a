#include "reports/numbers/flat_table.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compare/tests/catch.hpp"
#include "reports/model/json.hpp"
#include "reports/tests/sample.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

// The places of all values of a document; "*" stands for each entry of a list of objects.
void leaves(const json& value, const std::string& place, std::set<std::string>& found) {
  if (value.is_object())
    for (const auto& [name, part] : value.items()) leaves(part, place + '/' + name, found);
  else if (value.is_array() && !value.empty() && value[0].is_object())
    leaves(value[0], place + "/*", found);
  else found.insert(place);
}

std::vector<json> key_of(const FlatRow& row) {
  std::vector<json> key;
  for (std::size_t c = 0; c < row.size(); ++c)
    if (flat_columns()[c].is_key) key.push_back(row[c]);
  return key;
}

const json& value(const FlatRow& row, std::string_view column) {
  return row[flat_column(column)];
}

TEST_CASE("the flat table has every field of a cell, and none that a cell does not have") {
  std::set<std::string> fields, columns;
  for (const Cell& cell : full().cells) leaves(json(cell), "", fields);
  for (const FlatColumn& column : flat_columns())
    if (!column.field.empty()) columns.emplace(column.field);
  // a part that is null in one cell is spelled out in another
  for (auto field = fields.begin(); field != fields.end();) {
    const bool is_whole = std::ranges::any_of(
        fields, [&](const std::string& other) { return other.starts_with(*field + '/'); });
    field = is_whole ? fields.erase(field) : std::next(field);
  }
  CHECK(columns == fields);
}

TEST_CASE("no two columns of the flat table have one name") {
  std::set<std::string_view> names;
  for (const FlatColumn& column : flat_columns()) CHECK(names.insert(column.name).second);
}

TEST_CASE("the key columns of the flat table tell any two rows apart") {
  for (const Results& results : {example(), full(), of_gpu()}) {
    std::set<std::vector<json>> keys;
    for (const FlatRow& row : flat(results)) {
      CHECK(row.size() == flat_columns().size());
      CHECK(keys.insert(key_of(row)).second);
    }
    CHECK(keys.size() == results.cells.size());
  }
}

TEST_CASE("the flat table has the values of the cells, and what follows from them") {
  Results results = of_gpu();
  results.cells.push_back(
      without(gpu_cell("handwritten", "serial", 9, "f64"), Verdict::crashed, "it <crashed>"));
  const auto rows = flat(results);
  REQUIRE(rows.size() == results.cells.size());
  std::set<std::string> roles;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Cell& cell = results.cells[r];
    CHECK(value(rows[r], "rung") == cell.who.rung);
    CHECK(value(rows[r], "n") == cell.input.n);
    CHECK(value(rows[r], "time") ==
          (cell.timing() == nullptr ? json() : json(cell.timing()->time_us.median)));
    CHECK(value(rows[r], "reason") == (cell.passed() ? json() : json(cell.reason())));
    if (cell.who.provider != "handwritten") CHECK(value(rows[r], "role") == "library");
    roles.insert(value(rows[r], "role").get<std::string>());
  }
  CHECK(roles.contains("best hand-written"));
}

TEST_CASE("a list in a cell is text in the flat table") {
  Results results = of_gpu();
  results.cells = {gpu_cell("handwritten", "serial", 9)};
  results.cells[0].flags = {"fits_in_cache", "below_resolution"};
  const auto rows = flat(results);
  CHECK(value(rows[0], "flags") == "fits_in_cache below_resolution");
  // six processes
  CHECK(std::ranges::count(value(rows[0], "process_times").get<std::string>(), ' ') == 5);
}

TEST_CASE("two implementations of an operation with one name are called by their providers too") {
  Results results = of_gpu();
  const Cell first = results.cells[0];
  Cell twin = first;
  twin.who.provider = "std";
  results.cells.push_back(twin);
  const auto rows = flat(results);
  CHECK(value(rows.front(), "implementation") == first.who.provider + '/' + first.who.rung);
  CHECK(value(rows.back(), "implementation") == "std/" + first.who.rung);
}

}  // namespace
}  // namespace ladder::reports
