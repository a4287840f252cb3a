#include "reports/formats/markdown/ladder_table.hpp"

#include <fmt/format.h>

#include <map>

#include "reports/formats/markdown/cell_table.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

constexpr const char* wide_type = "f64";  // beside the one the table is for

std::string median_time(const Cell& cell) {
  const double us = cell.timing()->time_us.median;
  const Duration in(us);
  return fmt::format("{} {}", in.number(us), in.unit);
}

}  // namespace

std::string ladder_table(const OperationResults& operation) {
  const auto& [set, name, cells, shown, fastest] = operation;
  std::map<CellKey, const Cell*> timed;
  for (const Cell& c : cells)
    if (c.timing() != nullptr) timed.emplace(c.key(), &c);
  const auto median = [&](const CellKey& key) {
    const auto found = timed.find(key);
    return found == timed.end() ? "" : median_time(*found->second);
  };
  const HostOnly host_only(cells);
  std::vector<std::vector<std::string>> rows;
  for (const Cell& cell : shown) {
    CellKey on_host = cell.key(), wide = cell.key();
    on_host.how.contract = Contract::host_result;
    wide.input.dtype = wide_type;
    const auto ratio = column("vs fastest library").text(cell);
    rows.push_back({code(cell.who.rung) + (is_library(cell) ? " (library)" : "") +
                        std::string(mark_of_reference(cell, shown)),
                    cell.passed() ? column("time (95 % interval)").text(cell)
                                  : std::string(instead_of_numbers(cell, host_only)),
                    column("GB/s").text(cell), column("of ceiling").text(cell),
                    column("x one device").text(cell),
                    ratio.empty() && is_fastest_library(cell) ? "is the fastest" : ratio,
                    column("vs same promise").text(cell), median(on_host),
                    cell.input.dtype == wide_type ? "" : median(wide)});
  }
  const std::string for_wide = fmt::format("time for {}", wide_type);
  return markdown_table({{"rung"},
                         {"time (95 % interval)", true},
                         {"GB/s", true},
                         {"of ceiling", true},
                         {"x one device", true},
                         {"vs fastest library", true},
                         {"vs same promise", true},
                         {"time to the host", true},
                         {for_wide, true}},
                        rows);
}

}  // namespace ladder::reports
