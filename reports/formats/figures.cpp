// The figures for a paper: complete Vega-Lite specifications, as wide as a column.
// "reduce-bandwidth.vl.json": of each operation those that have something to show, on the input
// that tells most of what fits the choice. Where several operators, types or sizes are chosen, and
// a figure shows only one of them, its name says which. The claims are there where nothing is
// chosen.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/formats/figures/figures.hpp"
#include "reports/formats/figures/left_out.hpp"
#include "reports/formats/report.hpp"
#include "reports/numbers/cells.hpp"
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

std::string as_wide_as(double width_mm, const std::string& figure, const json& rows) {
  return drawn_at(width_mm, specification(figure, each_text(rows, printable), "light"),
                  coding_in_words(figure, rows));
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

struct Made {
  Files files;
  std::map<std::string, std::string> left_out;  // why, by their names
};

// Where rungs are chosen by name, the best is the best of them.
std::vector<FlatRow> with_roles_of(const Results& chosen, std::vector<FlatRow> rows) {
  const ResultSet set(chosen);
  const auto role = flat_column("role"), best = flat_column("best");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Cell& cell = chosen.cells[r];
    const auto& by_hand = set.operation(cell.input.operation)->fastest.by_hand;
    const bool is_best = by_hand && by_hand->who == cell.who;
    rows[r][best] = is_best;
    if (!is_library(cell)) rows[r][role] = is_best ? "best hand-written" : "hand-written";
  }
  return rows;
}

Made made(const Report& report) {
  const Choice& choice = report.choice;
  const double width_mm = report.figure_width_mm.value_or(column_mm);
  Results chosen = report.results;
  std::erase_if(chosen.cells, [&](const Cell& c) { return !fits(choice, c.key()); });
  std::vector<FlatRow> rows;
  for (std::size_t r = 0; r < report.rows().size(); ++r)
    if (fits(choice, report.results.cells[r].key())) rows.push_back(report.rows()[r]);
  if (!choice.rungs.empty()) rows = with_roles_of(chosen, std::move(rows));
  std::map<std::string, std::vector<FlatRow>> rows_of;
  for (std::size_t r = 0; r < rows.size(); ++r)
    rows_of[chosen.cells[r].input.operation].push_back(std::move(rows[r]));
  const Cells counted = only(report.results.cells, [](const Cell& c) {
    return c.how.backend == Backend::emulated && c.passed();
  });
  const Order& order = report.set.order;
  const auto groups = telling_groups(report.results.cells, choice, order),
             counted_groups = telling_groups(counted, choice, order);
  Made all;
  for (const std::string& figure : figure_names()) {
    if (figure == "claims") continue;
    for (const auto& group : is_of_counts(figure) ? counted_groups : groups) {
      const json key = figure_key(group.back().key());
      const std::string operation = key.at("operation");
      if (!is_about(figure, operation)) continue;
      const json taken = figure_rows(figure, rows_of.at(operation), key, !choice.rungs.empty());
      const std::string plain = file_name(figure, key, choice);
      if (const std::string why = why_not_drawn(figure, taken); !why.empty()) {
        all.left_out[plain] = why;
        continue;
      }
      std::string name = plain;
      for (unsigned twin = 2; all.files.contains(name + ".vl.json"); ++twin)
        name = fmt::format("{}-{}", plain, twin);
      all.files.emplace(name + ".vl.json", as_wide_as(width_mm, figure, taken));
    }
  }
  for (const auto& [name, why] : Files(all.files)) {
    const std::string counts = name.substr(0, name.rfind("-why.vl.json")) + "-counts";
    if (name.ends_with("-why.vl.json") && all.files.erase(counts + ".vl.json") > 0)
      all.left_out[counts] =
          fmt::format("{} has the same counts", name.substr(0, name.find(".vl.json")));
  }
  const json claims = choice == Choice() ? claim_rows(report.results) : json();
  if (!claims.empty()) all.files.emplace("claims.vl.json", as_wide_as(width_mm, "claims", claims));
  return all;
}

}  // namespace

Files figures(const Report& report) {
  return made(report).files;
}

std::string left_out_figures(const Report& report) {
  std::map<std::string, std::vector<std::string>> names;  // by the reason
  for (const auto& [name, why] : made(report).left_out) names[why].push_back(name);
  return joined(
      each(names,
           [](const auto& one) { return fmt::format("{} ({})", joined(one.second), one.first); }),
      "; ");
}

}  // namespace ladder::reports
