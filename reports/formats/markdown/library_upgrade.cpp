#include "reports/formats/markdown/library_upgrade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "reports/formats/markdown/cell_tables.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"

namespace ladder::reports {
namespace {

struct Counts {
  std::size_t faster = 0, slower = 0, none = 0;

  void add(const Ratio& ratio) {
    ++(ratio.verdict == Difference::faster   ? faster
       : ratio.verdict == Difference::slower ? slower
                                             : none);
  }
};

struct Upgrade {
  const Rung *from, *to;
  std::vector<Cell> cells = {};  // of `to`, with a ratio
};

// By the place of their rung.
std::vector<Upgrade> upgrades(const Order& order, const std::vector<Cell>& cells) {
  std::map<std::size_t, Upgrade> found;
  for (const Cell& cell : cells) {
    const Rung* to = order.card(cell);
    if (to == nullptr || to->library.empty() || cell.timing() == nullptr ||
        !cell.timing()->ratios.vs_followed || cell.input.offset != 0 || cell.input.devices != 0)
      continue;
    const Rung* from = order.followed_by(*to);
    if (from == nullptr || from->library.empty() || from->library == to->library) continue;
    found.try_emplace(order.of(cell), Upgrade{from, to}).first->second.cells.push_back(cell);
  }
  std::vector<Upgrade> all;
  all.reserve(found.size());
  for (auto& [place, upgrade] : found) all.push_back(std::move(upgrade));
  return all;
}

Counts counts_of(const std::vector<Cell>& cells) {
  Counts counts;
  for (const Cell& cell : cells) counts.add(*cell.timing()->ratios.vs_followed);
  return counts;
}

std::string in_words(const Counts& counts) {
  return fmt::format("faster in {}, slower in {}, no difference shown in {}", counts.faster,
                     counts.slower, counts.none);
}

// "CUB 3.5.0 in place of CUB 3.0.1", and how its rows fare.
std::string sentences(const std::vector<Upgrade>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<Cell>> cells;  // by the two versions
  for (const Upgrade& one : all) {
    auto& its = cells[{one.to->library, one.from->library}];
    its.insert(its.end(), one.cells.begin(), one.cells.end());
  }
  std::string text;
  for (const auto& [libraries, its] : cells)
    text += fmt::format("- {} in place of {}, in {}: {}.\n", escaped(libraries.first),
                        escaped(libraries.second), counted(its.size(), "timed row", "timed rows"),
                        in_words(counts_of(its)));
  return text;
}

constexpr const char* heading = "## What an upgrade brings\n\n";
constexpr const char* how_compared =
    "\nThe same call, compiled with both versions and timed beside each other. Each ratio has a 95 "
    "% interval; one that contains 1 shows no "
    "difference.";

}  // namespace

std::string upgrade_section(const Results& results) {
  const auto all = upgrades(Order(results), results.cells);
  if (all.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  rows.reserve(all.size());
  for (const Upgrade& one : all) {
    const Counts counts = counts_of(one.cells);
    rows.push_back({code(one.to->operation), code(one.from->rung), code(one.to->rung),
                    grouped(counts.faster), grouped(counts.slower), grouped(counts.none)});
  }
  return heading + sentences(all) + how_compared +
         " The page of each operation has these ratios by size.\n\n" +
         markdown_table({{"operation"},
                         {"call"},
                         {"newer"},
                         {"faster", true},
                         {"slower", true},
                         {"no difference shown", true}},
                        rows) +
         '\n';
}

std::string upgrade_by_size(const Order& order, const std::vector<Cell>& cells) {
  const auto all = upgrades(order, cells);
  if (all.empty()) return "";
  std::map<std::uint64_t, std::vector<std::string>, std::greater<>> by_size;
  std::vector<std::string> titles;
  for (std::size_t u = 0; u < all.size(); ++u) {
    const std::string name = code(all[u].to->rung);
    titles.push_back(name + ": faster, slower, no difference shown");
    titles.push_back(name + " vs " + code(all[u].from->rung));
    std::map<std::uint64_t, std::vector<Cell>> of_size;
    for (const Cell& cell : all[u].cells) of_size[cell.input.n].push_back(cell);
    for (const auto& [n, its] : of_size) {
      auto& row = by_size[n];
      row.resize(2 * all.size());
      const Counts counts = counts_of(its);
      const Cell telling = of_most_telling_input(its, order)[0];
      row[2 * u] = fmt::format("{}, {}, {}", counts.faster, counts.slower, counts.none);
      row[2 * u + 1] = fmt::format("{} ({}{})", ratio_text(*telling.timing()->ratios.vs_followed),
                                   telling.input.op ? escaped(*telling.input.op) + " " : "",
                                   escaped(telling.input.dtype));
    }
  }
  std::vector<Heading> headings{{"n", true}};
  for (const std::string& title : titles) headings.push_back({title});
  std::vector<std::vector<std::string>> rows;
  for (auto& [n, row] : by_size) {
    row.resize(titles.size());
    row.insert(row.begin(), elements(n));
    rows.push_back(std::move(row));
  }
  return heading + sentences(all) + how_compared +
         " Each size has the counts of its rows, and the ratio of one row. The tables below have "
         "every ratio, in the column *vs the rung it "
         "follows*.\n\n" +
         markdown_table(headings, rows) + '\n';
}

}  // namespace ladder::reports
