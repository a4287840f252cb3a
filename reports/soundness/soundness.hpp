// Is this result set sound, whoever it is from? What its own numbers must say of each other, and
// what no machine can have measured.
//
// A number that another number of the file follows from must agree with it to 1e-9: the file keeps
// every digit, so nothing but the last ones of a computation may differ between compilers. All
// other rules are orders that cannot be otherwise.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/model/model.hpp"
#include "reports/numbers/derived_numbers.hpp"

namespace ladder::reports {

struct Flaw {
  std::string where, what;  // may hold text of the file: printable() before a terminal sees it
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
  void error(std::string where, std::string what) {
    errors.push_back({std::move(where), std::move(what)});
  }
  void warn(std::string where, std::string what) {
    warnings.push_back({std::move(where), std::move(what)});
  }
};

// Reads the samples of these results, where there are some that can be read; says what is wrong
// with them, and what became of them.
using SamplesReader =
    std::function<std::optional<Samples>(const Results& results, Soundness& found)>;

// document: of this version of the schema, as read_document() gives it. Where it breaks the schema,
// that is all that is said.
Soundness soundness(const nlohmann::json& document, const SamplesReader& read_samples = {});

// The part of it that is about the content.
Soundness soundness(const Results& results, const SamplesReader& read_samples = {});

// "/cells/12 (reduce, sum, i32 ..)": a problem's place
std::string place_of(const Results& results, std::size_t cell);

// Whether two numbers that must be the same are.
bool agree(double a, double b);

}  // namespace ladder::reports
