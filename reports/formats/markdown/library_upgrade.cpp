#include "reports/formats/markdown/library_upgrade.hpp"

#include <map>
#include <utility>

#include "reports/numbers/compare_sets.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/passages.hpp"

namespace ladder::reports {
namespace {

struct Upgrade {
  const Rung *from, *to;
  Tally counts = {};  // of the cells of `to` with a ratio
};

// By the place of their rung.
std::vector<Upgrade> upgrades(const Order& order, const Cells& cells) {
  std::map<std::size_t, Upgrade> found;
  for (const Cell& cell : cells) {
    const Rung* to = order.card(cell);
    if (to == nullptr || to->library.empty() || cell.timing() == nullptr ||
        !cell.timing()->ratios.vs_followed || cell.input.offset != 0 || cell.input.devices != 0)
      continue;
    const Rung* from = order.followed_by(*to);
    if (from == nullptr || from->library.empty() || from->library == to->library) continue;
    found.try_emplace(order.of(cell), Upgrade{from, to})
        .first->second.counts.add(cell.timing()->ratios.vs_followed->verdict);
  }
  return each(found, [](const auto& one) { return one.second; });
}

// "CUB 3.5.0 in place of CUB 3.0.1", and how its rows fare.
std::string sentences(const std::vector<Upgrade>& all) {
  std::map<std::pair<std::string, std::string>, Tally> by_versions;
  for (const Upgrade& one : all) by_versions[{one.to->library, one.from->library}].add(one.counts);
  std::string text;
  for (const auto& [libraries, counts] : by_versions) {
    text +=
        passage("report/upgrade of a library", {{"newer", escaped(libraries.first)},
                                                {"older", escaped(libraries.second)},
                                                {"rows", counted(counts.compared(), "timed row")},
                                                {"faster", std::to_string(counts.faster)},
                                                {"slower", std::to_string(counts.slower)},
                                                {"none", std::to_string(counts.no_difference)}}) +
        '\n';
  }
  return text;
}

}  // namespace

std::string upgrade_section(const ResultSet& set) {
  const auto all = upgrades(set.order, set.results.cells);
  if (all.empty()) return "";
  Table table{{"operation",
               "call",
               "newer",
               {"faster", true},
               {"slower", true},
               {"no difference shown", true}}};
  for (const Upgrade& one : all) {
    table.rows.push_back({code(one.to->operation), code(one.from->rung), code(one.to->rung),
                          grouped(one.counts.faster), grouped(one.counts.slower),
                          grouped(one.counts.no_difference)});
  }
  return passage("report/upgrade",
                 {{"sentences", sentences(all)}, {"table", markdown_table(table)}});
}

}  // namespace ladder::reports
