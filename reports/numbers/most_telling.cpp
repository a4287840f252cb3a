#include "reports/numbers/most_telling.hpp"

#include <algorithm>

#include "reports/numbers/cells.hpp"

namespace ladder::reports {

Cells of_fullest_inputs(Cells cells, double share) {
  const auto is_displaced = [](const Cell& c) { return c.input.offset != 0; };
  if (!std::ranges::all_of(cells, is_displaced)) std::erase_if(cells, is_displaced);
  std::map<Input, std::size_t> passed;
  std::size_t most = 0;
  for (const Cell& c : cells)
    most = std::max(most, passed[group_input(c.input)] += c.passed() ? 1 : 0);
  const double enough = share * static_cast<double>(most);
  std::erase_if(cells, [&](const Cell& c) {
    return static_cast<double>(passed[group_input(c.input)]) < enough;
  });
  return cells;
}

Cells of_most_telling_input(Cells cells, const Order& order) {
  const auto input = [&](const Cell& c) {
    return std::tuple(c.how.backend, c.input.offset, ~c.input.n, order.of_operator(c.input),
                      rank_of_dtype(c.input.dtype), !order.is_usual(c.input), group_input(c.input),
                      c.how);
  };
  const auto best = std::ranges::min_element(
      cells, std::less{}, [&](const Cell& c) { return std::pair(!c.passed(), input(c)); });
  if (best == cells.end()) return cells;
  std::erase_if(cells,
                [&, best_input = input(*best)](const Cell& c) { return input(c) != best_input; });
  sort_as_ladder(cells, order);
  return cells;
}

Cells telling_gpu_times(const Cells& cells, const Order& order) {
  // 1 GiB of the smallest type: past every cache, and within every card's memory
  constexpr std::uint64_t largest = 1u << 28;
  auto fitting = only(cells, [](const Cell& c) {
    return c.how == cold_on_gpu && c.input.n <= largest && c.input.offset == 0;
  });
  std::uint64_t n = 0;
  for (const Cell& c : fitting)
    if (c.passed()) n = std::max(n, c.input.n);
  std::erase_if(fitting, [n](const Cell& c) { return c.input.n != n; });
  // cuBLAS, for one, takes floats alone
  fitting = of_most_telling_input(of_fullest_inputs(std::move(fitting)), order);
  return std::ranges::any_of(fitting, &Cell::passed) ? fitting : Cells{};
}

Cells telling_of_nearly_all(const Cells& cells, const Order& order) {
  // a scan of quadratic work passes small inputs alone, and a bar of its length hides the others
  constexpr double nearly_all = 0.9;
  return of_most_telling_input(of_fullest_inputs(cells, nearly_all), order);
}

Cells telling_cells(const Cells& cells, const Order& order) {
  auto telling = telling_gpu_times(cells, order);
  return telling.empty() ? telling_of_nearly_all(cells, order) : telling;
}

}  // namespace ladder::reports
