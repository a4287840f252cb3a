#include "compare/proof/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <stdexcept>
#include <string_view>

#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/text/lists.hpp"

namespace ladder::proof {
namespace {

constexpr double found_at_least = 95;  // per cent

// The verdict on b against a, as a report has it.
std::string_view called(const Pair& pair) {
  const auto ratio = statistics::speedup(pair.b_us, pair.a_us);
  return name_of(reports::difference(ratio.low, ratio.high));
}

double most_by_chance(std::size_t pairs) {
  return boost::math::quantile(
      boost::math::binomial_distribution<double>(static_cast<double>(pairs), 0.05), 0.975);
}

}  // namespace

Check check_twins(const std::vector<Pair>& pairs) {
  const auto different = std::ranges::count_if(
      pairs, [](const Pair& pair) { return called(pair) != "no difference shown"; });
  return {.what = "identical implementations called different",
          .asked = fmt::format("{} pairs", pairs.size()),
          .measured = static_cast<double>(different),
          .at_most = most_by_chance(pairs.size())};
}

std::vector<Check> check_slower(const std::vector<Pair>& pairs) {
  if (pairs.empty()) throw std::invalid_argument("no trial was made");
  const auto found = std::ranges::count(pairs, "slower", called);
  const auto more = reports::each(pairs, [](const Pair& pair) {
    return 100 * (1 / statistics::speedup(pair.b_us, pair.a_us).value - 1);
  });
  const std::string asked = fmt::format("{} trials", pairs.size());
  return {{.what = "2 % more work called slower",
           .asked = asked,
           .measured = 100 * static_cast<double>(found) / static_cast<double>(pairs.size()),
           .unit = "%",
           .at_least = found_at_least},
          {.what = "2 % more work: median of the time it takes more",
           .asked = asked,
           .measured = statistics::median(more),
           .unit = "%"}};
}

}  // namespace ladder::proof
