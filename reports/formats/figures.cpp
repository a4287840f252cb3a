// The figures for a paper: complete Vega-Lite specifications, as wide as a column.
// "reduce-bandwidth.vl.json": of each operation those that have something to show, on the input
// that tells most of what fits the choice. Where several operators, types or sizes are chosen, and
// a figure shows only one of them, its name says which. The claims are there where nothing is
// chosen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "reports/formats/figures/figures.hpp"
#include "reports/formats/report.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"

namespace ladder::reports {
namespace {

std::string file_name(const std::string& figure, const json& key, const Choice& choice) {
  std::string name = as_file_name(key.at("operation").get_ref<const std::string&>());
  const auto across =
      figure_template(figure).at("usermeta").at("across").get<std::set<std::string>>();
  const auto add = [&](const char* column, std::size_t named, const std::string& value) {
    if (named > 1 && !across.contains(column)) name += '-' + as_file_name(value);
  };
  add("operator", choice.operators.size(),
      key.at("operator").is_null() ? "none" : key.at("operator").get<std::string>());
  add("dtype", choice.dtypes.size(), key.at("dtype"));
  add("n", choice.sizes.size(), std::to_string(key.at("n").get<std::uint64_t>()));
  return fmt::format("{}-{}", name, figure);
}

std::string drawn_at(double width_mm, const std::string& figure, const json& rows) {
  json whole = specification(figure, each_text(rows, printable), "light");
  const double width = std::floor(width_mm / 25.4 * 96);  // pixels of CSS
  if (const json& meta = whole.at("usermeta"); meta.contains("panels")) {
    whole["spec"]["width"] = std::max(std::floor((width - 165) / meta.at("panels").get<double>()) -
                                          whole.at("spacing").get<double>(),
                                      50.0);
  } else {
    whole["width"] = width;
    whole["autosize"] = {{"type", "fit-x"}, {"contains", "padding"}};
  }
  if (whole.contains("params"))
    for (json& param : whole["params"])
      if (param.at("name") == "wide") param["value"] = width > 500;
  whole["config"]["font"] = "Liberation Sans";
  return whole.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

bool is_about(const std::string& figure, const std::string& operation) {
  const json meta = figure_template(figure).at("usermeta");
  return !meta.contains("operations") || has(meta.at("operations"), json(operation));
}

// What is counted on the emulated backend is drawn on an input of its own.
bool is_of_counts(const std::string& figure) {
  return figure_template(figure)
             .at("usermeta")
             .value("where", json::object())
             .value("backend", json()) == json::array({"emulated"});
}

}  // namespace

Files figures(const Report& report) {
  const std::vector<FlatRow>& rows = report.rows();
  const Choice& choice = report.choice;
  const double width_mm = report.figure_width_mm.value_or(column_mm);
  std::map<std::string, std::vector<FlatRow>> rows_of;
  Cells counted;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Cell& cell = report.results.cells[r];
    if (!fits(choice, cell.key())) continue;
    rows_of[cell.input.operation].push_back(rows[r]);
    if (cell.how.backend == Backend::emulated && cell.passed()) counted.push_back(cell);
  }
  const Order& order = report.set.order;
  const auto groups = telling_groups(report.results.cells, choice, order),
             counted_groups = telling_groups(counted, choice, order);
  Files files;
  for (const std::string& figure : figure_names()) {
    if (figure == "claims") continue;
    for (const auto& group : is_of_counts(figure) ? counted_groups : groups) {
      const json key = figure_key(group.back().key());
      const std::string operation = key.at("operation");
      if (!is_about(figure, operation)) continue;
      const json taken = figure_rows(figure, rows_of.at(operation), key);
      if (!worth_drawing(figure, taken)) continue;
      const std::string plain = file_name(figure, key, choice);
      std::string name = plain;
      for (unsigned twin = 2; files.contains(name + ".vl.json"); ++twin)
        name = fmt::format("{}-{}", plain, twin);
      files.emplace(name + ".vl.json", drawn_at(width_mm, figure, taken));
    }
  }
  const json claims = choice == Choice() ? claim_rows(report.results) : json();
  if (!claims.empty()) files.emplace("claims.vl.json", drawn_at(width_mm, "claims", claims));
  return files;
}

}  // namespace ladder::reports
