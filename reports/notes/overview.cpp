#include "reports/notes/overview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "reports/ladder.hpp"
#include "reports/notes/claims.hpp"
#include "reports/tables.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

struct Note {
  std::string_view id, topic;
};

constexpr std::array notes{
    Note{"N1", "branch divergence and unrolling"}, Note{"N2", "the access pattern"}, Note{"N3", "reduce, scan and histogram"},
    Note{"N4", "unrolling and independent loads"}, Note{"N5", "dot products"},
};

bool is_of(const Cell& cell, const Note& note) {
  return cell.key.provider == "handwritten" && std::ranges::find(cell.notes, note.id) != cell.notes.end();
}

// Names in the order of the ladder, once each.
std::string names(const Cells& cells, const auto& which) {
  std::vector<std::string> all;
  for (const Cell& c : cells) {
    if (!which(c)) continue;
    const std::string name = code(c.key.rung);
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  }
  return joined(all);
}

std::string found(const Cells& cells, const Note& note) {
  std::vector<std::string> lines;
  for (const Claim& claim : claims())
    if (claim.id.starts_with(note.id)) lines.push_back(fmt::format("{} {}", claim.text, verdict_on(claim, cells)));
  return joined(lines, "<br>");
}

Cells in_order(const Results& results) {
  std::map<std::string, Cells, InStudyOrder> operations;
  for (const Cell& c : results.cells) operations[c.key.operation].push_back(presentable(c));
  Cells all;
  for (auto& [operation, cells] : operations) {
    const auto order = ladder_order(cells);
    std::ranges::stable_sort(cells, {}, [&](const Cell& c) { return order.at({c.key.provider, c.key.rung}); });
    all.insert(all.end(), cells.begin(), cells.end());
  }
  return all;
}

}  // namespace

std::string notes_overview(const Results& results) {
  const Cells cells = in_order(results);
  std::vector<std::vector<std::string>> rows;
  for (const Note& note : notes) {
    std::set<std::string> operations;
    for (const Cell& c : cells)
      if (is_of(c, note)) operations.insert(c.key.operation);
    if (operations.empty()) continue;
    const auto is_beside = [&](const Cell& c) {
      return c.key.provider != "handwritten" && c.key.backend == "cuda" && operations.contains(c.key.operation);
    };
    rows.push_back({fmt::format("{}: {}", note.id, note.topic), names(cells, [&](const Cell& c) { return is_of(c, note); }), names(cells, is_beside),
                    found(cells, note)});
  }
  return rows.empty() ? "" : markdown_table({{"note"}, {"its rungs"}, {"library calls beside them"}, {"its claims, and what became of them"}}, rows);
}

}  // namespace ladder::reports
