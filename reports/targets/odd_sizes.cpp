#include "reports/targets/odd_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "reports/targets/targets.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

double per_element(const Cell& cell) {
  return cell.timing()->time_us.median / static_cast<double>(cell.input.n);
}

using Series = std::pair<Input, Who>;

// An input without its size and its offset.
Series series_of(const Cell& cell) {
  Series series{cell.input, cell.who};
  series.first.n = 0, series.first.offset = 0;
  return series;
}

// "Of 3 times at a size that is not a power of two, 1 is more than 15 %"
std::string of_these(const std::vector<OddSize>& these, std::string_view which) {
  const auto beyond = static_cast<std::size_t>(std::ranges::count_if(
      these, [](const OddSize& one) { return one.above_trend > trend_tolerance; }));
  return fmt::format("Of {} {}, {} more than {:g} %", counted(these.size(), "time", "times"), which,
                     counted(beyond, "is", "are"), 100 * trend_tolerance);
}

}  // namespace

std::vector<OddSize> odd_sizes(const Results& results) {
  std::map<Series, std::map<std::uint64_t, const Cell*>> series;  // by an input without its size
  std::vector<const Cell*> displaced;
  for (const Cell& cell : results.cells) {
    if (cell.timing() == nullptr ||
        cell.how != How{Backend::cuda, Contract::device_result, Cache::cold} || cell.input.n == 0)
      continue;
    if (!holds_a_line(cell.input.operation, cell.input.dtype, cell.who)) continue;
    if (cell.input.offset != 0) displaced.push_back(&cell);
    else series[series_of(cell)].emplace(cell.input.n, &cell);
  }
  std::vector<OddSize> all;
  for (const Cell* cell : displaced) {
    const auto& sizes = series[series_of(*cell)];
    if (const auto aligned = sizes.find(cell->input.n); aligned != sizes.end())
      all.push_back({cell, per_element(*cell) / per_element(*aligned->second) - 1});
  }
  for (const auto& [of, sizes] : series) {
    std::map<std::uint64_t, const Cell*> powers;
    std::ranges::copy_if(sizes, std::inserter(powers, powers.end()),
                         [](const auto& one) { return std::has_single_bit(one.first); });
    for (const auto& [n, cell] : sizes) {
      const auto above = powers.upper_bound(n);
      if (std::has_single_bit(n) || above == powers.begin() || above == powers.end()) continue;
      const auto below = std::prev(above);
      const auto at = [](std::uint64_t size) { return std::log2(static_cast<double>(size)); };
      const double share = (at(n) - at(below->first)) / (at(above->first) - at(below->first));
      const double trend =
          std::lerp(per_element(*below->second), per_element(*above->second), share);
      all.push_back({cell, per_element(*cell) / trend - 1});
    }
  }
  std::ranges::stable_sort(all, std::greater{}, &OddSize::above_trend);
  return all;
}

std::string odd_sizes_text(const Results& results) {
  constexpr std::ptrdiff_t most_rows = 20;
  const auto all = odd_sizes(results);
  if (all.empty()) return "";
  std::vector<OddSize> sizes, displaced;
  for (const OddSize& one : all) (one.cell->input.offset == 0 ? sizes : displaced).push_back(one);
  std::string text;
  if (!sizes.empty())
    text += of_these(sizes, "at a size that is not a power of two") +
            " above the trend: the time for each element, on a straight line over log n between "
            "the powers of two on both sides. ";
  if (!displaced.empty())
    text += of_these(displaced, "on displaced arrays") +
            " above the time of the same size on aligned arrays. ";
  std::vector<std::vector<std::string>> rows;
  for (const OddSize& one :
       std::vector(all.begin(), all.begin() + std::min(most_rows, std::ssize(all))))
    rows.push_back({code(one.cell->input.operation) + ", " + input_in_short(one.cell->input),
                    escaped(one.cell->input.distribution), code(one.cell->who.rung),
                    fmt::format("{:+.1f} %", 100 * one.above_trend),
                    one.above_trend > trend_tolerance ? "no" : "yes"});
  return text + "The worst:\n\n" +
         markdown_table(
             {{"input"}, {"distribution"}, {"rung"}, {"above the trend", true}, {"within it"}},
             rows) +
         '\n';
}

}  // namespace ladder::reports
