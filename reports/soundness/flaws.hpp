// What is wrong with a result set.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::reports {

struct Flaw {
  std::string where, what;  // may hold text of the file: printable() before a terminal sees it

  LADDER_FIELDS(where, what)
};

// What became of the samples, which lie in a file of their own.
enum class SamplesRead { no, absent, refused, yes };

struct Soundness {
  std::vector<Flaw> errors;
  std::vector<Flaw> warnings;  // the numbers may be right, but nobody should publish them
  std::size_t rows = 0;
  bool fits_schema = true;  // if not, that is the one error, and nothing else was looked at
  SamplesRead samples = SamplesRead::no;

  bool sound() const { return errors.empty(); }
  template <class... Values>
  void error(std::string where, fmt::format_string<Values...> what, Values&&... values) {
    errors.push_back({std::move(where), fmt::format(what, std::forward<Values>(values)...)});
  }
  template <class... Values>
  void warn(std::string where, fmt::format_string<Values...> what, Values&&... values) {
    warnings.push_back({std::move(where), fmt::format(what, std::forward<Values>(values)...)});
  }
};

// "/cells/12 (reduce, sum, i32 ..)": a problem's place
std::string place_of(const PlacedCell& cell);

// Whether two numbers that must be the same are.
bool agree(double a, double b);

}  // namespace ladder::reports
