#include "reports/lead.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "reports/columns.hpp"
#include "reports/gpu_times.hpp"
#include "reports/markdown.hpp"
#include "reports/order.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

struct Pair {
  std::optional<Cell> by_hand, library;  // the fastest of each
};

Pair fastest(const Results& results, const std::string& operation) {
  Pair found;
  for (const Cell& c : telling_gpu_times(results, operation)) {
    if (c.timing() == nullptr) continue;
    auto& best = c.who.provider == "handwritten" ? found.by_hand : found.library;
    if (!best || c.timing()->time_us.median < best->timing()->time_us.median) best = c;
  }
  return found;
}

}  // namespace

std::string standing(const Results& results, const std::string& operation) {
  const auto [by_hand, library] = fastest(results, operation);
  if (!by_hand) return "";
  std::string text = fmt::format("{} takes {}", code(by_hand->who.rung), column("time (95 % interval)").text(*by_hand));
  if (by_hand->timing()->percent_of_ceiling)
    text += fmt::format(", at {} % of the bandwidth that memory gives", three_digits(*by_hand->timing()->percent_of_ceiling));
  if (!library || !by_hand->timing()->ratios.vs_fastest_library) return text + '.';
  const Ratio& ratio = *by_hand->timing()->ratios.vs_fastest_library;
  const auto against = fmt::format("the fastest library, {}", code(library->who.rung));
  return text + (ratio.verdict == Difference::none_shown ? fmt::format(". Against {}: {}.", against, ratio_text(ratio))
                                                         : fmt::format(". It is {} as fast as {}.", ratio_text(ratio), against));
}

std::string lead(const Results& results) {
  std::size_t faster = 0, slower = 0, all = 0;
  for (const std::string& operation : Order(results).operations(results.cells)) {
    const auto by_hand = fastest(results, operation).by_hand;
    if (!by_hand || !by_hand->timing()->ratios.vs_fastest_library) continue;
    const Difference verdict = by_hand->timing()->ratios.vs_fastest_library->verdict;
    ++all;
    faster += verdict == Difference::faster ? 1 : 0;
    slower += verdict == Difference::slower ? 1 : 0;
  }
  if (all == 0) return fmt::format("No time of a GPU is in this run. It is of {}.", machine_in_short(results.machine));
  std::vector<std::string> parts;
  if (faster > 0) parts.push_back(fmt::format("faster than the fastest library in {} of {}", faster, counted(all, "operation", "operations")));
  if (slower > 0)
    parts.push_back(parts.empty() ? fmt::format("slower than the fastest library in {} of {}", slower, counted(all, "operation", "operations"))
                                  : fmt::format("slower in {}", slower));
  const std::size_t ties = all - faster - slower;
  if (ties > 0)
    parts.push_back(fmt::format("shows no difference in {}{}", ties, parts.empty() ? " of " + counted(all, "operation", "operations") : ""));
  return fmt::format("On {}, the best hand-written kernel is {}.", escaped(gpu_name(results)), enumerated(parts));
}

}  // namespace ladder::reports
