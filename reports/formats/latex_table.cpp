// A booktabs tabular of the times that tell most of the choice, to be taken in by \\input. No file
// where nothing of it was timed.
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "reports/formats/report.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/interval_digits.hpp"
#include "reports/text/latex_escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

// Two cells of a row: the points of all numbers stand below each other.
std::string at_the_point(const std::string& number) {
  const auto point = std::min(number.find('.'), number.size());
  return number.substr(0, point) + " & " + number.substr(point);
}

std::string latex_interval(const Precise& number) {
  return fmt::format("[{}, {}]", number.low, number.high);
}

// The columns that a cell of the table fills.
struct Filled {
  explicit Filled(const std::vector<Cells>& groups) {
    for (const auto& group : groups)
      for (const Cell& c : group) {
        if (c.timing() == nullptr) continue;
        limit |= has_share_of_limit(c);
        share |= limit || c.timing()->percent_of_ceiling.has_value();
        ratio |= c.timing()->ratios.vs_fastest_library.has_value();
      }
  }
  int columns() const { return 6 + (share ? 2 : 0) + (ratio ? 3 : 0); }

  bool limit = false, share = false, ratio = false;
};

std::string share_cells(const Cell& cell, bool of_limit) {
  const auto none = "\\multicolumn{2}{c}{none}";
  if (!of_limit) {
    const auto& percent = cell.timing()->percent_of_ceiling;
    return percent ? at_the_point(three_digits(*percent)) : none;
  }
  const auto& ratio = cell.timing()->ratios.vs_limit;
  return ratio ? at_the_point(three_digits(100 * ratio->value)) : none;
}

std::string ratio_cells(const Cell& cell) {
  const auto& against = cell.timing()->ratios.vs_fastest_library;
  if (!against)
    return fmt::format("\\multicolumn{{3}}{{c}}{{{}}}",
                       is_fastest_library(cell) ? "is the fastest library" : "not compared");
  const Precise number(against->value, against->ci95_low, against->ci95_high);
  return fmt::format("{} & {}", at_the_point(number.value), latex_interval(number));
}

// Each of its cells.
std::string all_bold(const std::string& row) {
  static const std::regex cell("(^|& )(?!\\\\multicolumn)");
  return std::regex_replace(row, cell, "$1\\bfseries ");
}

std::string latex_row(const Cell& cell, const Cells& group, const Duration& unit,
                      const HostOnly& host_only, const Filled& shown) {
  const std::string name = latex(printable(cell.who.rung)) +
                           (is_library(cell) ? " (library)" : "") +
                           std::string(mark_of_reference(cell, group));
  const Timing* timing = cell.timing();
  if (timing == nullptr)
    return fmt::format("{} & \\multicolumn{{{}}}{{l}}{{{}}} \\\\\n", name, shown.columns() - 1,
                       latex(instead_of_numbers(cell, host_only)));
  const auto scaled = [&](double us) { return us * unit.scale; };
  const Time& us = timing->time_us;
  const Precise time(scaled(us.median), scaled(us.ci95_low), scaled(us.ci95_high));
  const std::string row =
      fmt::format("{} & {} & {} & {}{}{}", name, at_the_point(time.value), latex_interval(time),
                  at_the_point(three_digits(timing->bandwidth_gbps.median)),
                  shown.share ? " & " + share_cells(cell, shown.limit) : "",
                  shown.ratio ? " & " + ratio_cells(cell) : "");
  return (&cell == fastest_of(group) ? all_bold(row) : row) + " \\\\\n";
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
Duration common_unit(const std::vector<Cells>& groups) {
  std::vector<double> times;
  for (const auto& group : groups)
    for (const Cell& c : group)
      if (c.timing() != nullptr) times.push_back(c.timing()->time_us.median);
  std::ranges::sort(times);
  return Duration(times.at(times.size() / 2));
}

// A line of the table over its whole width.
std::string whole_line(const std::string& text, const Filled& shown) {
  return fmt::format("\\midrule\n\\multicolumn{{{}}}{{@{{}}l@{{}}}}{{{}}} \\\\\n", shown.columns(),
                     text);
}

}  // namespace

Files latex_table(const Report& report) {
  auto groups = telling_groups(report.results.cells, report.choice, report.set.order);
  std::erase_if(groups,
                [](const auto& group) { return std::ranges::none_of(group, &Cell::timing); });
  if (groups.empty()) return {};
  const HostOnly host_only(report.results.cells);
  const Duration unit = common_unit(groups);
  const Filled shown(groups);
  std::set<How> hows;
  for (const auto& group : groups) hows.insert(group[0].how);
  std::string rows, cautions;
  for (const auto& group : groups) {
    rows +=
        whole_line(fmt::format("\\emph{{{}{}}}", latex_input(group.back().key()),
                               hows.size() > 1 ? ", " + latex(until_in_words(group[0].how)) : ""),
                   shown);
    for (const Cell& c : group) rows += latex_row(c, group, unit, host_only, shown);
  }
  std::vector<std::string> whats;
  for (const auto& [what, why] : report.cautions) {
    whats.push_back(latex(printable(what)));
    cautions += fmt::format("% {}. {}\n", whats.back(), latex(printable(why)));
  }
  if (!whats.empty()) rows += whole_line(fmt::format("Caution: {}.", joined(whats, "; ")), shown);
  return {
      {"table.tex",
       passage("latex/table",
               {{"made", latex("Made by ./ladder table from run " +
                               printable(report.results.run.id) + '.')},
                {"until", hows.size() == 1 ? ", " + latex(until_in_words(groups[0][0].how)) : ""},
                {"device", latex(device_in_words(report.results))},
                {"share", !shown.share  ? ""
                          : shown.limit ? ' ' + passage("latex/of limit")
                                        : ' ' + passage("latex/of ceiling")},
                {"ratio", shown.ratio ? ' ' + passage("latex/ratio") : ""},
                {"cautions", cautions},
                {"columns", fmt::format("lr@{{}}lrr@{{}}l{}{}", shown.share ? "r@{}l" : "",
                                        shown.ratio ? "r@{}lr" : "")},
                {"titles", fmt::format("{}{}",
                                       !shown.share  ? ""
                                       : shown.limit ? " & \\multicolumn{2}{c}{\\% of limit}"
                                                     : " & \\multicolumn{2}{c}{\\% of ceiling}",
                                       shown.ratio ? " & \\multicolumn{2}{c}{ratio} & "
                                                     "\\multicolumn{1}{c@{}}{interval}"
                                                   : "")},
                {"unit", unit.unit == "us" ? "$\\mu$s" : std::string(unit.unit)},
                {"rows", rows}}) +
           '\n'}};
}

}  // namespace ladder::reports
