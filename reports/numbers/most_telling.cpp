#include "reports/numbers/most_telling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"

namespace ladder::reports {

std::vector<Cell> of_operation(const std::vector<Cell>& cells, const std::string& operation) {
  std::vector<Cell> its;
  std::ranges::copy_if(cells, std::back_inserter(its),
                       [&](const Cell& c) { return c.input.operation == operation; });
  return its;
}

std::map<std::string, std::vector<Cell>> by_operation(const std::vector<Cell>& cells) {
  std::map<std::string, std::vector<Cell>> found;
  for (const Cell& c : cells) found[c.input.operation].push_back(c);
  return found;
}

std::vector<Cell> telling_gpu_times(const std::vector<Cell>& cells, const Order& order) {
  // 1 GiB of the smallest type: past every cache, and within every card's memory
  constexpr std::uint64_t largest = 1u << 28;
  std::vector<Cell> fitting;
  std::ranges::copy_if(cells, std::back_inserter(fitting), [](const Cell& c) {
    return c.how == How{Backend::cuda, Contract::device_result, Cache::cold} &&
           c.input.n <= largest && c.input.offset == 0;
  });
  std::uint64_t n = 0;
  for (const Cell& c : fitting)
    if (c.passed()) n = std::max(n, c.input.n);
  std::erase_if(fitting, [n](const Cell& c) { return c.input.n != n; });
  // cuBLAS, for one, takes floats alone
  fitting = of_most_telling_input(of_fullest_inputs(std::move(fitting)), order);
  return std::ranges::any_of(fitting, [](const Cell& c) { return c.passed(); })
             ? fitting
             : std::vector<Cell>{};
}

std::vector<Cell> telling_of_nearly_all(const std::vector<Cell>& cells, const Order& order) {
  // a scan of quadratic work passes small inputs alone, and a bar of its length hides the others
  constexpr double nearly_all = 0.9;
  return of_most_telling_input(of_fullest_inputs(cells, nearly_all), order);
}

std::vector<Cell> telling_cells(const std::vector<Cell>& cells, const Order& order) {
  auto telling = telling_gpu_times(cells, order);
  return telling.empty() ? telling_of_nearly_all(cells, order) : telling;
}

std::string short_id(const Run& run) {
  return run.id.substr(run.id.find(':') + 1).substr(0, 12);
}

std::string gpu_name(const Results& results) {
  return results.machine.gpu ? results.machine.gpu->name : "an unnamed GPU";
}

namespace {

using Shown = std::string (*)(std::string_view);

std::string in_words(const CellKey& key, Shown name, Shown word) {
  const auto size = elements(key.input.n) == grouped(key.input.n)
                        ? grouped(key.input.n)
                        : fmt::format("{} ({})", elements(key.input.n), grouped(key.input.n));
  return fmt::format("{}{}, {}, n = {}, input {}{}{}", name(key.input.operation),
                     key.input.op ? " by " + word(*key.input.op) : "", word(key.input.dtype), size,
                     word(key.input.distribution), what_few_have(key.input),
                     key.how.cache ? fmt::format(", {} cache", name_of(*key.how.cache)) : "");
}

}  // namespace

std::string input_in_words(const CellKey& key) {
  return in_words(key, code, escaped);
}

std::string input_in_plain_words(const CellKey& key) {
  return in_words(key, printable, printable);
}

std::string input_in_short(const Input& input) {
  return fmt::format("{}{}, n = {}{}", input.op ? escaped(*input.op) + ", " : "",
                     escaped(input.dtype), elements(input.n), what_few_have(input));
}

}  // namespace ladder::reports
