#include "reports/numbers/statistics.hpp"
#include "reports/text/lists.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace ladder::statistics {
namespace {

using Binomial = boost::math::binomial_distribution<double>;

// Of logarithms.
Interval around(double mean, double half_width) {
  return {std::exp(mean), std::exp(mean - half_width), std::exp(mean + half_width)};
}

// exp of the mean of `logs` with its 95 % Student t interval.
Interval geometric_mean(std::span<const double> logs) {
  if (logs.size() < 2)
    throw std::invalid_argument("an interval over processes needs at least 2 of them");
  const auto n = static_cast<double>(logs.size());
  double mean = 0, squares = 0;
  for (const double x : logs) mean += x / n;
  for (const double x : logs) squares += (x - mean) * (x - mean);
  return around(mean, student_t_975(n - 1) * std::sqrt(squares / (n - 1) / n));
}

struct Mean {
  double value = 0, variance = 0, freedom = 0;  // variance: of the mean; freedom: degrees of it
};

// What geometric_mean was given, on the logarithms.
Mean mean_of_logs(const Summary& summary) {
  if (summary.processes < 2)
    throw std::invalid_argument("an interval over processes needs at least 2 of them");
  const double low = std::log(summary.interval.low), high = std::log(summary.interval.high),
               freedom = summary.processes - 1.0;
  const double error = (high - low) / 2 / student_t_975(freedom);
  return {(low + high) / 2, error * error, freedom};
}

}  // namespace

double six_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  // powers of ten and whole numbers are exact, so the result is the nearest to its decimal digits
  const int places = 5 - static_cast<int>(std::floor(std::log10(std::abs(value))));
  const double scale = std::pow(10.0, std::abs(places));
  return places >= 0 ? std::round(value * scale) / scale : std::round(value / scale) * scale;
}

Interval six_digits(const Interval& interval) {
  return {six_digits(interval.value), six_digits(interval.low), six_digits(interval.high)};
}

double quantile(std::span<const double> sorted, double p) {
  if (sorted.empty()) throw std::invalid_argument("there is no quantile of no values");
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return quantile(values, 0.5);
}

unsigned outliers(std::span<const double> sorted) {
  const double lower = quantile(sorted, 0.25), upper = quantile(sorted, 0.75),
               fence = 1.5 * (upper - lower);
  return static_cast<unsigned>(std::ranges::count_if(
      sorted, [&](double x) { return x < lower - fence || x > upper + fence; }));
}

Interval median_interval(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  const double middle = quantile(values, 0.5);
  // even the extremes cover less than 95 %: 1 - 2 / 2^5
  if (n < 6) return {middle, values.front(), values.back()};

  // The median lies below the k-th smallest value with probability P(X <= k - 1), X ~ binomial(n,
  // 1/2), and as often above the k-th largest.
  const Binomial below(static_cast<double>(n), 0.5);
  const auto is_outside = [&](std::size_t k) {
    return boost::math::cdf(below, static_cast<double>(k)) <= 0.025;
  };
  // by bisection: std::views::iota, which partition_point could search, does not compile with clang
  // 14
  std::size_t k = 1;
  for (std::size_t end = n; k < end;) {
    const std::size_t between = std::midpoint(k, end);
    if (is_outside(between)) k = between + 1;
    else end = between;
  }
  return {middle, values[k - 1], values[n - k]};
}

Interval over_processes(std::span<const double> process_medians) {
  const Interval mean =
      geometric_mean(reports::each(process_medians, [](double m) { return std::log(m); }));
  const double value = median({process_medians.begin(), process_medians.end()});
  // many skewed processes can leave their median outside
  return {value, std::min(mean.low, value), std::max(mean.high, value)};
}

Interval speedup(std::span<const double> a_us, std::span<const double> b_us) {
  if (a_us.size() != b_us.size())
    throw std::invalid_argument("a speedup is paired by process: equally many of each");
  std::vector<double> logs;
  for (std::size_t i = 0; i < a_us.size(); ++i) logs.push_back(std::log(b_us[i] / a_us[i]));
  return geometric_mean(logs);
}

Interval quotient(const Summary& a, const Summary& b) {
  const Mean above = mean_of_logs(a), below = mean_of_logs(b);
  const double mean = above.value - below.value, variance = above.variance + below.variance;
  if (variance == 0) return around(mean, 0);
  // of a: within 0 to 1, where squares of variances could vanish
  const double share = above.variance / variance;
  const double freedom =
      1 / (share * share / above.freedom + (1 - share) * (1 - share) / below.freedom);
  return around(mean, student_t_975(freedom) * std::sqrt(variance));
}

double both_sides_of_even(std::size_t fewer, std::size_t n) {
  if (2 * fewer >= n) return 1;
  const Binomial heads(static_cast<double>(n), 0.5);
  return std::min(1.0, 2 * boost::math::cdf(heads, static_cast<double>(fewer)));
}

double at_least(std::size_t happened, std::size_t n, double probability) {
  if (happened == 0) return 1;
  const Binomial of(static_cast<double>(n), probability);
  return boost::math::cdf(boost::math::complement(of, static_cast<double>(happened - 1)));
}

double student_t_975(double degrees_of_freedom) {
  return boost::math::quantile(boost::math::students_t_distribution<double>(degrees_of_freedom),
                               0.975);
}

}  // namespace ladder::statistics
