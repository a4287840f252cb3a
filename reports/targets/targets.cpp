#include "reports/targets/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

// Below 2^14 elements most of the time is that of a launch, from 2^20 on every multiprocessor has
// work, and up to 2^24 the data of most types fits in the cache of a large GPU.
constexpr std::array<std::uint64_t, 3> bounds{1 << 14, 1 << 20, 1 << 24};
constexpr std::array<std::string_view, 4> size_bands{"below 2^14", "2^14 to 2^20", "2^20 to 2^24",
                                                     "2^24 and more"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> for_every_size{
    {{"reduce", "packed"},
     {"sum_of_cubes", "packed"},
     {"dot", "packed"},
     {"dot", "compensated_gather"},
     {"inclusive_scan", "waves_by_size"},
     {"exclusive_scan", "waves_by_size"},
     {"histogram", "by_size"},
     {"histogram", "bytes"}}};

const Ratio& ratio_of(const Cell& cell) {
  return *cell.timing()->ratios.vs_fastest_library;
}

const Ratio& share_of(const Cell& cell) {
  return *cell.timing()->ratios.vs_limit;
}

// "97.1 %"
std::string share_text(double share) {
  return three_digits(100 * share) + " %";
}

struct Rivals {
  const Cell *by_hand = nullptr, *library = nullptr;
  bool counts = false;
};

void keep_faster(const Cell*& fastest, const Cell& cell) {
  if (fastest == nullptr || cell.timing()->time_us.median < fastest->timing()->time_us.median)
    fastest = &cell;
}

Band band_of(const std::string& operation, std::string_view sizes,
             const std::vector<Rivals>& inputs) {
  Band band{operation, std::string(sizes)};
  std::vector<double> ratios, shares;
  for (const auto& [by_hand, library, counts] : inputs) {
    const Ratio& ratio = ratio_of(*by_hand);
    ratios.push_back(ratio.value);
    band.inputs.add(ratio.verdict);
    if (band.worst == nullptr || ratio.value < ratio_of(*band.worst).value)
      band.worst = by_hand, band.library = library;
    if (!has_share_of_limit(*by_hand)) continue;
    shares.push_back(share_of(*by_hand).value);
    if (band.farthest == nullptr || shares.back() < share_of(*band.farthest).value)
      band.farthest = by_hand;
  }
  band.median = statistics::median(std::move(ratios));
  if (!shares.empty()) band.median_of_limit = statistics::median(std::move(shares));
  return band;
}

}  // namespace

bool holds_a_line(std::string_view operation, std::string_view dtype, const Who& who) {
  return who.provider == "handwritten" &&
         has(for_every_size, std::pair(operation, std::string_view(who.rung))) &&
         (operation != "histogram" || (who.rung == "bytes") == (dtype == "u8"));
}

std::vector<Band> bands(const Results& results) {
  const Order order(results);
  const unsigned devices = most_devices_of(results.cells);
  std::map<Input, Rivals> inputs;
  for (const Cell& cell : results.cells) {
    if (cell.timing() == nullptr || cell.input.devices != devices || cell.how != cold_on_gpu)
      continue;
    Rivals& fastest = inputs[cell.input];
    fastest.counts |= holds_a_line(cell.input.operation, cell.input.dtype, cell.who);
    if (is_library(cell)) keep_faster(fastest.library, cell);
    else if (cell.timing()->ratios.vs_fastest_library) keep_faster(fastest.by_hand, cell);
  }
  std::map<std::tuple<std::size_t, std::string, std::size_t>, std::vector<Rivals>> by_band;
  for (const auto& [input, fastest] : inputs)
    if (fastest.counts && fastest.by_hand != nullptr && fastest.library != nullptr)
      by_band[{order.of_operation(input.operation), input.operation,
               static_cast<std::size_t>(std::ranges::upper_bound(bounds, input.n) -
                                        bounds.begin())}]
          .push_back(fastest);
  return each(by_band, [](const auto& one) {
    const auto& [place, operation, band] = one.first;
    return band_of(operation, size_bands.at(band), one.second);
  });
}

std::string targets_in_short(const std::vector<Band>& all) {
  Tally sum;
  for (const Band& one : all) sum.add(one.inputs);
  return fmt::format("faster on {} of {}, slower on {}, no difference shown on {}", sum.faster,
                     counted(sum.compared(), "input"), sum.slower, sum.no_difference);
}

Table targets_table(const std::vector<Band>& all) {
  const bool has_limits = std::ranges::any_of(all, [](const Band& one) { return one.farthest; });
  Table table{{"operation",
               "n",
               {"inputs", true},
               {"slower on", true},
               {"median", true},
               {"lowest (95 % interval)", true},
               "where"},
              {}};
  if (has_limits)
    for (const char* title : {"median of limit", "lowest of limit"})
      table.columns.push_back({title, true});
  for (const Band& one : all) {
    const auto& [operation, sizes, inputs, median, worst, library, median_of_limit, farthest] = one;
    const Ratio& ratio = ratio_of(*worst);
    auto& row = table.rows.emplace_back(
        std::vector{code(operation), sizes, std::to_string(inputs.compared()),
                    std::to_string(inputs.slower), ratio_digits(median) + 'x',
                    fmt::format("{}x ({} to {})", ratio_digits(ratio.value),
                                ratio_digits(ratio.ci95_low), ratio_digits(ratio.ci95_high)),
                    fmt::format("{}, {}: {} against {}", input_in_short(worst->input),
                                escaped(worst->input.distribution), code(worst->who.rung),
                                code(library->who.rung))});
    if (!has_limits) continue;
    row.push_back(median_of_limit ? share_text(*median_of_limit) : "");
    row.push_back(farthest == nullptr ? ""
                                      : fmt::format("{}, {}", share_text(share_of(*farthest).value),
                                                    input_in_short(farthest->input)));
  }
  return table;
}

std::string targets_of_published(const Results& results) {
  const auto all = bands(results);
  return fmt::format("On {}, run {} of {}, commit {}: {}.\n\n{}", escaped(gpu_name(results)),
                     code(short_id(results.run)), day_of(results.run), commit_of(results.run),
                     targets_in_short(all), markdown_table(targets_table(all)));
}

}  // namespace ladder::reports
