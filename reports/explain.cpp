#include "reports/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "reports/ladder.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

constexpr double worth_saying = 1.1;    // a smaller difference explains nothing
constexpr double many_more_blocks = 4;  // rungs that give a thread more elements have fewer blocks, which alone is neither gain nor cost
constexpr std::size_t most_gains = 3, most_costs = 2;

struct Differences {
  std::vector<std::string> gains, costs;  // the most telling first
};

using NumberOfCell = std::optional<double> (*)(const Cell&);
enum class Better { less, more };

std::optional<double> active_lanes(const Cell& cell) {
  return cell.counters ? cell.counters->active_lanes : std::nullopt;
}

std::string or_else(const char* nothing, double value) {
  return value == 0 ? nothing : shortest(value);
}

Differences differences(const Cell& before, const Cell& after) {
  Differences found;
  const auto compare = [&](NumberOfCell figure, Better better, double from, const auto& say) {
    const auto was = figure(before), is = figure(after);
    if (!was || !is || std::max(*was, *is) == 0) return;
    const auto [low, high] = std::minmax(*was, *is);
    if (low > 0 && high / low < from) return;
    ((better == Better::less) == (*is < *was) ? found.gains : found.costs).push_back(say(*was, *is));
  };
  const auto instead_of = [](std::string_view pattern) {
    return [pattern](double was, double is) { return fmt::format(fmt::runtime(pattern), or_else("no", is), or_else("none", was)); };
  };
  compare(traffic_over_minimum, Better::less, worth_saying, [&](double was, double is) {
    const auto& [more, less] = was > is ? std::pair(before, after) : std::pair(after, before);
    return fmt::format("moves {} instead of {} the minimum bytes ({} moves {} times the bytes of {})", factor(is), factor(was), code(more.key.rung),
                       three_digits(std::max(was, is) / std::min(was, is)), code(less.key.rung));
  });
  compare(sector_use, Better::more, worth_saying, [](double was, double is) {
    return fmt::format("uses {} % of the memory sectors it touches instead of {} %", shortest(100 * is), shortest(100 * was));
  });
  compare(active_lanes, Better::more, worth_saying, instead_of("has {} lanes active in a memory request instead of {}"));
  compare(memory_requests, Better::less, worth_saying, instead_of("makes {} memory requests instead of {}"));
  compare(wavefronts_per_shared_request, Better::less, worth_saying, [](double was, double is) {
    return fmt::format("takes {} for a request to shared memory instead of {}{}", is == 1 ? "one wavefront" : three_digits(is) + " wavefronts",
                       three_digits(was), is == 1 ? ": no bank conflict is left" : "");
  });
  compare(barriers_per_thread, Better::less, worth_saying, instead_of("waits at {} barriers per thread instead of {}"));
  compare(counter<&Counters::shared_requests>, Better::less, worth_saying, instead_of("makes {} requests to shared memory instead of {}"));
  compare(counter<&Counters::launches>, Better::less, worth_saying, [](double was, double is) {
    return fmt::format("needs {} instead of {}", is == 1 ? "one kernel launch" : shortest(is) + " kernel launches", shortest(was));
  });
  compare(counter<&Counters::blocks>, Better::more, many_more_blocks, instead_of("spreads over {} blocks instead of {}"));
  compare(counter<&Counters::steps>, Better::less, worth_saying, instead_of("has {} steps in a row instead of {}"));
  compare(counter<&Counters::work>, Better::less, worth_saying, instead_of("does {} operations on elements instead of {}"));
  compare(counter<&Counters::atomics>, Better::less, worth_saying, instead_of("does {} atomic operations instead of {}"));
  if (found.gains.size() > most_gains) found.gains.resize(most_gains);
  if (found.costs.size() > most_costs) found.costs.resize(most_costs);
  return found;
}

std::string in_words(const Differences& found) {
  if (found.gains.empty() && found.costs.empty()) return "no count differs by more than 10 %, so only a clock can tell them apart";
  if (found.costs.empty()) return enumerated(found.gains);
  if (found.gains.empty()) return "no count is better, and it " + enumerated(found.costs);
  return enumerated(found.gains) + "; but " + enumerated(found.costs);
}

}  // namespace

std::vector<std::string> explanations(const std::vector<Cell>& cells) {
  std::vector<std::string> items;
  for (const Cell& after : cells) {
    const auto before = std::ranges::find_if(
        cells, [&](const Cell& c) { return c.key.provider == after.key.provider && c.key.rung == after.improves_on && c.counters; });
    if (!after.counters || before == cells.end()) continue;
    items.push_back(fmt::format("**{}** after {}: {}.", code(after.key.rung), code(before->key.rung), in_words(differences(*before, after))));
  }
  return items;
}

}  // namespace ladder::reports
