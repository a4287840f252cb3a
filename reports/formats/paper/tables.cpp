#include "reports/formats/paper/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "reports/formats/markdown/cell_tables.hpp"
#include "reports/formats/markdown/report_md.hpp"
#include "reports/formats/paper/citation.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cell_table.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/soundness/cautions.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/interval_digits.hpp"
#include "reports/text/latex_escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"

namespace ladder::reports {
namespace {

std::string csv_name(const FlatColumn& column) {
  const std::string name(column.name);
  if (column.unit == "us") return name + "_us";
  if (column.unit == "GB/s") return name + "_gbps";
  return column.unit == "%" && !name.starts_with("percent") ? name + "_percent" : name;
}

std::string csv_text(const nlohmann::json& value) {
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

// Two cells of a row: the points of all numbers stand below each other.
std::string at_the_point(const std::string& number) {
  const auto point = std::min(number.find('.'), number.size());
  return number.substr(0, point) + " & " + number.substr(point);
}

std::string latex_interval(const Precise& number) {
  return fmt::format("[{}, {}]", number.low, number.high);
}

std::string latex_row(const Cell& cell, const std::vector<Cell>& group, const Duration& unit,
                      const HostOnly& host_only) {
  const std::string name = latex(printable(cell.who.rung)) +
                           (is_library(cell) ? " (library)" : "") +
                           std::string(mark_of_reference(cell, group));
  const Timing* timing = cell.timing();
  if (timing == nullptr)
    return fmt::format("{} & \\multicolumn{{10}}{{l}}{{{}}} \\\\\n", name,
                       latex(host_only.instead_of_numbers(cell)));
  const auto scaled = [&](double us) { return us * unit.scale; };
  const Time& us = timing->time_us;
  const Precise time(scaled(us.median), scaled(us.ci95_low), scaled(us.ci95_high));
  std::string ratio =
      is_fastest_library(cell) ? "\\multicolumn{3}{c}{is the fastest library}" : " &  & ";
  if (const auto& against = timing->ratios.vs_fastest_library) {
    const Precise number(against->value, against->ci95_low, against->ci95_high);
    ratio = fmt::format("{} & {}", at_the_point(number.value), latex_interval(number));
  }
  return fmt::format(
      "{} & {} & {} & {} & {} & {} \\\\\n", name, at_the_point(time.value), latex_interval(time),
      at_the_point(three_digits(timing->bandwidth_gbps.median)),
      at_the_point(timing->percent_of_ceiling ? three_digits(*timing->percent_of_ceiling) : ""),
      ratio);
}

// "$2^{28}$" for the number of elements.
std::string latex_input(const CellKey& key) {
  std::string text = latex(input_in_plain_words(key));
  const std::string power = elements(key.input.n),
                    number = latex(fmt::format("n = {} ({})", power, grouped(key.input.n)));
  if (const auto at = text.find(number); at != text.npos)
    text.replace(at, number.size(), fmt::format("$n = 2^{{{}}}$", power.substr(2)));
  return text;
}

// One unit for a table: that of the time in the middle.
Duration common_unit(const std::vector<std::vector<Cell>>& groups) {
  std::vector<double> times;
  for (const auto& group : groups)
    for (const Cell& c : group)
      if (c.timing() != nullptr) times.push_back(c.timing()->time_us.median);
  std::ranges::sort(times);
  return Duration(times.at(times.size() / 2));
}

}  // namespace

std::string csv(const Results& results, const Choice& choice) {
  std::string text = "run";
  for (const FlatColumn& column : flat_columns()) text += ',' + csv_name(column);
  text += "\r\n";
  const auto rows = flat(results);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!fits(choice, results.cells[r].key())) continue;
    text += short_id(results.run);
    for (const auto& value : rows[r]) text += ',' + csv_text(value);
    text += "\r\n";
  }
  return text;
}

std::string latex_table(const Results& results, const Choice& choice, const Soundness& soundness) {
  auto groups = telling_groups(results.cells, choice, Order(results));
  std::erase_if(groups, [](const auto& group) {
    return std::ranges::all_of(group, [](const Cell& c) { return c.timing() == nullptr; });
  });
  if (groups.empty()) return "";
  const HostOnly host_only(results.cells);
  const Duration unit = common_unit(groups);
  std::set<How> hows;
  for (const auto& group : groups) hows.insert(group[0].how);
  const std::string until = hows.size() == 1 ? ", " + latex(until_in_words(groups[0][0].how)) : "";
  std::string text = fmt::format(
      "% {}\n% Write \\usepackage{{booktabs}} in the preamble. For the caption:\n% Times{} on {}, "
      "with their 95\\,\\% intervals. {}\n",
      latex("Made by ./ladder table from run " + printable(results.run.id) + '.'), until,
      latex(device_in_words(results)),
      "Ratio: how many times as fast as the fastest library; an interval that contains 1 shows no "
      "difference.");
  const auto all_cautions = cautions(results, soundness);
  for (const auto& [what, why] : all_cautions)
    text += fmt::format("% {}. {}\n", latex(printable(what)), latex(printable(why)));
  text += fmt::format(
      "\\begin{{tabular}}{{@{{}}lr@{{}}lrr@{{}}lr@{{}}lr@{{}}lr@{{}}}}\n\\toprule\n"
      "& \\multicolumn{{2}}{{c}}{{time, {}}} & \\multicolumn{{1}}{{c}}{{interval}} & "
      "\\multicolumn{{2}}{{c}}{{GB/s}} & "
      "\\multicolumn{{2}}{{c}}{{\\% of ceiling}} & \\multicolumn{{2}}{{c}}{{ratio}} & "
      "\\multicolumn{{1}}{{c@{{}}}}{{interval}} \\\\\n",
      unit.unit == "us" ? "$\\mu$s" : unit.unit);
  for (const auto& group : groups) {
    text += fmt::format("\\midrule\n\\multicolumn{{11}}{{@{{}}l@{{}}}}{{\\emph{{{}{}}}}} \\\\\n",
                        latex_input(group.back().key()),
                        hows.size() > 1 ? ", " + latex(until_in_words(group[0].how)) : "");
    for (const Cell& c : group) text += latex_row(c, group, unit, host_only);
  }
  std::vector<std::string> whats;
  whats.reserve(all_cautions.size());
  for (const auto& [what, why] : all_cautions) whats.push_back(latex(printable(what)));
  if (!whats.empty())
    text += fmt::format("\\midrule\n\\multicolumn{{11}}{{@{{}}l@{{}}}}{{Caution: {}.}} \\\\\n",
                        joined(whats, "; "));
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string short_markdown(const Results& results, const Choice& choice,
                           const Soundness& soundness) {
  const Order order(results);
  std::string text;
  for (const auto& [what, why] : cautions(results, soundness))
    text += fmt::format("> **{}.** {}\n\n", escaped(printable(what)), escaped(printable(why)));
  for (const auto& group : telling_groups(results.cells, choice, order)) {
    text += fmt::format("{}, {}:\n\n", input_in_words(group.back().key()),
                        until_in_words(group[0].how));
    for (const Table& table : tables(group, order)) text += table.markdown + '\n';
  }
  return text + fmt::format("Run {} of {}, on {}, commit {}.\n", code(short_id(results.run)),
                            escaped(results.run.date.substr(0, 10)), machine_in_short(results),
                            code(results.run.commit.substr(0, 12)));
}

}  // namespace ladder::reports
