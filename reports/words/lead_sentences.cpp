#include "reports/words/lead_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "reports/model/element_types.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/compare_sets.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/machine.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {

std::string standing(const OperationResults& operation) {
  const auto& [by_hand, library, same_promise] = operation.fastest;
  if (!by_hand) return "";
  std::string text = fmt::format(
      "{} takes {}{}", code(by_hand->who.rung), column("time (95 % interval)").text(*by_hand),
      over_devices(by_hand->input.devices, by_hand->input.process_for_each_device));
  if (has_share_of_limit(*by_hand))
    text += fmt::format(", at {} % of the limit of this input",
                        three_digits(100 * by_hand->timing()->ratios.vs_limit->value));
  else if (by_hand->timing()->percent_of_ceiling)
    text += fmt::format(", at {} % of the measured ceiling",
                        three_digits(*by_hand->timing()->percent_of_ceiling));
  if (const auto& ratio = by_hand->timing()->ratios.vs_one_device)
    text +=
        ratio->verdict == Difference::none_shown
            ? fmt::format(". Against the fastest on one device: {}", ratio_text(*ratio))
            : fmt::format(". It is {} as fast as the fastest on one device", ratio_text(*ratio));
  if (!library || !by_hand->timing()->ratios.vs_fastest_library) return text + '.';
  const Ratio& ratio = *by_hand->timing()->ratios.vs_fastest_library;
  const auto against = fmt::format("the fastest library, {}", code(library->who.rung));
  text += ratio.verdict == Difference::none_shown
              ? fmt::format(". Against {}: {}.", against, ratio_text(ratio))
              : fmt::format(". It is {} as fast as {}.", ratio_text(ratio), against);
  // any order gives the same integer
  if (!same_promise || same_promise->who == library->who ||
      !element_type(by_hand->input.dtype).is_float)
    return text;
  return text +
         fmt::format(" Against the fastest library that promises the same bits on one GPU, {}: {}.",
                     code(same_promise->who.rung), column("vs same promise").text(*by_hand));
}

std::string faster_from(const OperationResults& operation) {
  const Cells& cells = operation.cells;
  const unsigned devices = most_devices_of(cells);
  Cells telling = operation.gpu_times;
  if (telling.empty())
    telling = of_most_telling_input(only(cells, &Cell::timing), operation.order());
  if (devices < 2 || telling.empty()) return "";
  const CellKey& of = telling.back().key();
  std::map<std::uint64_t, std::vector<const Cell*>, std::greater<>> by_size;  // large ones first
  for (const Cell& c : cells) {
    CellKey same = c.key();
    same.input.n = of.input.n, same.who = of.who;
    if (same == of && c.timing() != nullptr && c.timing()->ratios.vs_one_device)
      by_size[c.input.n].push_back(&c);
  }
  if (by_size.empty()) return "";
  std::optional<std::uint64_t> from;
  for (const auto& [n, rows] : by_size) {
    if (fastest_of(rows, time_alone)->timing()->ratios.vs_one_device->verdict != Difference::faster)
      break;
    from = n;
  }
  const std::string what =
      fmt::format("{}{}", of.input.op ? escaped(*of.input.op) + ", " : "", escaped(of.input.dtype));
  if (!from)
    return fmt::format("{} devices are not shown to be faster than one from any size on ({}).",
                       devices, what);
  return fmt::format("{} devices are faster than one from n = {} on ({}).", devices,
                     elements(*from), what);
}

namespace {

std::string of_the_fastest(const ResultSet& set) {
  const Results& results = set.results;
  Tally count;
  std::set<std::uint64_t> sizes;
  for (const OperationResults& operation : set.operations) {
    const auto& by_hand = operation.fastest.by_hand;
    if (!by_hand || !by_hand->timing()->ratios.vs_fastest_library) continue;
    count.add(by_hand->timing()->ratios.vs_fastest_library->verdict);
    sizes.insert(by_hand->input.n);
  }
  if (count.compared() == 0 && std::ranges::any_of(results.cells, [](const Cell& c) {
        return c.how.backend == Backend::cuda && c.counters() != nullptr;
      }))
    return fmt::format("Hardware counters of {}. The set compares no times with a library.",
                       escaped(gpu_name(results)));
  if (count.compared() == 0)
    return any_timed(results.cells, Backend::cuda)
               ? fmt::format("On {}, no hand-written kernel was compared with a library.",
                             escaped(gpu_name(results)))
               : fmt::format("No kernel was timed on a GPU. Machine: {}.",
                             machine_in_short(results));
  const std::string here =
      escaped(gpu_name(results)) +
      (sizes.size() == 1 ? fmt::format(" at n = {}", elements(*sizes.begin())) : "");
  auto where = [all = count.compared(), first = true](std::size_t n) mutable {
    return fmt::format("in {}{}", n,
                       std::exchange(first, false) ? " of " + counted(all, "operation") : "");
  };
  std::vector<std::string> parts;
  if (count.faster > 0) parts.push_back("faster than the fastest library " + where(count.faster));
  if (count.slower > 0)
    parts.push_back((parts.empty() ? "slower than the fastest library " : "slower ") +
                    where(count.slower));
  std::string text =
      fmt::format("On {}, the best hand-written kernel is {}", here, enumerated(parts));
  if (count.no_difference == 0) return text + '.';
  if (parts.empty())
    return fmt::format(
        "On {}, the best hand-written kernel shows no difference from the fastest library {}.",
        here, where(count.no_difference));
  return text + fmt::format(", and shows no difference {}.", where(count.no_difference));
}

}  // namespace

std::string lead(const ResultSet& set) {
  const Results& results = set.results;
  const unsigned devices = set.most_devices;
  if (devices == 0) return of_the_fastest(set);
  const bool process_for_each = std::ranges::any_of(
      results.cells, [](const Cell& c) { return c.input.process_for_each_device; });
  return fmt::format(
      "Every input is spread over {}. A reference has the whole input on one device. {}{}",
      counted(devices, "device"),
      process_for_each
          ? "Each device has a process of its own, and each process runs the references. "
          : "",
      of_the_fastest(set));
}

}  // namespace ladder::reports
