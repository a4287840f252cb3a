// The targets: how many times as fast as the libraries the rungs are to be, and what a result set
// says of each. docs/targets.md has them for readers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::reports {

// The sizes that the columns of the table of targets begin with. A size between two belongs to the
// left one; the last has no end.
constexpr std::array<std::uint64_t, 7> target_columns{1 << 10, 1 << 14, 1 << 20, 1 << 22,
                                                      1 << 24, 1 << 26, 1 << 28};

// What a ratio is against: the fastest of all library calls of that input, the fastest of the calls
// that promise the same bits in every run, as the rungs that hold a line do, or the rung that holds
// the line of the operation itself.
enum class Against { all_libraries, same_promise, plain };

// device_result but for the last, from cold caches but for repeated
enum class Timed { single, repeated, to_host };

constexpr double not_slower = 1;  // as an aim: the whole interval of the ratio does not lie below 1

// One line of the table: what it holds of, and the least ratio for each column, 0 where the line
// says nothing.
struct TargetLine {
  std::string_view what;
  std::vector<std::string_view> operations;
  unsigned bytes = 0;  // of an element; 0: any
  Against against = Against::all_libraries;
  Timed timed = Timed::single;
  std::array<double, target_columns.size()> aims{};
  // in the last column, also: the least share of the bandwidth that memory gives; 0: any
  double percent_of_ceiling = 0;
  std::uint64_t first = 0, last = ~std::uint64_t{0};  // of the sizes that it holds of
  unsigned first_bins = 0, last_bins = ~0U;
  std::vector<std::string_view> inputs = {};  // distributions; empty: every one
};

std::span<const TargetLine> target_lines();

// The rung that holds the lines of an operation and type over all sizes and inputs. Empty: no line
// is of this operation.
std::string_view rung_of_targets(std::string_view operation, std::string_view dtype);
bool holds_a_line(std::string_view operation, std::string_view dtype, const Who& who);

enum class Reach { reached, tie, missed, not_measured };
std::string_view in_words(Reach reach);

// Of one line and column: what comes nearest to missing it, of all its operators, types, inputs and
// sizes.
struct TargetResult {
  const TargetLine* line = nullptr;
  std::size_t column = 0;
  Reach reach = Reach::not_measured;
  std::optional<Ratio> ratio;
  std::optional<double> percent_of_ceiling;  // the least, where the line asks for one
  // that the ratio is of; or one without a right answer, and then there is no ratio
  const Cell* cell = nullptr;
  const Cell* rival = nullptr;  // that it is against
};

// Every line and column that has an aim, in the order of the table. They point into the results.
std::vector<TargetResult> judged_targets(const Results& results);

// Whether a rung that holds a line was timed on a GPU: if not, a report says nothing of targets.
bool speaks_of_targets(const Results& results);

// "reduce and sum_of_cubes, every operator, 4 bytes, against the same promise, n = 2^14 to 2^18:
// 1.35x"
std::string target_text(const TargetResult& result);
// "61 reached, 4 tied, 3 missed and 25 not measured", plain text
std::string targets_in_short(const std::vector<TargetResult>& all);

// As Markdown: target | reached | interval | verdict.
std::vector<std::vector<std::string>> target_rows(const std::vector<TargetResult>& results);
std::string targets_table(const std::vector<TargetResult>& results);

// What docs/targets.md says of a published set, as Markdown.
std::string targets_of_published(const Results& results);

}  // namespace ladder::reports
