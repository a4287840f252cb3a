#include "reports/targets/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

// One rung, or one that chooses by size and type among rungs with names of their own, for all lines
// of an operation.
constexpr std::string_view of_reduce = "packed", of_dot = "packed",
                           of_dot_compensated = "compensated_gather", of_scans = "waves_by_size",
                           of_histogram = "by_size", of_bytes = "bytes";

const std::vector<std::string_view> reduce{"reduce", "sum_of_cubes"}, dot{"dot"},
    scans{"inclusive_scan", "exclusive_scan"}, histogram{"histogram"},
    all_of_them{"reduce", "sum_of_cubes", "inclusive_scan", "exclusive_scan", "histogram", "dot"};
constexpr double at_most_3_percent = 1 / 1.03, at_most_10_percent = 1 / 1.1;  // slower

using enum Against;
using enum Timed;

const TargetLine lines[] = {
    // aims from 2^10, 2^14, 2^20, 2^22, 2^24, 2^26 and 2^28 elements on
    {"reduce and sum_of_cubes, every operator, 4 bytes",
     reduce,
     4,
     same_promise,
     single,
     {not_slower, 1.35, 1.3, 1.2, 1.1, 1.03, not_slower},
     95},
    {"reduce and sum_of_cubes, every operator, 4 bytes",
     reduce,
     4,
     all_libraries,
     single,
     {not_slower, 1.15, 1.12, 1.1, 1.02, not_slower, not_slower}},
    {"reduce and sum_of_cubes, every operator, 8 bytes",
     reduce,
     8,
     same_promise,
     single,
     {not_slower, 1.3, 1.25, 1.12, 1.05, not_slower, not_slower},
     95},
    {"dot, 4 bytes", dot, 4, all_libraries, single, {1.2, 1.2, 1.2, 1.15, 1.05, 1.01, 1.01}, 95},
    {"dot, 8 bytes",
     dot,
     8,
     all_libraries,
     single,
     {1.2, 1.2, 1.15, 1.1, not_slower, not_slower, not_slower},
     95},
    {"scans, every operator, 4 bytes",
     scans,
     4,
     all_libraries,
     single,
     {1.35, 1.25, 1.25, 1.25, 1.2, 1.25, 1.27},
     93},
    {"scans, every operator and compose, 8 bytes",
     scans,
     8,
     all_libraries,
     single,
     {1.35, 1.25, 1.2, 1.1, 1.12, 1.13, 1.13},
     93},
    {.what = "histogram, 10 to 1,024 bins, every input",
     .operations = histogram,
     .bytes = 4,
     .aims = {1.5, 1.3, 1.3, 1.3, 1.6, 1.9, 2.1},
     .percent_of_ceiling = 90,
     .first_bins = 10,
     .last_bins = 1024},
    {.what = "histogram, 4,096 to 65,536 bins, uniform, zipf and sorted",
     .operations = histogram,
     .bytes = 4,
     .aims = {1.3, 1.3, 1.3, 1.3, 2, 3, 3},
     .first_bins = 4096,
     .last_bins = 65'536,
     .inputs = {"uniform", "zipf", "sorted"}},
    {.what = "histogram, 4,096 to 65,536 bins, constant",
     .operations = histogram,
     .bytes = 4,
     .aims = {1.3, 1.3, 1.3, 1.3, 1.5, 2, 2},
     .first_bins = 4096,
     .last_bins = 65'536,
     .inputs = {"constant"}},
    {.what = "histogram of u8, 256 bins",
     .operations = histogram,
     .bytes = 1,
     .aims = {0, 0, 0, 0, 1.5, 1.5, 1.5},
     .first_bins = 256,
     .last_bins = 256},
    {.what = "reduce, sum_of_cubes and dot",
     .operations = {"reduce", "sum_of_cubes", "dot"},
     .against = same_promise,
     .timed = repeated,
     .aims = {0, 1.2, 1.2, 1.2},
     .last = 1 << 22},
    {.what = "scans",
     .operations = scans,
     .timed = repeated,
     .aims = {1.1, 1.1, 1.2, 1.2},
     .last = 1 << 22},
    {.what = "every operation",
     .operations = all_of_them,
     .timed = to_host,
     .aims = {not_slower, not_slower, not_slower, not_slower, not_slower, not_slower, not_slower}},
    {.what = "compensated dot",
     .operations = dot,
     .against = plain,
     .aims = {0, at_most_10_percent, at_most_10_percent, at_most_10_percent, at_most_10_percent,
              at_most_3_percent, at_most_3_percent},
     .first = 1 << 18},
};

unsigned bytes_of(std::string_view dtype) {
  return dtype.ends_with("64") ? 8 : dtype.ends_with("8") ? 1 : 4;
}

std::string_view rung_of(const TargetLine& line, const Input& input) {
  return line.against == plain ? of_dot_compensated : rung_of_targets(input.operation, input.dtype);
}

bool contains(const std::vector<std::string_view>& all, std::string_view one) {
  return std::ranges::find(all, one) != all.end();
}

bool is_of(const TargetLine& line, const Cell& cell) {
  const Input& in = cell.input;
  const unsigned bins = in.bins.value_or(0);
  const How how{Backend::cuda,
                line.timed == to_host ? Contract::host_result : Contract::device_result,
                Cache::cold};
  return cell.how == how && in.offset == 0 && in.devices == 0 &&
         contains(line.operations, in.operation) &&
         (line.bytes == 0 || line.bytes == bytes_of(in.dtype)) && line.first <= in.n &&
         in.n <= line.last && line.first_bins <= bins && bins <= line.last_bins &&
         (line.inputs.empty() || contains(line.inputs, in.distribution)) &&
         cell.who == Who{"handwritten", std::string(rung_of(line, in))};
}

// The column that a size belongs to. None for one below the first.
std::optional<std::size_t> column_of(std::uint64_t n) {
  const auto after = std::ranges::upper_bound(target_columns, n);
  if (after == target_columns.begin()) return {};
  return static_cast<std::size_t>(after - target_columns.begin() - 1);
}

using Beside = std::vector<const Cell*>;  // timed cells of one input, run in one way

// Whom a cell of this line competes with.
bool competes(const TargetLine& line, const Cell& cell, const Cell& other, const Order& order) {
  if (line.against == plain)
    return other.who ==
           Who{"handwritten", std::string(rung_of_targets(cell.input.operation, cell.input.dtype))};
  if (other.who.provider == "handwritten") return false;
  const Rung* card = order.card(other);
  return line.against == all_libraries || (card != nullptr && card->promise == Promise::same_bits);
}

// How far it is from being missed: of two cells of a line, the one with less of it says more.
double margin(double aim, const Ratio& ratio) {
  return aim == not_slower ? ratio.ci95_high : ratio.ci95_low;
}

Reach reach_of(double aim, const TargetResult& found, double percent) {
  if (found.cell != nullptr && !found.cell->passed()) return Reach::missed;
  if (!found.ratio || (percent > 0 && !found.percent_of_ceiling)) return Reach::not_measured;
  if (margin(aim, *found.ratio) < aim || (percent > 0 && *found.percent_of_ceiling < percent))
    return Reach::missed;
  return aim == not_slower && found.ratio->verdict == Difference::none_shown ? Reach::tie
                                                                             : Reach::reached;
}

// "2^14 to 2^18", "2^28 and more"
std::string sizes_of(const TargetLine& line, std::size_t column) {
  const std::uint64_t first = std::max(target_columns[column], line.first);
  if (column + 1 == target_columns.size()) return elements(first) + " and more";
  // the table names every second power of two
  const std::uint64_t last = std::min(target_columns[column + 1] / 4, line.last);
  return first >= last ? elements(first) : fmt::format("{} to {}", elements(first), elements(last));
}

std::string aim_text(const TargetLine& line, double aim) {
  if (line.against == plain) return fmt::format("at most {:.0f} % slower", 100 * (1 / aim - 1));
  return aim == not_slower ? "not shown slower" : fmt::format("{:g}x", aim);
}

std::string reached_text(const TargetResult& found) {
  if (found.cell == nullptr) return "";
  const std::string of =
      fmt::format("{}, {}, {}", code(found.cell->input.operation),
                  input_in_short(found.cell->input), escaped(found.cell->input.distribution));
  if (!found.ratio) return fmt::format("{} by {}", instead_of_numbers(found.cell->verdict()), of);
  return fmt::format("{}x: {}, against {}{}", ratio_digits(found.ratio->value), of,
                     code(found.rival->who.rung),
                     found.percent_of_ceiling ? fmt::format("; all at {} % of the ceiling or more",
                                                            three_digits(*found.percent_of_ceiling))
                                              : "");
}

}  // namespace

std::span<const TargetLine> target_lines() {
  return lines;
}

std::string_view rung_of_targets(std::string_view operation, std::string_view dtype) {
  if (contains(reduce, operation)) return of_reduce;
  if (contains(scans, operation)) return of_scans;
  if (contains(histogram, operation)) return dtype == "u8" ? of_bytes : of_histogram;
  return contains(dot, operation) ? of_dot : "";
}

bool holds_a_line(std::string_view operation, std::string_view dtype, const Who& who) {
  return who.provider == "handwritten" && !who.rung.empty() &&
         (who.rung == rung_of_targets(operation, dtype) ||
          (contains(dot, operation) && who.rung == of_dot_compensated));
}

std::string_view in_words(Reach reach) {
  constexpr std::string_view all[] = {"reached", "tie", "missed", "not measured"};
  return all[static_cast<std::size_t>(reach)];
}

std::vector<TargetResult> judged_targets(const Results& results) {
  std::map<std::pair<Input, How>, Beside> beside;
  for (const Cell& cell : results.cells)
    if (cell.timing() != nullptr) beside[{cell.input, cell.how}].push_back(&cell);

  const Order order(results);
  std::vector<TargetResult> all;
  for (const TargetLine& line : lines) {
    std::array<TargetResult, target_columns.size()> found;
    for (const Cell& cell : results.cells) {
      const auto column = column_of(cell.input.n);
      if (!column || line.aims[*column] == 0 || !is_of(line, cell)) continue;
      TargetResult& worst = found[*column];
      const bool is_wrong = !cell.passed() && cell.verdict() != Verdict::skipped;
      if (is_wrong) worst.cell = &cell, worst.ratio.reset(), worst.percent_of_ceiling.reset();
      if (cell.timing() == nullptr || (worst.cell != nullptr && !worst.cell->passed())) continue;
      const auto percent = cell.timing()->percent_of_ceiling;
      if (percent && line.percent_of_ceiling > 0 && *column + 1 == target_columns.size())
        worst.percent_of_ceiling = std::min(*percent, worst.percent_of_ceiling.value_or(*percent));
      Beside rivals;
      std::ranges::copy_if(beside.at({cell.input, cell.how}), std::back_inserter(rivals),
                           [&](const Cell* other) { return competes(line, cell, *other, order); });
      const TimeOf& time = line.timed == repeated ? time_back_to_back : time_alone;
      const Cell* rival = fastest_of(rivals, time);
      const auto ratio = rival == nullptr ? std::nullopt
                                          : ratio_of(cell.timing()->processes,
                                                     rival->timing()->processes, time.of_process);
      const double aim = line.aims[*column];
      if (ratio && (!worst.ratio || margin(aim, *ratio) < margin(aim, *worst.ratio)))
        worst.ratio = ratio, worst.cell = &cell, worst.rival = rival;
    }
    for (std::size_t column = 0; column < found.size(); ++column) {
      if (line.aims[column] == 0) continue;
      TargetResult& one = found[column];
      one.line = &line, one.column = column;
      one.reach = reach_of(line.aims[column], one,
                           column + 1 == target_columns.size() ? line.percent_of_ceiling : 0);
      all.push_back(one);
    }
  }
  return all;
}

bool speaks_of_targets(const Results& results) {
  return most_devices_of(results.cells) == 0 &&
         std::ranges::any_of(results.cells, [](const Cell& cell) {
           return cell.how.backend == Backend::cuda && cell.timing() != nullptr &&
                  holds_a_line(cell.input.operation, cell.input.dtype, cell.who);
         });
}

std::string target_text(const TargetResult& result) {
  const TargetLine& line = *result.line;
  std::string text(line.what);
  if (line.timed == to_host) text += ", until the host holds the result";
  if (line.timed == repeated) text += ", back to back";
  text += line.against == same_promise ? ", against the same promise"
          : line.against == plain      ? ", against the plain one"
                                       : ", against all libraries";
  text += fmt::format(", n = {}: {}", sizes_of(line, result.column),
                      aim_text(line, line.aims[result.column]));
  if (line.percent_of_ceiling > 0 && result.column + 1 == target_columns.size())
    text += fmt::format(", {:g} % of the ceiling", line.percent_of_ceiling);
  return text;
}

std::string targets_in_short(const std::vector<TargetResult>& all) {
  std::vector<std::string> parts;
  parts.reserve(4);
  for (const auto& [reach, word] :
       {std::pair(Reach::reached, "reached"), std::pair(Reach::tie, "tied"),
        std::pair(Reach::missed, "missed"), std::pair(Reach::not_measured, "not measured")})
    parts.push_back(
        fmt::format("{} {}", std::ranges::count(all, reach, &TargetResult::reach), word));
  return enumerated(parts);
}

std::vector<std::vector<std::string>> target_rows(const std::vector<TargetResult>& results) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(results.size());
  for (const TargetResult& one : results)
    rows.push_back({escaped(target_text(one)), reached_text(one),
                    one.ratio ? fmt::format("{} to {}", ratio_digits(one.ratio->ci95_low),
                                            ratio_digits(one.ratio->ci95_high))
                              : "",
                    std::string(in_words(one.reach))});
  return rows;
}

std::string targets_table(const std::vector<TargetResult>& results) {
  return markdown_table({{"target"}, {"reached"}, {"interval"}, {"verdict"}}, target_rows(results));
}

std::string targets_of_published(const Results& results) {
  const auto all = judged_targets(results);
  return fmt::format(
      "On {}, run {} of {}, commit {}. Targets: {}.\n\n{}", escaped(gpu_name(results)),
      code(short_id(results.run)), escaped(results.run.date.substr(0, 10)),
      code(results.run.commit.substr(0, 12)), targets_in_short(all), targets_table(all));
}

}  // namespace ladder::reports
