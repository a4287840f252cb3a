#include "reports/notes/formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

double levels(double n) {  // of a binary tree over n elements
  return n > 1 ? std::ceil(std::log2(n)) : 0;
}

constexpr Formula once{"n", [](double n) { return n; }};
constexpr Formula tree_steps{"log n", levels};
constexpr Formula tree_work{"n - 1", [](double n) { return std::max(n - 1, 0.0); }};
constexpr Formula squared{"n^2", [](double n) { return n * n; }};
constexpr Formula each_step{"n log n", [](double n) { return n * levels(n); }};
constexpr Formula up_and_down{"2 log n", [](double n) { return 2 * levels(n); }};

// N1 and N4 give no formulas; their rungs fold a block by a tree too.
const std::array all_complexities{
    Complexity{n3_reduce, "serial", once, once},
    Complexity{n3_reduce, "global_two_pass", tree_steps, tree_work},
    Complexity{n3_reduce, "shared_two_pass", tree_steps, tree_work},
    Complexity{n3_reduce, "neighbored", tree_steps, tree_work},
    Complexity{n3_reduce, "neighbored_less", tree_steps, tree_work},
    Complexity{n3_reduce, "interleaved", tree_steps, tree_work},
    Complexity{n3_reduce, "unrolling2", tree_steps, tree_work},
    Complexity{n3_reduce, "unroll_warps8", tree_steps, tree_work},
    Complexity{n3_reduce, "complete_unroll_warps8", tree_steps, tree_work},
    Complexity{n3_scan, "serial", once, once},
    Complexity{n3_scan, "reduce_per_output", tree_steps, squared},
    Complexity{n3_scan, "hillis_steele", tree_steps, each_step},
    Complexity{n3_scan, "blelloch", up_and_down, once},
};

// input: that of the row above. It is not said again.
std::vector<std::string> row(const Cell& cell, const Complexity& complexity, std::string& input) {
  const auto n = static_cast<double>(cell.input.n);
  const auto by_note = [n](const Formula& formula) {
    return fmt::format("{} = {}", formula.text, shortest(formula.of(n)));
  };
  const std::string its_input = input_in_words(cell.key());
  const bool is_new = std::exchange(input, its_input) != its_input;
  return {is_new ? its_input : "",    code(cell.who.rung),      by_note(complexity.steps),
          column("steps").text(cell), by_note(complexity.work), column("work").text(cell)};
}

// cells: of one operation. All of its rungs on one input where there is such an input, else each
// rung on its own.
void add_rows(const Cells& cells, std::vector<std::vector<std::string>>& rows) {
  std::vector<const Complexity*> known;
  Rungs rungs;
  OneInput each;
  for (const Complexity& one : all_complexities) {
    if (!one.experiment.is_of(cells[0].input.operation)) continue;
    const OneInput its_own = together({cells, one.experiment}, Source::counts, {one.rung});
    if (its_own.empty()) continue;
    known.push_back(&one), rungs.push_back(one.rung), each.push_back(its_own[0]);
  }
  if (known.empty()) return;
  const OneInput shared = together({cells, known[0]->experiment}, Source::counts, rungs);
  const OneInput& shown = shared.empty() ? each : shared;
  std::string input;
  for (std::size_t i = 0; i < known.size(); ++i) rows.push_back(row(*shown[i], *known[i], input));
}

}  // namespace

std::span<const Complexity> complexities() {
  return all_complexities;
}

std::string formulas_section(const Results& results) {
  std::map<std::string, Cells> counted;  // of each operation
  for (const Cell& cell : results.cells)
    if (cell.counters() != nullptr && cell.counters()->steps && cell.counters()->work)
      counted[cell.input.operation].push_back(cell);
  Table table{{"input",
               "rung",
               {"steps by the note", true},
               {"steps counted", true},
               {"work by the note", true},
               {"work counted", true}}};
  for (const std::string& operation : Order(results).operations(results.cells))
    if (counted.contains(operation)) add_rows(counted.at(operation), table.rows);
  if (table.rows.empty()) return "";
  return fmt::format("### Steps and work, by N3's formulas and as counted\n\n{}\n\n{}\n",
                     passage("notes/formulas"), markdown_table(table));
}

}  // namespace ladder::reports
