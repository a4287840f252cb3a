#include "reports/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/ladder.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

constexpr double worth_saying = 1.1;     // less of a difference explains no more than noise would
constexpr std::size_t most_clauses = 3;  // the largest differences; the rest is in the table

struct Clause {
  double weight;  // how many times larger one is than the other
  std::string text;
};

using Figure = std::optional<double> (*)(const Cell&);

std::optional<double> counter(const Cell& cell, std::optional<std::uint64_t> Counters::*which) {
  if (!cell.counters || !((*cell.counters).*which)) return {};
  return static_cast<double>(*((*cell.counters).*which));
}

std::vector<Clause> clauses(const Cell& before, const Cell& after) {
  const auto from = code(before.key.rung), to = code(after.key.rung);
  std::vector<Clause> found;
  // say(more, less, the figure of each): the rung named first has the larger figure
  const auto compare = [&](Figure figure, const auto& say) {
    const auto a = figure(before), b = figure(after);
    if (!a || !b || std::max(*a, *b) <= 0) return;
    const double weight = std::max(*a, *b) / std::max(std::min(*a, *b), 0.5);  // 0.5: none against some
    if (weight < worth_saying) return;
    found.push_back({weight, *a > *b ? say(from, to, *a, *b) : say(to, from, *b, *a)});
  };
  const auto each_in_words = [](std::string_view pattern) {
    return [pattern](const std::string& more, const std::string& less, double high, double low) {
      return fmt::format(fmt::runtime(pattern), more, shortest(high), less, low == 0 ? "none" : shortest(low));
    };
  };
  compare(traffic_over_minimum, [](const std::string& more, const std::string& less, double high, double low) {
    return fmt::format("{} moves {} times the bytes of {} ({} against {} of the minimum)", more, three_digits(high / low), less, factor(high),
                       factor(low));
  });
  compare(memory_requests, [](const std::string& more, const std::string& less, double high, double low) {
    return fmt::format("{} makes {} times the memory requests of {}", more, three_digits(high / low), less);
  });
  compare(sectors_per_load, each_in_words("a load of {} touches {} sectors, of {} {}"));
  compare([](const Cell& c) { return c.counters ? c.counters->active_lanes : std::nullopt; },
          each_in_words("a memory request of {} has {} active lanes, of {} {}"));
  compare(wavefronts_per_shared_request, each_in_words("a shared-memory request of {} takes {} passes, of {} {}"));
  compare(barriers_per_block, each_in_words("a block of {} waits at {} barriers, of {} at {}"));
  compare([](const Cell& c) { return counter(c, &Counters::launches); }, each_in_words("{} needs {} launches, {} {}"));
  compare([](const Cell& c) { return counter(c, &Counters::blocks); }, each_in_words("{} spreads over {} blocks, {} over {}"));
  compare([](const Cell& c) { return counter(c, &Counters::atomics); }, each_in_words("{} does {} atomic operations, {} {}"));
  compare([](const Cell& c) { return counter(c, &Counters::steps); }, each_in_words("{} has {} steps in a row, {} {}"));
  std::ranges::stable_sort(found, std::greater{}, &Clause::weight);
  if (found.size() > most_clauses) found.resize(most_clauses);
  return found;
}

}  // namespace

std::vector<std::string> explanations(const std::vector<Cell>& cells) {
  std::vector<std::string> items;
  for (const Cell& after : cells) {
    const auto before = std::ranges::find_if(
        cells, [&](const Cell& c) { return c.key.provider == after.key.provider && c.key.rung == after.improves_on && c.counters; });
    if (!after.counters || before == cells.end()) continue;
    std::vector<std::string> said;
    for (const Clause& clause : clauses(*before, after)) said.push_back(clause.text);
    if (said.empty()) said.push_back("no count differs by more than 10 %, so only a clock can tell them apart");
    items.push_back(fmt::format("**{}** after {}: {}.", code(after.key.rung), code(before->key.rung), joined(said, "; ")));
  }
  return items;
}

}  // namespace ladder::reports
