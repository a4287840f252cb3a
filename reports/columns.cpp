#include "reports/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "reports/ladder.hpp"
#include "reports/statistics.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

std::string number(std::optional<double> value) {
  return value ? three_digits(*value) : "";
}
std::string percent(std::optional<double> value) {
  return value ? three_digits(*value) + " %" : "";
}

std::string count(const Cell& cell, std::optional<std::uint64_t> Counters::*which) {
  return cell.counters() != nullptr && cell.counters()->*which ? grouped(*(cell.counters()->*which)) : "";
}

std::string time_with_interval(const Cell& cell) {
  if (cell.timing() == nullptr) return "";
  const Time& time = cell.timing()->time_us;
  const Duration in(time.median);
  return fmt::format("{} {} ({} to {})", in.number(time.median), in.unit, in.number(time.ci95_low), in.number(time.ci95_high));
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
  return alone.verdict != none && back_to_back.verdict != none && alone.verdict != back_to_back.verdict;
}

std::string back_to_back_ratio(const Cell& cell) {
  if (cell.timing() == nullptr || !cell.timing()->back_to_back || !cell.timing()->back_to_back->vs_fastest_library) return "";
  const Ratio& ratio = *cell.timing()->back_to_back->vs_fastest_library;
  const auto& alone = cell.timing()->ratios.vs_fastest_library;
  return ratio_text(ratio) + (alone && disagree(*alone, ratio) ? ", **not as alone**" : "");
}

std::string ratio(const Cell& cell, std::optional<Ratio> Ratios::*which) {
  return cell.timing() != nullptr && cell.timing()->ratios.*which ? ratio_text(*(cell.timing()->ratios.*which)) : "";
}

// Counts are the same for several operators and types, and then shown once: with their errors they would not be. So errors stand beside times, and
// beside the counts of what has no operator. Where the exact bits are due, as of integers, there is none to show.
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
  const auto add = [&text](const std::string& remark) { text += (text.empty() ? "" : ", ") + remark; };
  for (std::string flag : cell.flags) {
    if (flag == "unbounded") continue;  // of the answer, not of the time: said under Accuracy
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
    for (std::size_t device = 0; device < one.devices_us.size(); ++device) times[device].push_back(one.devices_us[device]);
  std::vector<double> medians;
  medians.reserve(times.size());
  for (const auto& [device, its] : times) medians.push_back(statistics::median(its));
  if (medians.empty()) return "";
  const auto [first, last] = std::ranges::minmax(medians);
  const Duration in(last);
  return fmt::format("{} to {} {}", in.number(first), in.number(last), in.unit);
}

constexpr std::array<Column, 37> all_columns{{
    {"rung", "", [](const Cell& c) { return code(c.who.rung); }, false},
    {"provider", "`handwritten` is this study; all others are libraries.", [](const Cell& c) { return escaped(c.who.provider); }, false},
    {"devices", "that the input is spread over. No entry: a reference, which has all of it on one device.",
     [](const Cell& c) { return c.input.devices == 0 ? "" : grouped(c.input.devices); }, false, true},
    {"verdict", "whether the answer was right. Only a right answer earns a number.", verdict_text, false},
    {"time (95 % interval)", "median of the medians of all measuring processes, with its 95 % interval.", time_with_interval},
    {"first to last device",
     "the time of the device that is done first, and of the one that is done last: medians of the medians of all measuring processes.",
     first_and_last_device, true, true},
    {"back to back", "mean of 20 runs without a pause, from the cache, for runs of less than 40 us.", back_to_back},
    {"back to back vs fastest library",
     "how many times as fast as the library that is the fastest back to back. *Not as alone*: one run after a pause shows the opposite.",
     back_to_back_ratio},
    {"back to back vs same promise", "the same against the fastest back to back of the libraries that promise as much.",
     [](const Cell& c) {
       const bool there = c.timing() != nullptr && c.timing()->back_to_back && c.timing()->back_to_back->vs_same_promise;
       return there ? ratio_text(*c.timing()->back_to_back->vs_same_promise) : "";
     }},
    {"GB/s", "bytes that *must* be read and written once, over the time; 1 GB is 10^9 bytes.",
     [](const Cell& c) { return c.timing() != nullptr ? three_digits(c.timing()->bandwidth_gbps.median) : ""; }},
    {"of ceiling", "that bandwidth over what this machine reached in the same run with a loop that only moves memory.",
     [](const Cell& c) { return c.timing() != nullptr ? percent(c.timing()->percent_of_ceiling) : ""; }},
    {"of datasheet", "that bandwidth over memory clock times bus width.",
     [](const Cell& c) { return c.timing() != nullptr ? percent(c.timing()->percent_of_datasheet) : ""; }},
    {"x one device",
     "how many times as fast as the fastest reference, with its 95 % interval. Over k devices the ceiling is k times that of one: *of ceiling* is "
     "the "
     "share of that limit.",
     [](const Cell& c) { return ratio(c, &Ratios::vs_one_device); }, true, true},
    {"vs fastest library",
     "how many times as fast as the fastest library, which has no entry. The ratio is taken within each measuring process and then averaged, so a "
     "slow "
     "process cancels. An interval that contains 1 shows no difference.",
     [](const Cell& c) { return ratio(c, &Ratios::vs_fastest_library); }},
    {"vs same promise",
     "how many times as fast as the fastest library that promises as much: of libraries that may combine floats in any order and of libraries that "
     "give "
     "the same bits in every run on one GPU, a rung that gives the same bits is compared with the latter.",
     [](const Cell& c) { return ratio(c, &Ratios::vs_same_promise); }},
    {"vs the rung it follows", "how many times as fast as the rung one step down the ladder, with its 95 % interval.",
     [](const Cell& c) { return ratio(c, &Ratios::vs_followed); }},
    {"vs first rung", "how many times as fast as the first rung of the ladder, with its 95 % interval.",
     [](const Cell& c) { return ratio(c, &Ratios::vs_first_rung); }},
    {"SM cycles", "clock cycles that the kernel itself took.",
     [](const Cell& c) { return number(c.timing() != nullptr ? c.timing()->sm_cycles : std::nullopt); }},
    {"lost counts", "elements that a racy kernel did not count, and their share of all.",
     [](const Cell& c) {
       const auto lost = c.lost_counts();
       if (!lost) return std::string();
       const double share = c.input.n == 0 ? 0 : 100 * static_cast<double>(*lost) / static_cast<double>(c.input.n);
       const bool nearly_all = *lost < c.input.n && three_digits(share) == three_digits(100);
       return fmt::format("{} ({} %)", grouped(*lost), nearly_all ? "over 99.9" : three_digits(share));
     }},
    {"bytes over minimum",
     "bytes that warps load from global memory and store there, over the bytes that must move. Bytes that several lanes of a request ask for count "
     "once.",
     [](const Cell& c) {
       const auto value = traffic_over_minimum(c);
       return value ? factor(*value) : "";
     }},
    {"sectors per load",
     "32-byte pieces of memory that one load of a warp touches: 4 is the least for 32 lanes of 4 bytes, 8 for 8 bytes, 16 for 16.",
     [](const Cell& c) { return number(sectors_per_load(c)); }},
    {"sectors used", "share of the touched sectors that was asked for: 100 % where neighbouring lanes ask for neighbouring elements.",
     [](const Cell& c) {
       const auto use = sector_use(c);
       return use ? shortest(std::round(1000 * *use) / 10) + " %" : "";
     }},
    {"active lanes", "lanes, of the 32 of a warp, that take part in a memory request, on average.",
     [](const Cell& c) { return number(counter<&Counters::active_lanes>(c)); }},
    {"barriers per thread", "times a thread waits for all of its block.",
     [](const Cell& c) {
       const auto value = barriers_per_thread(c);
       return value ? shortest(*value) : "";
     }},
    {"bytes between devices", "that kernels and copies read and write in the memory of other devices.",
     [](const Cell& c) {
       const auto bytes = bytes_between_devices(c);
       return bytes ? shortest(*bytes) : "";
     },
     true, true},
    {"launches", "kernels started for one result.", [](const Cell& c) { return count(c, &Counters::launches); }},
    {"atomics", "atomic operations, of all threads.", [](const Cell& c) { return count(c, &Counters::atomics); }},
    {"contention", "lanes of one atomic request that meet on its busiest word, on average. The hardware serves them one after another.",
     [](const Cell& c) { return number(counter<&Counters::atomic_contention>(c)); }},
    {"sectors per store", "32-byte pieces of memory that one store of a warp touches.", [](const Cell& c) { return number(sectors_per_store(c)); }},
    {"shared wavefronts", "passes through the 32 banks of shared memory that the requests of all warps take.",
     [](const Cell& c) { return c.counters() != nullptr && c.counters()->shared_requests > 0u ? count(c, &Counters::shared_wavefronts) : ""; }},
    {"wavefronts per shared request",
     "passes that one request of a warp takes: 1 is the least for 32 lanes of 4 bytes, 2 for 8 bytes, 4 for 16; more are bank conflicts.",
     [](const Cell& c) { return number(wavefronts_per_shared_request(c)); }},
    {"DRAM bytes over minimum",
     "bytes that the GPU read from its memory and wrote there, by its own counters, over the bytes that must move. They include lines that the "
     "flush before the run still had to write back.",
     [](const Cell& c) {
       const auto value = dram_over_minimum(c);
       return value ? factor(*value) : "";
     }},
    {"steps", "longest chain of operations that wait for each other: the height of the tree in which a result is combined.",
     [](const Cell& c) { return count(c, &Counters::steps); }},
    {"work", "operations on two elements by all threads, unused results included.", [](const Cell& c) { return count(c, &Counters::work); }},
    {"error (ULP)", "largest distance from the exact result, in units in the last place. No entry: the answer must have the exact bits.",
     error_in_ulps},
    {"of bound", "the error over the bound that theory gives for that order of summation; the largest of all results.", error_of_bound},
    {"remarks",
     "*below resolution*: too short for the clock to time well. *fits in cache*: smaller than the last cache, so the ceiling of memory does not bind "
     "it. "
     "*above ceiling*: faster than the loop that the ceiling was measured with, in a quieter moment of the machine or from a cache. "
     "*throttled*: the driver held the GPU's clock down, for its power or heat.",
     remarks, false},
}};

}  // namespace

std::span<const Column> columns() {
  return all_columns;
}

const Column& column(std::string_view title) {
  const auto found = std::ranges::find(all_columns, title, &Column::title);
  if (found == all_columns.end()) throw std::logic_error(fmt::format("no column is called {}", title));
  return *found;
}

std::string ratio_digits(double value) {  // a tie needs the third after the point, and more where that would round to 1
  if (value < 0.1 || value >= 2) return three_digits(value);
  auto text = fmt::format("{:.3f}", value);
  for (int places = 4; places <= 6 && value != 1 && std::stod(text) == 1; ++places) text = fmt::format("{:.{}f}", value, places);
  return text;
}

std::string ratio_text(const Ratio& r) {
  const auto interval = fmt::format("{} to {}", ratio_digits(r.ci95_low), ratio_digits(r.ci95_high));
  if (r.verdict == Difference::none_shown) return fmt::format("no difference shown ({})", interval);
  return fmt::format("{}x ({})", ratio_digits(r.value), interval);
}

std::string verdict_text(const Cell& cell) {
  if (cell.passed() || cell.verdict() == Verdict::skipped) return std::string(name_of(cell.verdict()));
  if (cell.verdict() == Verdict::expected_wrong) return cell.lost_counts() == 0u ? "right, by luck" : "wrong, as expected";
  return fmt::format("**{}**", name_of(cell.verdict()));
}

std::string_view instead_of_numbers(Verdict verdict) {
  if (verdict == Verdict::skipped) return "not run";
  if (verdict == Verdict::crashed) return "none: it crashed";
  if (verdict == Verdict::timeout) return "none: it did not end";
  return verdict == Verdict::expected_wrong ? "none: wrong on purpose" : "none: wrong answer";
}

}  // namespace ladder::reports
