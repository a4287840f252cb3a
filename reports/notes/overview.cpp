#include "reports/notes/overview.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "reports/notes/claims.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/markdown_table.hpp"

namespace ladder::reports {
namespace {

struct Note {
  std::string_view id, topic;
};

constexpr std::array notes{
    Note{"N1", "branch divergence and unrolling"},
    Note{"N2", "the access pattern"},
    Note{"N3", "reduce, scan and histogram"},
    Note{"N4", "unrolling and independent loads"},
    Note{"N5", "dot products"},
};

bool is_of(const Rung& rung, const Note& note) {
  return rung.provider == "handwritten" && has(rung.notes, note.id);
}

// Names in the order of the results, once each.
std::string names(const std::vector<Rung>& rungs, const auto& which) {
  std::vector<std::string> all;
  for (const Rung& rung : rungs)
    if (which(rung)) unite(all, {code(rung.rung)});
  return joined(all);
}

std::string found(const Cells& cells, const Note& note) {
  std::vector<std::string> lines;
  for (const Claim& claim : claims())
    if (claim.id.starts_with(note.id))
      lines.push_back(fmt::format("{} {}", claim.text, verdict_on(claim, cells)));
  return joined(lines, "<br>");
}

}  // namespace

std::string notes_overview(const Results& results) {
  std::set<std::pair<std::string, Who>> on_gpu;
  for (const Cell& c : results.cells)
    if (c.how.backend == Backend::cuda) on_gpu.emplace(c.input.operation, c.who);
  Table table{{"note", "its rungs", "library calls beside them", "its claims, and their verdicts"}};
  for (const Note& note : notes) {
    std::set<std::string> operations;
    for (const Rung& rung : results.rungs)
      if (is_of(rung, note)) operations.insert(rung.operation);
    if (operations.empty()) continue;
    const auto is_beside = [&](const Rung& rung) {
      return rung.provider != "handwritten" && operations.contains(rung.operation) &&
             on_gpu.contains({rung.operation, {rung.provider, rung.rung}});
    };
    table.rows.push_back({fmt::format("{}: {}", note.id, note.topic),
                          names(results.rungs, [&](const Rung& rung) { return is_of(rung, note); }),
                          names(results.rungs, is_beside), found(results.cells, note)});
  }
  return table.rows.empty() ? "" : markdown_table(table);
}

}  // namespace ladder::reports
