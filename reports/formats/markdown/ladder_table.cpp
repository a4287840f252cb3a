#include "reports/formats/markdown/ladder_table.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "reports/numbers/cells.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {

std::string ladder_table(const OperationResults& operation) {
  const Cells& shown = operation.gpu_times;
  std::map<CellKey, const Cell*> timed;
  for (const Cell& c : operation.cells)
    if (c.timing() != nullptr) timed.emplace(c.key(), &c);
  const auto median = [&](const CellKey& key) {
    const auto found = timed.find(key);
    return found == timed.end() ? "" : duration(found->second->timing()->time_us.median);
  };
  const HostOnly host_only(operation.cells);
  const Column &time = column("time (95 % interval)"), &ratio = column("vs fastest library");
  return markdown_table(table_of(
      shown,
      {{"rung", [&](const Cell& c) { return rung_in_words(c, shown); }, false},
       {time.title,
        [&](const Cell& c) {
          return c.passed() ? time.text(c) : std::string(instead_of_numbers(c, host_only));
        }},
       column("GB/s"),
       column(std::ranges::any_of(shown, has_share_of_limit) ? "of limit" : "of ceiling"),
       column("x one device"),
       {ratio.title,
        [&](const Cell& c) { return is_fastest_library(c) ? "is the fastest" : ratio.text(c); }},
       column("vs same promise"),
       {"time to the host",
        [&](const Cell& c) {
          CellKey on_host = c.key();
          on_host.how.contract = Contract::host_result;
          return median(on_host);
        }},
       {"time for f64", [&](const Cell& c) {
          CellKey wide = c.key();
          return std::exchange(wide.input.dtype, "f64") == "f64" ? "" : median(wide);
        }}}));
}

}  // namespace ladder::reports
