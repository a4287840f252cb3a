// Cells of hand-written rungs, for the tests of what is said of the notes. Their numbers are
// invented.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "reports/notes/evidence.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/tests/sample.hpp"

namespace ladder::reports {

inline Input input_of(const std::string& operation, std::string dtype = "i32",
                      std::uint64_t n = 1 << 28, std::string distribution = "random") {
  const bool has_operator = operation == "reduce" || operation.ends_with("scan");
  return {operation,
          has_operator ? std::optional<std::string>("sum") : std::nullopt,
          std::move(dtype),
          n,
          std::move(distribution),
          {}};
}

inline Cell cell_of(Input input, const char* rung, How how, Measured measured) {
  Cell cell;
  cell.input = std::move(input), cell.who = {"handwritten", rung}, cell.how = how;
  cell.minimum_bytes = {4 * cell.input.n, 0};
  cell.outcome = std::move(measured);
  return cell;
}

// Six processes, the last one slowed by 5 % with all that it measured. Medians of two cells overlap
// where they differ by less, and their ratio does not care. own_noise: of this cell alone, in both
// directions.
inline Cell timed(const Input& input, const char* rung, double us, double own_noise = 0) {
  constexpr std::array<double, 6> slowed{1, 1.01, 1.02, 1.03, 1.04, 1.05};
  Timing timing;
  for (unsigned p = 0; p < slowed.size(); ++p)
    timing.processes.push_back(
        {p, us * slowed[p] * (p % 2 == 0 ? 1 + own_noise : 1 / (1 + own_noise)), {}});
  Measured measured;
  measured.timing = timing;
  return cell_of(input, rung, {Backend::cuda, Contract::device_result, Cache::cold}, measured);
}

// set(counters)
Cell with_counts(Input input, const char* rung, const auto& set) {
  Measured measured;
  measured.counters.emplace();
  set(*measured.counters);
  return cell_of(std::move(input), rung, {Backend::emulated, {}, {}}, measured);
}

inline Cells operator+(Cells some, const Cells& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

inline Results results_of(const Cells& cells) {
  Results results;
  results.cells = cells;
  derive(results);
  return results;
}

}  // namespace ladder::reports
