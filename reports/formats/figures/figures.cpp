#include "reports/formats/figures/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <regex>
#include <set>
#include <tuple>

#include "reports/model/json.hpp"
#include "reports/notes/claims.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/text/embedded.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

constexpr std::string_view figures_folder = "figures/", figures_suffix = ".vl.json";

std::string file_of(std::string_view figure) {
  return fmt::format("{}{}{}", figures_folder, figure, figures_suffix);
}

std::set<std::string> words_of(std::string_view text) {
  static const std::regex word("\\w+");
  return {std::cregex_token_iterator(text.data(), text.data() + text.size(), word), {}};
}

}  // namespace

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files())
    if (file.name.starts_with(figures_folder) && file.name.ends_with(figures_suffix))
      names.emplace_back(file.name.substr(
          figures_folder.size(), file.name.size() - figures_folder.size() - figures_suffix.size()));
  return names;
}

json figure_template(std::string_view name) {
  return json::parse(embedded(file_of(name)));
}

json figure_theme(std::string_view theme) {
  const json all = json::parse(embedded("figures/theme.json"));
  json config = all.at("both");
  config.merge_patch(all.at(std::string(theme)));
  return config;
}

json figure_key(const CellKey& of) {
  json key = of.input;
  key["offset"] = of.input.offset;
  key.update(json(of.how));
  return key;
}

json telling_key(const Cells& cells, const Order& order) {
  const auto telling = telling_cells(cells, order);
  if (telling.empty()) return nullptr;
  return figure_key(telling.back().key());  // over devices, where there are references beside them
}

json figure_rows(std::string_view figure, const std::vector<FlatRow>& rows, const json& key,
                 bool every_role) {
  const auto mentioned = words_of(embedded(file_of(figure)));
  const json meta = figure_template(figure).at("usermeta");
  auto across = meta.at("across").get<std::set<std::string>>();
  const bool widest = meta.value("n", "") == "widest";
  if (widest) across.insert("n");
  const auto where = meta.value("where", json::object());
  const auto needs = meta.value("needs", std::vector<std::string>());
  const auto columns = flat_columns();
  const auto fits = [&](const FlatRow& row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string& name = columns[c].name;
      if (const auto allowed = where.find(name); allowed != where.end()) {
        if (!has(*allowed, row[c]) && !(every_role && name == "role")) return false;
      } else if (columns[c].is_key && !across.contains(name) && row[c] != key.value(name, json())) {
        return false;
      }
    }
    return std::ranges::none_of(
        needs, [&](const std::string& column) { return row[flat_column(column)].is_null(); });
  };
  std::vector<const FlatRow*> taken;
  for (const FlatRow& row : rows)
    if (fits(row)) taken.push_back(&row);
  const auto role = flat_column("role"), place = flat_column("place"), n = flat_column("n");
  const std::array few_have{flat_column("offset"), flat_column("devices"),
                            flat_column("process_for_each_device")};
  if (widest) {
    std::map<std::uint64_t, std::vector<const FlatRow*>> of_size;
    for (const FlatRow* row : taken) of_size[(*row)[n].get<std::uint64_t>()].push_back(row);
    taken.clear();
    for (auto& [size, these] : of_size)
      if (these.size() >= taken.size()) taken = std::move(these);
  }
  std::ranges::stable_sort(taken, {}, [&](const FlatRow* row) {
    constexpr std::array<std::string_view, 3> order{"hand-written", "library", "best hand-written"};
    const auto rank =
        std::ranges::find(order, (*row)[role].get_ref<const std::string&>()) - order.begin();
    return std::tuple(rank, (*row)[place].get<std::uint64_t>(), (*row)[n].get<std::uint64_t>());
  });
  json objects = json::array();
  for (const FlatRow* row : taken) {
    json object = json::object();
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (has(few_have, c) ? (*row)[c] != 0 && !(*row)[c].is_null()
                           : columns[c].is_key || mentioned.contains(columns[c].name))
        object[columns[c].name] = (*row)[c];
    objects.push_back(std::move(object));
  }
  return objects;
}

std::string why_not_drawn(std::string_view figure, const json& rows) {
  if (rows.empty()) return "no selected row has what it shows";
  const json meta = figure_template(figure).at("usermeta"),
             least_of = meta.value("least", json::object()),
             has_some = meta.value("has", json::object());
  const auto values_of = [&](const std::string& column) {
    std::set<json> values;
    for (const json& row : rows)
      if (!row.at(column).is_null()) values.insert(row.at(column));
    return values;
  };
  for (const auto& [column, least] : least_of.items())
    if (const auto found = values_of(column).size(); found < least.get<std::size_t>())
      return fmt::format("it needs {} of {}, and the selection has {}",
                         counted(least.get<std::size_t>(), "value"), column, found);
  for (const auto& [column, value] : has_some.items())
    if (!values_of(column).contains(value))
      return fmt::format("no selected row has {} = {}", column, value.dump());
  return "";
}

std::vector<std::string> coding_in_words(std::string_view figure, const json& rows) {
  const json whole = figure_template(figure);
  auto lines = whole.at("usermeta").value("coding", std::vector<std::string>());
  if (const std::string counted = whole.at("usermeta").value("counted", ""); !counted.empty()) {
    std::set<std::uint64_t> sizes;
    for (const json& row : rows) sizes.insert(row.at(counted).get<std::uint64_t>());
    lines.push_back(
        fmt::format("Counted without a GPU, at n = {}.", enumerated(each(sizes, elements))));
  }
  std::vector<std::string> colours;
  if (whole.dump().find(R"("field":"role")") == std::string::npos) return lines;
  const bool has_dashes = whole.dump().find("strokeDash\":{") != std::string::npos;
  for (const auto& [role, words] :
       {std::pair("best hand-written", "blue: the best hand-written"),
        {"hand-written", "grey: hand-written"},
        {"library", has_dashes ? "orange, dashed: a library" : "orange: a library"}})
    if (std::ranges::any_of(rows,
                            [&, name = role](const json& row) { return row["role"] == name; }))
      colours.emplace_back(words);
  if (!colours.empty()) lines.insert(lines.begin(), capitalised(joined(colours, "; ")) + '.');
  return lines;
}

json claim_rows(const Results& results) {
  json rows = json::array();
  for (const Judged& one : judged_claims(results.cells)) {
    if (!one.evidence.ratio) continue;
    const auto& [value, low, high, difference] = *one.evidence.ratio;
    std::string verdict = one.verdict;
    std::erase(verdict, '*');
    rows.push_back({{"id", one.claim.id},
                    {"verdict", verdict},
                    {"ratio", value},
                    {"ratio_low", low},
                    {"ratio_high", high},
                    {"printed", one.evidence.printed}});
  }
  return rows;
}

json each_text(json value, std::string (*text)(std::string_view)) {
  if (value.is_string()) return text(value.get_ref<const std::string&>());
  if (value.is_structured())
    for (json& part : value) part = each_text(std::move(part), text);
  return value;
}

json specification(std::string_view figure, const json& rows, std::string_view theme) {
  json whole = figure_template(figure);
  whole["data"]["values"] = rows;
  whole["config"] = figure_theme(theme);
  return whole;
}

std::string drawn_at(double width_mm, json whole, const std::vector<std::string>& coding) {
  const double width = std::floor(width_mm / 25.4 * 96);  // pixels of CSS
  if (json& meta = whole["usermeta"]; meta.contains("panels")) {
    meta["width"] = static_cast<unsigned>(width);  // draw.py fits the panels into it
    if (width < 500) {
      whole["spacing"] = 14;  // the numbers at the ends of bars are not part of it
      for (const char* part : {"axis", "header"}) whole["config"][part]["labelFontSize"] = 9;
      whole["config"]["text"]["fontSize"] = 9;
      whole["config"]["axis"]["labelLimit"] = std::floor(0.4 * width);
    }
    whole["spec"]["width"] =
        std::floor(0.6 * width / meta.at("panels").get<double>() - whole["spacing"].get<double>());
  } else {
    whole["width"] = width;
    whole["autosize"] = {{"type", "fit-x"}, {"contains", "padding"}};
  }
  if (!coding.empty())
    whole["title"] = {{"text", coding},
                      {"orient", "bottom"},
                      {"anchor", "start"},
                      {"frame", "bounds"},
                      {"fontSize", 9},
                      {"fontWeight", "normal"},
                      {"color", {{"expr", "faint"}}},
                      {"offset", 8}};
  if (whole.contains("params"))
    for (json& param : whole["params"])
      if (param.at("name") == "wide") param["value"] = width > 500;
  whole["config"]["font"] = "Liberation Sans";
  return whole.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace ladder::reports
