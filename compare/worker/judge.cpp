#include "compare/worker/judge.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ladder {
namespace {

std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Without a bound there is no share of one.
reports::Error error_of(const Verdict& answer) {
  reports::Error error{.ulp_max = if_finite(answer.ulp_max),
                       .relative = if_finite(answer.relative)};
  if (!answer.bounded) return error;
  error.bound = if_finite(answer.bound);
  if (answer.of_bound) error.of_bound = if_finite(*answer.of_bound);
  return error;
}

}  // namespace

std::optional<std::string> reason_to_skip(const Implementation& rung, std::uint64_t n) {
  if (n <= rung.card.max_elements) return std::nullopt;
  return fmt::format("takes at most {} elements: {}", rung.card.max_elements, rung.card.max_reason);
}

bool judge(const Implementation& rung, const Verdict& answer, protocol::MeasuredCell& cell) {
  cell.reason = answer.reason;
  cell.lost_counts = answer.lost_counts;
  cell.error = error_of(answer);

  if (rung.card.expected_wrong) {
    cell.verdict = reports::Verdict::expected_wrong;
    if (answer.pass) {
      cell.reason = "came out right this time, by luck";
      cell.lost_counts = 0;
    }
  } else {
    cell.verdict = answer.pass ? reports::Verdict::pass : reports::Verdict::fail;
  }
  return cell.verdict == reports::Verdict::pass;
}

}  // namespace ladder
