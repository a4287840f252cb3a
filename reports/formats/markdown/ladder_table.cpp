#include "reports/formats/markdown/ladder_table.hpp"

#include <algorithm>
#include <map>
#include <vector>

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
  const HostOnly host_only(operation.cells);
  // without numbers, every cell of the row says why
  const auto of_timed = [&host_only](const Column& column) {
    return Column{column.title, [&host_only, &column](const Cell& c) {
                    if (!c.passed()) return std::string(instead_of_numbers(c, host_only));
                    const std::string text = column.text(c);
                    return text.empty() ? std::string(blank_in_words(column, c)) : text;
                  }};
  };
  const auto median = [&](const CellKey& key) {
    const auto found = timed.find(key);
    return found == timed.end() ? "not run" : duration(found->second->timing()->time_us.median);
  };
  std::vector<Column> all{{"rung", [&](const Cell& c) { return rung_in_words(c, shown); }, false}};
  for (const char* title :
       {"time (95 % interval)", "GB/s",
        std::ranges::any_of(shown, has_share_of_limit) ? "of limit" : "of ceiling", "x one device",
        "vs fastest library", "vs same promise"})
    if (std::ranges::any_of(shown, [&](const Cell& c) { return !column(title).text(c).empty(); }))
      all.push_back(of_timed(column(title)));
  const auto at = [&](std::string_view title, const auto& of) {
    const auto key_of = [of](const Cell& c) {
      CellKey key = c.key();
      of(key);
      return key;
    };
    if (std::ranges::any_of(shown, [&](const Cell& c) { return timed.contains(key_of(c)); }))
      all.push_back({title, [=, &median](const Cell& c) { return median(key_of(c)); }});
  };
  at("time to the host", [](CellKey& key) { key.how.contract = Contract::host_result; });
  if (!shown.empty() && shown[0].input.dtype != "f64")
    at("time for f64", [](CellKey& key) { key.input.dtype = "f64"; });
  return markdown_table(table_of(shown, all));
}

}  // namespace ladder::reports
