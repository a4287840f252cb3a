#include "reports/gpu_times.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/ladder.hpp"
#include "reports/text.hpp"

namespace ladder::reports {

std::vector<Cell> telling_gpu_times(const Results& results, const std::string& operation) {
  constexpr std::uint64_t largest = 1u << 28;  // 1 GiB of the smallest type: past every cache, and within every card's memory
  std::vector<Cell> cells;
  for (const Cell& c : results.cells) {
    const CellKey& key = c.key;
    const bool fits = key.operation == operation && key.backend == "cuda" && key.contract == "device_result" && key.cache == "cold";
    if (fits && key.n <= largest) cells.push_back(presentable(c));
  }
  std::uint64_t n = 0;
  for (const Cell& c : cells)
    if (c.verdict == "pass") n = std::max(n, c.key.n);
  const auto order = ladder_order(cells);
  std::erase_if(cells, [n](const Cell& c) { return c.key.n != n; });
  cells = of_most_telling_input(of_fullest_inputs(std::move(cells)), order);  // cuBLAS, for one, takes floats alone
  return std::ranges::any_of(cells, [](const Cell& c) { return c.verdict == "pass"; }) ? cells : std::vector<Cell>{};
}

std::optional<Cell> cell_with(const Results& results, const CellKey& key) {
  const auto cell = std::ranges::find_if(results.cells, [&](const Cell& c) { return c.key == key; });
  return cell == results.cells.end() ? std::nullopt : std::optional(presentable(*cell));
}

std::string short_id(const Run& run) {
  return run.id.substr(run.id.find(':') + 1).substr(0, 12);
}

std::string gpu_name(const Results& results) {
  return results.machine.gpu ? results.machine.gpu->name : "an unnamed GPU";
}

std::string input_in_words(const CellKey& key) {
  const auto size = elements(key.n) == grouped(key.n) ? grouped(key.n) : fmt::format("{} ({})", elements(key.n), grouped(key.n));
  return fmt::format("{}{}, {}, n = {}, input {}{}{}", code(key.operation), key.op ? " by " + escaped(*key.op) : "", escaped(key.dtype), size,
                     escaped(key.distribution), key.bins ? ", " + counted(*key.bins, "bin", "bins") : "",
                     key.cache ? fmt::format(", {} cache", escaped(*key.cache)) : "");
}

}  // namespace ladder::reports
