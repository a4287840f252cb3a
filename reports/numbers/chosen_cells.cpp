#include "reports/numbers/chosen_cells.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/numbers/most_telling.hpp"
#include "reports/text/lists.hpp"

namespace ladder::reports {
namespace {

Cells telling_of(const Cells& cells, const Order& order) {
  auto telling = telling_cells(cells, order);
  if (telling.empty()) telling = cells;  // none has an answer
  if (telling.empty()) return telling;
  const CellKey first = telling[0].key();
  std::erase_if(telling, [&](const Cell& c) {
    return group_input(c.input) != group_input(first.input) || c.how != first.how;
  });
  sort_as_ladder(telling, order);
  return telling;
}

// On the input that all rungs of the operation are shown on, where the chosen rungs have no other
// input that more of them passed.
Cells telling_of_rungs(const Cells& cells, const std::vector<std::string>& rungs,
                       const Order& order) {
  const auto of_rungs = [&](const Cells& of) {
    return only(of, [&](const Cell& c) { return chosen_rung(rungs, c.input.operation, c.who); });
  };
  auto shown = of_rungs(telling_of(cells, order));
  if (rungs.empty()) return shown;
  auto own = telling_of(of_rungs(cells), order);
  return std::ranges::count_if(shown, &Cell::passed) < std::ranges::count_if(own, &Cell::passed) ||
                 shown.empty()
             ? own
             : shown;
}

}  // namespace

std::string full_name(const std::string& operation, const Who& who) {
  return who.provider + '/' + operation + '/' + who.rung;
}

bool chosen_rung(const std::vector<std::string>& choice, const std::string& operation,
                 const Who& who) {
  return chosen(choice, who.rung) || chosen(choice, full_name(operation, who));
}

bool fits(const Choice& choice, const CellKey& key) {
  return chosen(choice.operations, key.input.operation) &&
         chosen(choice.operators, key.input.op.value_or("")) &&
         chosen_rung(choice.rungs, key.input.operation, key.who) &&
         chosen(choice.dtypes, key.input.dtype) && chosen(choice.sizes, key.input.n);
}

std::vector<Cells> telling_groups(const Cells& cells, const Choice& choice, const Order& order) {
  std::map<
      std::tuple<std::size_t, std::string, std::size_t, std::string, std::size_t, std::uint64_t>,
      Cells>
      by_name;
  Choice of_all_rungs = choice;
  of_all_rungs.rungs.clear();
  for (const Cell& c : cells) {
    if (!fits(of_all_rungs, c.key())) continue;
    const bool op = !choice.operators.empty(), dtype = !choice.dtypes.empty();
    by_name[{order.of_operation(c.input.operation), c.input.operation,
             op ? order.of_operator(c.input) : 0, op ? c.input.op.value_or("") : "",
             dtype ? rank_of_dtype(c.input.dtype) : 0, choice.sizes.empty() ? 0 : c.input.n}]
        .push_back(c);
  }
  std::vector<Cells> groups;
  for (const auto& [name, its_cells] : by_name)
    if (auto group = telling_of_rungs(its_cells, choice.rungs, order); !group.empty())
      groups.push_back(std::move(group));
  return groups;
}

std::optional<Cell> chosen_cell(const Cells& cells, const Choice& choice, const Order& order) {
  const auto groups = telling_groups(cells, choice, order);
  if (groups.size() != 1 || groups[0].size() != 1) return {};
  const Cell& cell = groups[0][0];
  return cell.timing() != nullptr || cell.counters() != nullptr ? std::optional(cell)
                                                                : std::nullopt;
}

}  // namespace ladder::reports
