// Two result sets, row by row: is B faster than A?
//
// The runs are not paired: nothing that one process suffered is in both. So B's ratio to A is that
// of the geometric means over their processes, with a 95 % interval by Welch's t
// (reports/numbers/statistics.hpp), both from the intervals in the files. Where it leaves out 1, a
// difference is shown.
//
// What a whole run has in common (clocks, temperature, what else the machine did) is in neither
// interval: of two runs of the same program, more rows than chance alone would give may differ. A
// ratio against the fastest library has most of that cancelled, and the machine too, so it is
// compared between machines where times are not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::reports {

// One quantity of one row in both sets.
struct Change {
  double a = 0, b = 0;
  Ratio ratio;  // how many times as fast, or as far ahead of the library, as in A

  LADDER_FIELDS(a, b, ratio)
};

// A row that both sets were to time.
struct Pair {
  CellKey key;
  std::optional<Change> time_us;
  std::string why_not;  // where the times cannot be compared
  // of both ratios; over devices without a library vs the fastest on one device
  std::optional<Change> vs_fastest_library;

  // the times where they can be compared, else the ratios, else null
  const Change* decisive() const;
};

// why_not where the machines differ
inline constexpr std::string_view another_gpu = "another GPU", another_cpu = "another CPU";

struct Comparison {
  std::vector<Pair> pairs;                   // in the order of B
  std::size_t only_in_a = 0, only_in_b = 0;  // rows with a time
  // of one model of GPU: they are not equally fast, which no interval knows of
  bool two_cards = false;
};

Comparison comparison(const Results& a, const Results& b);

// Verdicts over one quantity.
struct Tally {
  std::size_t faster = 0, slower = 0, no_difference = 0;

  void add(Difference verdict);
  void add(const Tally& other);
  std::size_t compared() const { return faster + slower + no_difference; }
  // Far more of the differences lie one way than the other: chance takes each way as often
  // (two-sided sign test at 1 %).
  bool is_shift() const;
  // differences, were all rows the same in truth
  double by_chance() const { return 0.05 * static_cast<double>(compared()); }
};
// A number of the rows of one contract, or of all rows.
struct Quantity {
  std::optional<Change> Pair::*of;
  std::optional<Contract> contract = {};

  const Change* in(const Pair& pair) const;  // null: there is none
};
Tally tally(const Comparison& all, const Quantity& quantity);

// How many times as fast as A, over all rows compared: where the middle lies, and 90 % of them.
// Nothing where none was compared.
struct Spread {
  double p5 = 1, median = 1, p95 = 1;

  LADDER_FIELDS(p5, median, p95)
};
std::optional<Spread> spread(const Comparison& all, const Quantity& quantity);

// The rows with a difference, the largest first.
std::vector<const Pair*> differences(const Comparison& all, const Quantity& quantity);

bool any_compared(const Comparison& all);

// Whether a row of B is slower by what decides.
bool any_slower(const Comparison& all);

}  // namespace ladder::reports
