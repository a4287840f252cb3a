// Is a result set reproduced by another run of its rows? Counts must be equal to the digit. Ratios
// against the fastest library must agree by their intervals, but for as many rows as chance alone
// makes differ.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/model/model.hpp"
#include "reports/numbers/compare_sets.hpp"
#include "reports/words/columns.hpp"

namespace ladder::reports {

// A row of the set, here: every field but the key says something only where it applies.
struct ReproducedRow {
  CellKey key;
  std::string not_run;          // why
  std::optional<Change> ratio;  // against the fastest library, where both have one
  bool is_counted = false;      // by the emulated backend
  std::string difference;       // of the counts, each to the digit, or of the outcome

  bool is_compared() const {
    return not_run.empty() && (ratio || is_counted || !difference.empty());
  }
};

struct Reproduction {
  std::vector<ReproducedRow> rows;  // in the order of the set
  // Of results in device memory, where there are any: until the host holds the result, a ratio
  // depends on the host.
  Tally ratios;
  std::size_t counted = 0, differently_counted = 0;
  std::size_t other_outcomes = 0;  // rows that passed there and fail here, or the other way round
  std::size_t unsound = 0;         // rows that contradict themselves in the set
  std::size_t not_run = 0;
  std::vector<std::string> surroundings;  // what differs in commit, machine and software
  bool counts_may_differ = false;         // by commit, or by the compiler of the emulated backend

  // but for what chance makes differ: binomial test at 5 %, and no shift
  bool ratios_agree() const;
  bool reproduced() const {
    return ratios_agree() && differently_counted == 0 && other_outcomes == 0 && unsound == 0;
  }
};

// Whether there is something to reproduce: the row was run to its end.
bool has_answer(const Cell& cell);

// a: the set, with the rows that were chosen. b: the run of them. left_out: why rows of a were not
// run. unsound: what contradicts itself in rows of a.
Reproduction reproduction(const Results& a, const Results& b,
                          const std::map<CellKey, std::string>& left_out,
                          const std::map<CellKey, std::string>& unsound = {});

// Rows of this kind, a line each.
enum class Told { differing, all };
std::string rows_text(const Reproduction& found, Told told, std::size_t limit);

std::string surroundings_text(const Reproduction& found);
std::string verdict_text(const Reproduction& found);  // one sentence

}  // namespace ladder::reports
