// A comparison, for people and for programs.
#pragma once

#include <limits>
#include <string>

#include "reports/numbers/compare_sets.hpp"

namespace ladder::reports {

// A set with the name under which it was given.
struct NamedSet {
  std::string name;
  const Results& results;
};

inline constexpr std::size_t rows_on_a_terminal = 20;  // of each table
inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// For a terminal. limit: of the rows of each table.
std::string comparison_text(const NamedSet& a, const NamedSet& b, const Comparison& all,
                            std::size_t limit = no_limit);

// Every row; docs/comparing.md has its fields.
json comparison_json(const NamedSet& a, const NamedSet& b, const Comparison& all);

}  // namespace ladder::reports
