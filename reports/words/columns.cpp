#include "reports/words/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "reports/numbers/metrics.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

std::string number(std::optional<double> value, std::string (*text)(double) = three_digits) {
  return value ? text(*value) : "";
}
std::string percent(double value) {
  return three_digits(value) + " %";
}

// What the time of a cell may have; null where it does not.
template <auto Timing::*which>
auto timed(const Cell& cell) {
  return cell.timing() != nullptr ? cell.timing()->*which : std::nullopt;
}

template <NumberOf of, std::string (*text)(double) = three_digits>
std::string shown(const Cell& cell) {
  return number(of(cell), text);
}

std::string time_with_interval(const Cell& cell) {
  if (cell.timing() == nullptr) return "";
  const Time& time = cell.timing()->time_us;
  const Duration in(time.median);
  return fmt::format("{} {} ({} to {})", in.number(time.median), in.unit, in.number(time.ci95_low),
                     in.number(time.ci95_high));
}

std::string back_to_back(const Cell& cell) {
  const auto its = timed<&Timing::back_to_back>(cell);
  return its ? duration(its->median_us) : "";
}

// Alone and back to back, one is shown faster and the other slower.
bool disagree(const Ratio& alone, const Ratio& back_to_back) {
  const auto none = Difference::none_shown;
  return alone.verdict != none && back_to_back.verdict != none &&
         alone.verdict != back_to_back.verdict;
}

std::string back_to_back_ratio(const Cell& cell) {
  const auto its = timed<&Timing::back_to_back>(cell);
  if (!its || !its->vs_fastest_library) return "";
  const Ratio& ratio = *its->vs_fastest_library;
  const auto& alone = cell.timing()->ratios.vs_fastest_library;
  return ratio_text(ratio) + (alone && disagree(*alone, ratio) ? ", **not as alone**" : "");
}

template <std::optional<Ratio> Ratios::*which>
std::string ratio(const Cell& cell) {
  return cell.timing() != nullptr && cell.timing()->ratios.*which
             ? ratio_text(*(cell.timing()->ratios.*which))
             : "";
}

// "97.1 % (96.0 to 98.2)"
std::string of_limit(const Cell& cell) {
  if (cell.timing() == nullptr || !cell.timing()->ratios.vs_limit) return "";
  const Ratio& share = *cell.timing()->ratios.vs_limit;
  return fmt::format("{} ({} to {})", percent(100 * share.value),
                     three_digits(100 * share.ci95_low), three_digits(100 * share.ci95_high));
}

// Counts are the same for several operators and types, and then shown once: with their errors they
// would not be. So errors stand beside times, and beside the counts of what has no operator. Where
// the exact bits are due, as of integers, there is none to show.
bool shows_error(const Cell& cell) {
  return cell.error() && cell.error()->bound != 0.0 && (cell.timing() || !cell.input.op);
}

std::string error_in_ulps(const Cell& cell) {
  if (!shows_error(cell)) return "";
  return cell.error()->ulp_max ? shortest(*cell.error()->ulp_max) : "infinite";
}

std::string error_of_bound(const Cell& cell) {
  return shows_error(cell) && cell.error()->of_bound ? percent(100 * *cell.error()->of_bound) : "";
}

std::string remarks(const Cell& cell) {
  std::vector<std::string> parts;
  for (const std::string& flag : cell.flags)
    // of the answer, not of the time: beside the error
    if (flag != "unbounded") parts.push_back(escaped(spaced(flag)));
  return joined(parts);
}

// Medians over the processes, of the device that is done first and of the last.
std::string first_and_last_device(const Cell& cell) {
  if (cell.timing() == nullptr) return "";
  std::map<std::size_t, std::vector<double>> times;  // by device
  for (const ProcessMedian& one : cell.timing()->processes)
    for (std::size_t device = 0; device < one.devices_us.size(); ++device)
      times[device].push_back(one.devices_us[device]);
  if (times.empty()) return "";
  const auto medians = each(times, [](const auto& of) { return statistics::median(of.second); });
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
    all[name] = {facts.title, text};
    all[name].meaning = facts.in_words.empty() ? facts.meaning : facts.in_words;
  });
  return all;
}

std::vector<Column> made_columns() {
  auto of_counter = counter_columns();
  // A counter stands where it is named, once.
  const auto column_of = [&](std::string_view name) { return of_counter.extract(name).mapped(); };
  std::vector<Column> all{
      {"rung", [](const Cell& c) { return code(c.who.rung); }, false},
      {"provider", [](const Cell& c) { return escaped(c.who.provider); }, false},
      {"devices",
       [](const Cell& c) { return c.input.devices == 0 ? "" : grouped(c.input.devices); }, false,
       true},
      {"verdict", [](const Cell& c) { return verdict_text(c); }, false},
      {"time (95 % interval)", time_with_interval},
      {"first to last device", first_and_last_device, true, true},
      {"back to back", back_to_back},
      {"back to back vs fastest library", back_to_back_ratio},
      {"back to back vs same promise",
       [](const Cell& c) {
         const auto its = timed<&Timing::back_to_back>(c);
         return its && its->vs_same_promise ? ratio_text(*its->vs_same_promise) : "";
       }},
      {"GB/s",
       [](const Cell& c) {
         return c.timing() != nullptr ? three_digits(c.timing()->bandwidth_gbps.median) : "";
       }},
      {"of ceiling", shown<timed<&Timing::percent_of_ceiling>, percent>},
      {"of limit", of_limit},
      {"of datasheet", shown<timed<&Timing::percent_of_datasheet>, percent>},
      {"x one device", ratio<&Ratios::vs_one_device>, true, true},
      {"vs fastest library", ratio<&Ratios::vs_fastest_library>},
      {"vs same promise", ratio<&Ratios::vs_same_promise>},
      {"vs the rung it follows", ratio<&Ratios::vs_followed>},
      {"vs first rung", ratio<&Ratios::vs_first_rung>},
      {"SM cycles", shown<timed<&Timing::sm_cycles>>},
      {"lost counts",
       [](const Cell& c) {
         const auto lost = c.lost_counts();
         if (!lost) return std::string();
         const double share =
             c.input.n == 0 ? 0 : 100 * static_cast<double>(*lost) / static_cast<double>(c.input.n);
         const bool nearly_all = *lost < c.input.n && three_digits(share) == three_digits(100);
         return fmt::format("{} ({} %)", grouped(*lost),
                            nearly_all ? "over 99.9" : three_digits(share));
       }},
      {"bytes over minimum", shown<traffic_over_minimum, factor>},
      {"sectors per load", shown<sectors_per_load>},
      {"sectors used",
       [](const Cell& c) {
         const auto use = sector_use(c);
         return use ? shortest(std::round(1000 * *use) / 10) + " %" : "";
       }},
      column_of("active_lanes"),
      {"barriers per thread", shown<barriers_per_thread, shortest>},
      {"bytes between devices", shown<bytes_between_devices, shortest>, true, true},
      column_of("launches"),
      column_of("atomics"),
      column_of("atomic_contention"),
      {"sectors per store", shown<sectors_per_store>},
      {"shared wavefronts",
       [](const Cell& c) {
         return c.counters() != nullptr && c.counters()->shared_requests > 0u
                    ? number(counter<&Counters::shared_wavefronts>(c), shortest)
                    : "";
       }},
      {"wavefronts per shared request", shown<wavefronts_per_shared_request>},
      {"DRAM bytes over minimum", shown<dram_over_minimum, factor>},
      column_of("steps"),
      column_of("work"),
      {"error (ULP)", error_in_ulps},
      {"of bound", error_of_bound},
      {"remarks", remarks, false},
  };
  // all other counters before what is said of the error
  const auto error = std::ranges::find(all, "error (ULP)", &Column::title);
  const auto others = each(of_counter, [](const auto& one) { return one.second; });
  all.insert(error, others.begin(), others.end());
  for (Column& column : all)
    if (column.meaning.empty() && column.title != "rung")
      column.meaning = passage(fmt::format("columns/{}", column.title));
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

Table table_of(const Cells& cells, const std::vector<Column>& columns) {
  Table table;
  for (const Column& column : columns)
    table.columns.push_back({std::string(column.title), column.is_number});
  for (const Cell& cell : cells) {
    auto& row = table.rows.emplace_back();
    for (const Column& column : columns) row.push_back(column.text(cell));
  }
  return table;
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
  if (cell.lost_counts() == 0u) return "right, by luck";
  const std::string text(verdict_in_words(cell.verdict()));
  return has_failed(cell) ? "**" + text + "**" : text;
}

std::string_view blank_in_words(const Column& column, const Cell& cell) {
  const std::string_view title = column.title;
  if (!cell.passed()) return instead_of_numbers(cell.verdict());
  if (title == "vs fastest library" && is_fastest_library(cell)) return "is the fastest";
  if (title.ends_with("vs same promise") && is_library(cell)) return "is a library";
  if (title == "back to back") return "not run";
  const bool is_ratio = title.starts_with("vs ") || title.find(" vs ") != title.npos;
  return is_ratio ? "not compared" : "none";
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
