#include "reports/formats/figures/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "compare/tests/catch.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/flat_table.hpp"
#include "reports/tests/sample.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

// Every string that a specification has as the field of an encoding.
void fields(const json& value, std::set<std::string>& found) {
  if (value.is_object() && value.contains("field") && value["field"].is_string())
    found.insert(value["field"]);
  if (value.is_structured())
    for (const json& part : value) fields(part, found);
}

// What a specification makes itself.
void made(const json& value, std::set<std::string>& found) {
  if (value.is_object() && value.contains("as"))
    for (const json& name : value["as"].is_array() ? value["as"] : json::array({value["as"]}))
      found.insert(name.get<std::string>());
  if (value.is_structured())
    for (const json& part : value) made(part, found);
}

// WCAG 2: relative luminance, and the contrast of two colours.
double luminance(const std::string& color) {
  const auto part = [&](int at) {
    const double c = std::stoi(color.substr(static_cast<std::size_t>(at), 2), nullptr, 16) / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}
double contrast(const std::string& a, const std::string& b) {
  const auto [less, more] = std::minmax({luminance(a), luminance(b)});
  return (more + 0.05) / (less + 0.05);
}

Results two_sizes() {
  Results results = of_gpu();
  std::vector<Cell> cells = results.cells;
  for (const Cell& cell : results.cells) cells.push_back(for_size(cell, cell.input.n / 4));
  return with_cells(results, cells);
}

TEST_CASE("the ten figures are there, each with a title and a description") {
  for (const char* name : {"ladder", "bandwidth", "ratio", "wins", "why", "error", "lost", "inputs",
                           "claims", "contracts"}) {
    INFO(name);
    CHECK(std::ranges::count(figure_names(), name) == 1);
    CHECK_FALSE(figure_template(name).at("description").get<std::string>().empty());
    CHECK_FALSE(figure_template(name).at("usermeta").at("title").get<std::string>().empty());
  }
  CHECK_THROWS_AS(figure_template("none"), std::logic_error);
}

TEST_CASE("figures draw columns of the flat table, and what they make themselves") {
  for (const std::string& name : figure_names()) {
    INFO(name);
    const json whole = figure_template(name);
    std::set<std::string> known{"one"}, used;
    if (name == "claims")
      for (const char* field :
           {"id", "text", "verdict", "ratio", "ratio_low", "ratio_high", "printed"})
        known.insert(field);
    else
      for (const FlatColumn& column : flat_columns()) known.emplace(column.name);
    made(whole, known);
    fields(whole, used);
    for (const std::string& field : used) {
      INFO(field);
      CHECK(known.contains(field));
    }
    for (const auto& list : {whole["usermeta"].value("across", json::array())})
      for (const json& column : list)
        CHECK(flat_columns()[flat_column(column.get<std::string>())].is_key);
  }
}

TEST_CASE("a figure takes the rows of one input, and no two rows on one point") {
  const Results results = two_sizes();
  const auto rows = flat(results);
  const json key = telling_key(results.cells, Order(results));
  const json ladder = figure_rows("ladder", rows, key),
             bandwidth = figure_rows("bandwidth", rows, key);
  REQUIRE_FALSE(ladder.empty());
  CHECK(bandwidth.size() > ladder.size());
  for (const auto* taken : {&ladder, &bandwidth}) {
    std::set<std::vector<json>> points;
    for (const json& row : *taken) {
      CHECK(row["dtype"] == key["dtype"]);
      CHECK(row["contract"] == key["contract"]);
      const std::vector<json> point{row["provider"], row["rung"], row["n"]};
      CHECK(points.insert(point).second);
    }
  }
  for (const json& row : ladder) CHECK(row["n"] == key["n"]);
}

TEST_CASE("without times, a figure takes the largest input that nearly all rungs passed") {
  std::vector<Cell> cells;
  for (int k = 0; k < 12; ++k)
    cells.push_back(for_size(emulated_cell(("r" + std::to_string(k)).c_str()), 1024));
  const auto size_drawn = [](const Results& results) {
    return telling_key(results.cells, Order(results)).at("n");
  };
  for (std::size_t k = 0; k < 11; ++k) cells.push_back(for_size(cells[k], 16'384));
  CHECK(size_drawn(with_cells(bare(), cells)) == 16'384);  // 11 of 12
  cells.pop_back();
  CHECK(size_drawn(with_cells(bare(), cells)) == 1024);  // 10 of 12
}

TEST_CASE("the best hand-written rung is drawn last, over all others") {
  const Results results = two_sizes();
  const json rows =
      figure_rows("ladder", flat(results), telling_key(results.cells, Order(results)));
  REQUIRE_FALSE(rows.empty());
  CHECK(rows.back()["role"] == "best hand-written");
}

TEST_CASE("a figure over sizes needs more than one of them") {
  const Results results = two_sizes();
  const json rows =
      figure_rows("ladder", flat(results), telling_key(results.cells, Order(results)));
  CHECK(why_not_drawn("ladder", rows).empty());
  CHECK(why_not_drawn("bandwidth", rows) == "it needs 3 values of n, and the selection has 1");
  CHECK(why_not_drawn("ladder", json::array()) == "no selected row has what it shows");
}

TEST_CASE("text in figures is in the letters of their font") {
  // Liberation Sans has no raised digits but 1, 2 and 3
  for (const std::string& name : figure_names())
    for (const char* digit : {"⁰", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"})
      CHECK(figure_template(name).dump().find(digit) == std::string::npos);
}

TEST_CASE("the specification of a figure is complete, and the same each time") {
  const Results results = two_sizes();
  const json rows =
      figure_rows("ladder", flat(results), telling_key(results.cells, Order(results)));
  const json whole = specification("ladder", rows, "dark");
  CHECK(whole["data"]["values"] == rows);
  CHECK(whole["config"]["background"] == "#14171a");
  CHECK(whole["config"]["range"]["category"] ==
        specification("ladder", rows, "light")["config"]["range"]["category"]);
  CHECK(whole.dump() == specification("ladder", rows, "dark").dump());
}

TEST_CASE("colours of rungs, text and axes can be told from the background of either theme") {
  for (const char* theme : {"light", "dark"}) {
    INFO(theme);
    const json config = figure_theme(theme);
    const std::string background = config["background"];
    for (const std::string color : config["range"]["category"])
      CHECK(contrast(color, background) >= 3);
    for (const std::string color : {config["axis"]["labelColor"], config["text"]["color"],
                                    config["params"][1]["value"], config["params"][2]["value"]})
      CHECK(contrast(color, background) >= 4.5);
    // the sign on each field
    for (const std::string color : config["range"]["diverging"])
      CHECK(contrast(config["text"]["color"], color) >= 4.5);
  }
}

TEST_CASE("claims are rows with the ratio that decides") {
  const json rows = claim_rows(two_sizes());
  for (const json& row : rows) {
    CHECK_FALSE(row["verdict"].get<std::string>().empty());
    if (!row["ratio"].is_null()) CHECK(row["ratio_low"] <= row["ratio"]);
  }
}

}  // namespace
}  // namespace ladder::reports
