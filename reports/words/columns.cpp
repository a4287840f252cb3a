#include "reports/words/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "reports/numbers/cells.hpp"
#include "reports/numbers/metrics.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"

namespace ladder::reports {
namespace {

std::string number(std::optional<double> value, std::string (*text)(double) = three_digits) {
  return value ? text(*value) : "";
}
std::string percent(std::optional<double> value) {
  return value ? three_digits(*value) + " %" : "";
}

// A number of the time of a cell; null where it has none.
std::optional<double> timed(const Cell& cell, std::optional<double> Timing::*which) {
  return cell.timing() != nullptr ? cell.timing()->*which : std::nullopt;
}

std::string time_with_interval(const Cell& cell) {
  if (cell.timing() == nullptr) return "";
  const Time& time = cell.timing()->time_us;
  const Duration in(time.median);
  return fmt::format("{} {} ({} to {})", in.number(time.median), in.unit, in.number(time.ci95_low),
                     in.number(time.ci95_high));
}

std::string back_to_back(const Cell& cell) {
  if (cell.timing() == nullptr || !cell.timing()->back_to_back) return "";
  const double us = cell.timing()->back_to_back->median_us;
  const Duration in(us);
  return fmt::format("{} {}", in.number(us), in.unit);
}

// Alone and back to back, one is shown faster and the other slower.
bool disagree(const Ratio& alone, const Ratio& back_to_back) {
  const auto none = Difference::none_shown;
  return alone.verdict != none && back_to_back.verdict != none &&
         alone.verdict != back_to_back.verdict;
}

std::string back_to_back_ratio(const Cell& cell) {
  if (cell.timing() == nullptr || !cell.timing()->back_to_back ||
      !cell.timing()->back_to_back->vs_fastest_library)
    return "";
  const Ratio& ratio = *cell.timing()->back_to_back->vs_fastest_library;
  const auto& alone = cell.timing()->ratios.vs_fastest_library;
  return ratio_text(ratio) + (alone && disagree(*alone, ratio) ? ", **not as alone**" : "");
}

std::string ratio(const Cell& cell, std::optional<Ratio> Ratios::*which) {
  return cell.timing() != nullptr && cell.timing()->ratios.*which
             ? ratio_text(*(cell.timing()->ratios.*which))
             : "";
}

// Counts are the same for several operators and types, and then shown once: with their errors they
// would not be. So errors stand beside times, and beside the counts of what has no operator. Where
// the exact bits are due, as of integers, there is none to show.
bool shows_error(const Cell& cell) {
  return cell.error() && cell.error()->bound != 0.0 && (cell.timing() || !cell.input.op);
}

std::string error_in_ulps(const Cell& cell) {
  return shows_error(cell) && cell.error()->ulp_max ? shortest(*cell.error()->ulp_max) : "";
}

std::string error_of_bound(const Cell& cell) {
  return shows_error(cell) && cell.error()->of_bound ? percent(100 * *cell.error()->of_bound) : "";
}

std::string remarks(const Cell& cell) {
  std::string text;
  const auto add = [&text](const std::string& remark) {
    text += (text.empty() ? "" : ", ") + remark;
  };
  for (std::string flag : cell.flags) {
    if (flag == "unbounded") continue;  // of the answer, not of the time: beside the error
    for (char& c : flag) c = c == '_' ? ' ' : c;
    add(escaped(flag));
  }
  return text;
}

// Medians over the processes, of the device that is done first and of the last.
std::string first_and_last_device(const Cell& cell) {
  if (cell.timing() == nullptr) return "";
  std::map<std::size_t, std::vector<double>> times;  // by device
  for (const ProcessMedian& one : cell.timing()->processes)
    for (std::size_t device = 0; device < one.devices_us.size(); ++device)
      times[device].push_back(one.devices_us[device]);
  std::vector<double> medians;
  medians.reserve(times.size());
  for (const auto& [device, its] : times) medians.push_back(statistics::median(its));
  if (medians.empty()) return "";
  const auto [first, last] = std::ranges::minmax(medians);
  const Duration in(last);
  return fmt::format("{} to {} {}", in.number(first), in.number(last), in.unit);
}

// The columns of the counters that have a title, by the names of the counters.
std::map<std::string_view, Column> counter_columns() {
  std::map<std::string_view, Column> all;
  const Counters none;
  Counters::fields(none, [&](std::string_view name, const auto& value,
                             const FieldFacts& facts = {}) {
    if (facts.title.empty()) return;
    const auto text = [name, is_count = std::is_same_v<decltype(value), const Counters::Count&>](
                          const Cell& cell) {
      if (cell.counters() == nullptr) return std::string();
      return number(counter_named(*cell.counters(), name), is_count ? shortest : three_digits);
    };
    all[name] = {facts.title, facts.in_words.empty() ? facts.meaning : facts.in_words, text};
  });
  return all;
}

std::vector<Column> made_columns() {
  auto of_counter = counter_columns();
  // A counter stands where it is named, once.
  const auto column_of = [&](std::string_view name) { return of_counter.extract(name).mapped(); };
  std::vector<Column> all{
      {"rung", "", [](const Cell& c) { return code(c.who.rung); }, false},
      {"provider", "`handwritten` is this study; all others are libraries.",
       [](const Cell& c) { return escaped(c.who.provider); }, false},
      {"devices",
       "number of devices over which the input is spread. No entry: a reference, which has the "
       "whole "
       "input on one device.",
       [](const Cell& c) { return c.input.devices == 0 ? "" : grouped(c.input.devices); }, false,
       true},
      {"verdict", "whether the answer was right. Only a right answer earns a number.",
       [](const Cell& c) { return verdict_text(c); }, false},
      {"time (95 % interval)",
       "median of the medians of all measuring processes, with its 95 % interval.",
       time_with_interval},
      {"first to last device",
       "times of the first and of the last device to end: medians of the medians of all measuring "
       "processes.",
       first_and_last_device, true, true},
      {"back to back",
       "mean time of 20 runs without a pause between them, from the cache. Only runs of less than "
       "40 "
       "us have it.",
       back_to_back},
      {"back to back vs fastest library",
       "speed-up over the library that is the fastest back to back. *Not as alone*: a single run "
       "after a pause shows the opposite.",
       back_to_back_ratio},
      {"back to back vs same promise",
       "speed-up over the library that is the fastest back to back and promises as much.",
       [](const Cell& c) {
         const bool there = c.timing() != nullptr && c.timing()->back_to_back &&
                            c.timing()->back_to_back->vs_same_promise;
         return there ? ratio_text(*c.timing()->back_to_back->vs_same_promise) : "";
       }},
      {"GB/s",
       "bytes that *must* be read and written once, divided by the time; 1 GB is 10^9 bytes.",
       [](const Cell& c) {
         return c.timing() != nullptr ? three_digits(c.timing()->bandwidth_gbps.median) : "";
       }},
      {"of ceiling",
       "that bandwidth as a share of the ceiling: the bandwidth of a loop that only moves memory, "
       "on "
       "this machine in the same run.",
       [](const Cell& c) { return percent(timed(c, &Timing::percent_of_ceiling)); }},
      {"of datasheet",
       "that bandwidth as a share of the datasheet bandwidth: memory clock times bus width.",
       [](const Cell& c) { return percent(timed(c, &Timing::percent_of_datasheet)); }},
      {"x one device",
       "speed-up over the fastest reference, with its 95 % interval. The ceiling of k devices is k "
       "times the ceiling of one device. *Of ceiling* is "
       "the "
       "share of this ceiling.",
       [](const Cell& c) { return ratio(c, &Ratios::vs_one_device); }, true, true},
      {"vs fastest library",
       "speed-up over the fastest library. That library has no entry. The ratio is taken within "
       "each "
       "measuring process and then averaged, so a slow "
       "process cancels out. An interval that contains 1 shows no difference.",
       [](const Cell& c) { return ratio(c, &Ratios::vs_fastest_library); }},
      {"vs same promise",
       "speed-up over the fastest library that promises as much. Some libraries may combine floats "
       "in any order. Others give the same bits in every "
       "run on one GPU. A rung that gives the same bits is compared only with the second kind.",
       [](const Cell& c) { return ratio(c, &Ratios::vs_same_promise); }},
      {"vs the rung it follows",
       "speed-up over the rung one step down the ladder, with its 95 % interval.",
       [](const Cell& c) { return ratio(c, &Ratios::vs_followed); }},
      {"vs first rung", "speed-up over the first rung of the ladder, with its 95 % interval.",
       [](const Cell& c) { return ratio(c, &Ratios::vs_first_rung); }},
      {"SM cycles", "clock cycles that the kernel itself took.",
       [](const Cell& c) { return number(timed(c, &Timing::sm_cycles)); }},
      {"lost counts", "elements that a racy kernel did not count, and their share of all.",
       [](const Cell& c) {
         const auto lost = c.lost_counts();
         if (!lost) return std::string();
         const double share =
             c.input.n == 0 ? 0 : 100 * static_cast<double>(*lost) / static_cast<double>(c.input.n);
         const bool nearly_all = *lost < c.input.n && three_digits(share) == three_digits(100);
         return fmt::format("{} ({} %)", grouped(*lost),
                            nearly_all ? "over 99.9" : three_digits(share));
       }},
      {"bytes over minimum",
       "bytes that warps load from and store to global memory, divided by the bytes that must "
       "move. "
       "A byte that several lanes of a request ask for "
       "counts once.",
       [](const Cell& c) { return number(traffic_over_minimum(c), factor); }},
      {"sectors per load",
       "32-byte sectors of memory that one load of a warp touches. For 32 lanes the minimum is 4 "
       "with 4 bytes each, 8 with 8 bytes and 16 with 16 "
       "bytes.",
       [](const Cell& c) { return number(sectors_per_load(c)); }},
      {"sectors used",
       "share of the bytes in the touched sectors that lanes ask for: 100 % in coalesced accesses, "
       "where neighbouring lanes ask for neighbouring "
       "elements.",
       [](const Cell& c) {
         const auto use = sector_use(c);
         return use ? shortest(std::round(1000 * *use) / 10) + " %" : "";
       }},
      column_of("active_lanes"),
      {"barriers per thread", "how many times a thread waits at a barrier of its block.",
       [](const Cell& c) { return number(barriers_per_thread(c), shortest); }},
      {"bytes between devices",
       "bytes that kernels and copies read from and write to the memory of other devices.",
       [](const Cell& c) { return number(bytes_between_devices(c), shortest); }, true, true},
      column_of("launches"),
      column_of("atomics"),
      column_of("atomic_contention"),
      {"sectors per store", "32-byte sectors of memory that one store of a warp touches.",
       [](const Cell& c) { return number(sectors_per_store(c)); }},
      {"shared wavefronts",
       "passes that the requests of all warps take through the 32 banks of shared memory.",
       [](const Cell& c) {
         return c.counters() != nullptr && c.counters()->shared_requests > 0u
                    ? number(counter<&Counters::shared_wavefronts>(c), shortest)
                    : "";
       }},
      {"wavefronts per shared request",
       "passes that one request of a warp takes. For 32 lanes the minimum is 1 with 4 bytes each, "
       "2 "
       "with 8 bytes and 4 with 16 bytes. More passes are "
       "bank conflicts.",
       [](const Cell& c) { return number(wavefronts_per_shared_request(c)); }},
      {"DRAM bytes over minimum",
       "bytes that the GPU read from and wrote to its memory, by its own counters, divided by the "
       "bytes that must move. They include the write-back of "
       "dirty lines of the flush before the run.",
       [](const Cell& c) { return number(dram_over_minimum(c), factor); }},
      column_of("steps"),
      column_of("work"),
      {"error (ULP)",
       "largest distance from the exact result, in units in the last place. No entry: the answer "
       "must have the exact bits.",
       error_in_ulps},
      {"of bound",
       "error divided by the bound that theory gives for that order of summation: the maximum over "
       "all results.",
       error_of_bound},
      {"remarks",
       "*below resolution*: too short for the clock to time well. *fits in cache*: smaller than "
       "the "
       "last-level cache, so the ceiling of memory does "
       "not apply. *above ceiling*: faster than the loop that measured the ceiling, because the "
       "machine was quieter or the data was in a cache. "
       "*throttled*: the driver lowered the GPU's clock because of power or heat.",
       remarks, false},
  };
  // all other counters before what is said of the error
  const auto error = std::ranges::find(all, "error (ULP)", &Column::title);
  std::vector<Column> others;
  others.reserve(of_counter.size());
  for (auto& [name, column] : of_counter) others.push_back(std::move(column));
  all.insert(error, others.begin(), others.end());
  return all;
}

const std::vector<Column>& all_columns() {
  static const std::vector<Column> all = made_columns();
  return all;
}

}  // namespace

std::span<const Column> columns() {
  return all_columns();
}

const Column& column(std::string_view title) {
  const auto found = std::ranges::find(all_columns(), title, &Column::title);
  if (found == all_columns().end())
    throw std::logic_error(fmt::format("no column is called {}", title));
  return *found;
}

// a tie needs the third after the point, and more where that would round to 1
std::string ratio_digits(double value) {
  if (value < 0.1 || value >= 2) return three_digits(value);
  auto text = fmt::format("{:.3f}", value);
  for (int places = 4; places <= 6 && value != 1 && std::stod(text) == 1; ++places)
    text = fmt::format("{:.{}f}", value, places);
  return text;
}

std::string ratio_text(const Ratio& r) {
  const auto interval =
      fmt::format("{} to {}", ratio_digits(r.ci95_low), ratio_digits(r.ci95_high));
  if (r.verdict == Difference::none_shown) return fmt::format("no difference shown ({})", interval);
  return fmt::format("{}x ({})", ratio_digits(r.value), interval);
}

std::string verdict_text(const Cell& cell) {
  if (cell.passed() || cell.verdict() == Verdict::skipped)
    return std::string(name_of(cell.verdict()));
  if (cell.verdict() == Verdict::expected_wrong)
    return cell.lost_counts() == 0u ? "right, by luck" : "wrong, as expected";
  return fmt::format("**{}**", name_of(cell.verdict()));
}

std::string_view instead_of_numbers(Verdict verdict) {
  if (verdict == Verdict::skipped) return "not run";
  if (verdict == Verdict::crashed) return "none: it crashed";
  if (verdict == Verdict::timeout) return "none: it did not end";
  return verdict == Verdict::expected_wrong ? "none: wrong on purpose" : "none: wrong answer";
}

std::string_view instead_of_numbers(const Cell& cell, const HostOnly& host_only) {
  return host_only.contains(cell) ? "to the host only" : instead_of_numbers(cell.verdict());
}

}  // namespace ladder::reports
