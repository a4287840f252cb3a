#include "reports/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/columns.hpp"
#include "reports/gpu_times.hpp"
#include "reports/ladder.hpp"
#include "reports/notes/overview.hpp"
#include "reports/tables.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

constexpr const char* wide_type = "f64";  // beside the one the table is for

std::string median(const std::optional<Cell>& cell) {
  if (!cell || cell->timing() == nullptr) return "";
  const double us = cell->timing()->time_us.median;
  const Duration in(us);
  return fmt::format("{} {}", in.number(us), in.unit);
}

// A call whose result ends up on the host has no other time, whatever was timed at this size.
bool is_to_the_host_only(const Results& results, const CellKey& key) {
  const auto timed = [&](Contract contract) {
    return std::ranges::any_of(results.cells, [&](const Cell& c) {
      return c.timing() != nullptr && c.input.operation == key.input.operation && c.who == key.who && c.how.backend == key.how.backend &&
             c.how.contract == contract;
    });
  };
  return timed(Contract::host_result) && !timed(Contract::device_result);
}

std::string table(const Results& results, const std::vector<Cell>& cells) {
  std::vector<std::vector<std::string>> rows;
  for (const Cell& cell : cells) {
    CellKey on_host = cell.key(), wide = cell.key();
    on_host.how.contract = Contract::host_result;
    wide.input.dtype = wide_type;
    const bool pass = cell.passed();
    const auto to_the_host = median(cell_with(results, on_host));
    const auto none =
        cell.verdict() == Verdict::skipped && is_to_the_host_only(results, cell.key()) ? "to the host only" : instead_of_numbers(cell.verdict());
    const auto ratio = column("vs fastest library").text(cell);
    rows.push_back({code(cell.who.rung) + (is_library(cell) ? " (library)" : ""),
                    pass ? column("time (95 % interval)").text(cell) : std::string(none), column("GB/s").text(cell), column("of ceiling").text(cell),
                    ratio.empty() && is_fastest_library(cell) ? "is the fastest" : ratio, to_the_host,
                    cell.input.dtype == wide_type ? "" : median(cell_with(results, wide))});
  }
  const std::string time = "time (95 % interval)", for_wide = fmt::format("time for {}", wide_type);
  return markdown_table(
      {{"rung"}, {time, true}, {"GB/s", true}, {"of ceiling", true}, {"vs fastest library", true}, {"time to the host", true}, {for_wide, true}},
      rows);
}

}  // namespace

std::string headline(const Results& results, std::string_view folder) {
  std::string text;
  const Order order(results);
  for (const std::string& operation : order.operations(results.cells)) {
    const auto cells = telling_gpu_times(of_operation(results.cells, operation), order);
    if (cells.empty()) continue;
    const bool opened = text.empty();  // the rest are for those who look for them
    const std::string title = fmt::format("{}, on {}", input_in_words(cells[0].key()), escaped(gpu_name(results)));
    text += opened ? fmt::format("{}:\n\n{}\n", title, table(results, cells))
                   : fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n", title, table(results, cells));
  }
  const Run& run = results.run;
  const std::string overview = notes_overview(results);
  return text +
         fmt::format(
             "*Time*: until the result is in the GPU's memory. *Of ceiling*: share of the bandwidth that a loop which only moves memory reached in "
             "the same run. *Vs fastest library*: above 1x is faster. *To the host*: until the host holds the result.\n\n"
             "Run {} of {}, commit {}: [the whole report]({}/report.md), [the result set]({}).\n",
             code(short_id(run)), escaped(run.date.substr(0, 10)), code(run.commit.substr(0, 12)), folder, folder) +
         (overview.empty()
              ? ""
              : fmt::format("\nThe claims of the study notes, and their verdicts in this run; [the report]({}/report.md) has the evidence:\n\n{}",
                            folder, overview));
}

}  // namespace ladder::reports
