#include "reports/words/what_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/numbers/metrics.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"

namespace ladder::reports {
namespace {

constexpr double worth_saying = 1.1;  // a smaller difference explains nothing
// rungs that give a thread more elements have fewer blocks, which alone is neither gain nor cost
constexpr double many_more_blocks = 4;
constexpr std::size_t most_gains = 3, most_costs = 2;

struct Differences {
  std::vector<std::string> gains, costs;  // the most telling first
};

enum class Better { less, more };

std::string or_else(const char* nothing, double value) {
  return value == 0 ? nothing : shortest(value);
}

Differences differences(const Cell& before, const Cell& after) {
  Differences found;
  const auto compare = [&](NumberOf figure, const auto& say, Better better = Better::less,
                           double from = worth_saying) {
    const auto was = figure(before), is = figure(after);
    if (!was || !is || std::max(*was, *is) == 0) return;
    const auto [low, high] = std::minmax(*was, *is);
    if (low > 0 && high / low < from) return;
    ((better == Better::less) == (*is < *was) ? found.gains : found.costs)
        .push_back(say(*was, *is));
  };
  const auto instead_of = [](std::string_view pattern) {
    return [pattern](double was, double is) {
      const auto count = or_else("no", is);
      return fmt::format(fmt::runtime(pattern), count, count == "1" ? "" : "s",
                         or_else("none", was));
    };
  };
  compare(traffic_over_minimum, [&](double was, double is) {
    const bool was_more = was > is;
    const double less = std::min(was, is), more = std::max(was, is);
    return fmt::format("moves {} instead of {} the minimum bytes", factor(is), factor(was)) +
           (less > 0
                ? fmt::format(" ({} moves {} times the bytes of {})",
                              code((was_more ? before : after).who.rung), three_digits(more / less),
                              code((was_more ? after : before).who.rung))
                : "");
  });
  compare(
      sector_use,
      [](double was, double is) {
        return fmt::format("uses {} % of the memory sectors it touches instead of {} %",
                           shortest(100 * is), shortest(100 * was));
      },
      Better::more);
  compare(bytes_between_devices, instead_of("moves {} byte{} between devices instead of {}"));
  compare(counter<&Counters::active_lanes>,
          instead_of("has {} lane{} active in a memory request instead of {}"), Better::more);
  compare(memory_requests, instead_of("makes {} memory request{} instead of {}"));
  compare(wavefronts_per_shared_request, [](double was, double is) {
    return fmt::format("takes {} for a request to shared memory instead of {}{}",
                       is == 1 ? "one wavefront" : three_digits(is) + " wavefronts",
                       three_digits(was), is == 1 ? ": no bank conflict is left" : "");
  });
  compare(barriers_per_thread, instead_of("waits at {} barrier{} per thread instead of {}"));
  compare(counter<&Counters::shared_requests>,
          instead_of("makes {} request{} to shared memory instead of {}"));
  compare(counter<&Counters::launches>, [](double was, double is) {
    return fmt::format("needs {} instead of {}",
                       is == 1 ? "one kernel launch" : shortest(is) + " kernel launches",
                       shortest(was));
  });
  compare(counter<&Counters::blocks>, instead_of("spreads over {} block{} instead of {}"),
          Better::more, many_more_blocks);
  compare(counter<&Counters::steps>, instead_of("has {} dependent step{} instead of {}"));
  compare(counter<&Counters::work>, instead_of("does {} operation{} on elements instead of {}"));
  compare(counter<&Counters::atomics>, instead_of("does {} atomic operation{} instead of {}"));
  if (found.gains.size() > most_gains) found.gains.resize(most_gains);
  if (found.costs.size() > most_costs) found.costs.resize(most_costs);
  return found;
}

std::string in_words(const Differences& found) {
  if (found.gains.empty() && found.costs.empty())
    return "no count differs by more than 10 %, so only a clock can tell them apart";
  if (found.costs.empty()) return enumerated(found.gains);
  if (found.gains.empty()) return "no count is better, and it " + enumerated(found.costs);
  return enumerated(found.gains) + "; but " + enumerated(found.costs);
}

}  // namespace

std::vector<Step> explanations(const Cells& cells, const Order& order) {
  std::map<CellKey, const Cell*> counted;
  for (const Cell& cell : cells)
    if (cell.counters() != nullptr) counted.emplace(cell.key(), &cell);
  std::map<std::size_t, Step> steps;  // by place on the ladder
  const auto place = [&](const Input& input) {
    return std::tuple(input.offset, ~input.n, order.of_operator(input), rank_of_dtype(input.dtype),
                      !order.is_usual(input), input);
  };
  for (const Cell& after : cells) {
    const Rung* card = order.card(after);
    if (after.counters() == nullptr || card == nullptr || card->follows.empty()) continue;
    CellKey below = after.key();
    below.who.rung = card->follows;
    auto before = counted.find(below);
    if (before == counted.end()) {  // a first rung over devices follows a reference
      below.input = group_input(below.input);
      before = counted.find(below);
    }
    if (before == counted.end()) continue;
    const auto known = steps.find(order.of(after));
    if (known != steps.end() && place(known->second.input) <= place(after.input)) continue;
    steps[order.of(after)] = {
        after.who, after.input,
        fmt::format("**{}** after {}: {}", code(after.who.rung), code(card->follows),
                    in_words(differences(*before->second, after)))};
  }
  return each(steps, [](const auto& one) { return one.second; });
}

}  // namespace ladder::reports
