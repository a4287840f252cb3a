#include "reports/numbers/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "compare/tests/catch.hpp"

using namespace ladder::statistics;

namespace {

constexpr int trials = 4000;  // coverage of 95 % is then known to +-0.34 % (one standard error)

using Random = std::mt19937_64;

// The medians of one rung in each of six processes: a factor of the process, common to all samples
// in it, and noise of each sample.
std::vector<double> process_medians(Random& random, double true_us, double process_noise = 0.003,
                                    double sample_noise = 0.01) {
  std::normal_distribution<double> normal;
  std::vector<double> medians;
  for (int process = 0; process < 6; ++process) {
    const double factor = std::exp(process_noise * normal(random));
    std::vector<double> samples;
    for (int i = 0; i < 30; ++i)
      samples.push_back(true_us * factor * std::exp(sample_noise * normal(random)));
    medians.push_back(median(samples));
  }
  return medians;
}

// How often, of all trials, `event` is true.
template <class Event>
double share(const Event& event) {
  Random random(20240607);
  int count = 0;
  for (int i = 0; i < trials; ++i) count += event(random) ? 1 : 0;
  return static_cast<double>(count) / trials;
}

bool contains(const Interval& interval, double value) {
  return interval.low <= value && value <= interval.high;
}

}  // namespace

TEST_CASE("quantiles interpolate between order statistics, as R's type 7 does") {
  const std::vector<double> values{1, 2, 4, 8, 16};
  CHECK(quantile(values, 0) == 1);
  CHECK(quantile(values, 0.1) == Approx(1.4));
  CHECK(quantile(values, 0.5) == 4);
  CHECK(quantile(values, 0.95) == Approx(14.4));
  CHECK(quantile(values, 1) == 16);
  CHECK(quantile(std::vector<double>{7}, 0.3) == 7);
  CHECK_THROWS_AS(quantile({}, 0.5), std::invalid_argument);
}

TEST_CASE("the median takes values in any order") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 3, 2}) == 2.5);
  CHECK_THROWS_AS(median({}), std::invalid_argument);
}

TEST_CASE("outliers lie beyond Tukey's fences") {
  CHECK(outliers(std::vector<double>{1, 2, 3, 4, 5}) == 0);
  // quartiles 2 and 4: from -1 to 7 is inside
  CHECK(outliers(std::vector<double>{-2.9, 2, 3, 4, 7}) == 1);
  CHECK(outliers(std::vector<double>{-1, 2, 3, 4, 7}) == 0);
  CHECK(outliers(std::vector<double>{-9, 2, 3, 4, 9}) == 2);
  CHECK(outliers(std::vector<double>{5}) == 0);
}

TEST_CASE("Student's t is that of the tables") {
  CHECK(student_t_975(1) == Approx(12.706).epsilon(1e-4));
  CHECK(student_t_975(5) == Approx(2.5706).epsilon(1e-4));
  CHECK(student_t_975(30) == Approx(2.0423).epsilon(1e-4));
}

TEST_CASE("the interval of a median has the ranks of the sign-test tables") {
  const auto ranks = [](std::size_t n) {
    std::vector<double> values;
    for (std::size_t i = n; i > 0; --i) values.push_back(static_cast<double>(i));
    const Interval interval = median_interval(values);
    return std::pair(interval.low, interval.high);
  };
  CHECK(ranks(1) == std::pair(1.0, 1.0));
  CHECK(ranks(5) == std::pair(1.0, 5.0));
  CHECK(ranks(6) == std::pair(1.0, 6.0));
  CHECK(ranks(8) == std::pair(1.0, 8.0));
  CHECK(ranks(9) == std::pair(2.0, 8.0));
  CHECK(ranks(30) == std::pair(10.0, 21.0));
  CHECK(ranks(100) == std::pair(40.0, 61.0));
  CHECK_THROWS_AS(median_interval({}), std::invalid_argument);
}

TEST_CASE(
    "the interval of a median covers it in 95 % of the cases, also where the distribution is "
    "skewed") {
  const double covered = share([](Random& random) {
    std::exponential_distribution<double> skewed;
    std::vector<double> samples;
    for (int i = 0; i < 30; ++i) samples.push_back(skewed(random));
    return contains(median_interval(samples), std::log(2));
  });
  CHECK(covered > 0.95);  // 95.7 % by the binomial: ranks are whole numbers
  CHECK(covered < 0.97);
}

TEST_CASE("the interval over processes covers the true time in 95 % of the cases") {
  const double covered = share(
      [](Random& random) { return contains(over_processes(process_medians(random, 100)), 100); });
  CHECK(covered > 0.94);
  CHECK(covered < 0.96);
}

TEST_CASE("the interval of a speedup covers the true one in 95 % of the cases") {
  const double covered = share([](Random& random) {
    return contains(speedup(process_medians(random, 100), process_medians(random, 130)), 1.3);
  });
  CHECK(covered > 0.94);
  CHECK(covered < 0.96);
}

TEST_CASE(
    "a rung compared with itself differs in 5 % of the cases, and 2 % are nearly always found") {
  CHECK(share([](Random& random) {
          return !contains(speedup(process_medians(random, 100), process_medians(random, 100)), 1);
        }) == Approx(0.05).margin(0.01));
  CHECK(share([](Random& random) {
          return speedup(process_medians(random, 100), process_medians(random, 102)).low > 1;
        }) > 0.95);
}

TEST_CASE(
    "of two runs that have nothing in common, too, 5 % of what is the same differs, and 2 % are "
    "nearly always found") {
  const auto run = [](Random& random, double true_us, unsigned processes = 6) {
    auto medians = process_medians(random, true_us);
    medians.resize(processes);
    return Summary{over_processes(medians), processes};
  };
  const double differ = share(
      [&](Random& random) { return !contains(quotient(run(random, 100), run(random, 100)), 1); });
  CHECK(differ > 0.037);  // 4.4 %, which is Welch's test of twice six
  CHECK(differ < 0.051);
  CHECK(share([&](Random& random) {
          return contains(quotient(run(random, 130, 3), run(random, 100)), 1.3);
        }) == Approx(0.95).margin(0.015));
  CHECK(share([&](Random& random) {
          return quotient(run(random, 102), run(random, 100)).low > 1;
        }) > 0.95);
}

TEST_CASE("a quotient of two runs is Welch's") {
  const auto of = [](double low, double high, unsigned processes) {
    return Summary{{std::sqrt(low * high), low, high}, processes};
  };
  const Interval alike = quotient(of(90, 110, 6), of(45, 55, 6));
  const double half_width =
      student_t_975(10) / student_t_975(5) * std::sqrt(2.0) * std::log(110.0 / 90) / 2;
  CHECK(alike.value == Approx(2));
  CHECK(alike.low == Approx(2 * std::exp(-half_width)));
  CHECK(alike.high == Approx(2 * std::exp(half_width)));
  // one of them has no error: the other's interval, with its degrees of freedom
  const Interval sure = quotient(of(90, 110, 6), of(50, 50, 3));
  CHECK(sure.low == Approx(90.0 / 50));
  CHECK(sure.high == Approx(110.0 / 50));
  const Interval exact = quotient(of(4, 4, 2), of(2, 2, 2));
  CHECK(exact.low == Approx(2));
  CHECK(exact.high == Approx(2));
  CHECK_THROWS_AS(quotient(of(1, 2, 1), of(1, 2, 2)), std::invalid_argument);
}

TEST_CASE("a speedup above 1 is that of a faster first argument, paired by process") {
  const std::vector<double> a{1, 2, 4}, b{2, 4, 8};
  // twice in each process: no spread, though the times themselves differ fourfold
  const Interval interval = speedup(a, b);
  CHECK(interval.value == Approx(2));
  CHECK(interval.low == Approx(2));
  CHECK(interval.high == Approx(2));
}

TEST_CASE(
    "the headline is the median of the process medians, and lies in its interval, also where many "
    "processes are skewed") {
  std::vector<double> medians(23, 1);
  std::fill_n(medians.begin(), 11, 100);
  CHECK(over_processes(medians).value == 1);
  CHECK(over_processes(medians).low == 1);
  std::fill_n(medians.begin(), 12, 100);
  CHECK(over_processes(medians).value == 100);
  CHECK(over_processes(medians).high == 100);
  CHECK(over_processes(std::vector<double>{1, 4}).value == 2.5);
}

TEST_CASE("one process is too few for an interval over processes") {
  const std::vector<double> one{1}, two{1, 2};
  CHECK_THROWS_AS(over_processes(one), std::invalid_argument);
  CHECK_THROWS_AS(speedup(one, one), std::invalid_argument);
  CHECK_THROWS_AS(speedup(one, two), std::invalid_argument);
}

TEST_CASE("six digits are the nearest number of so many, and stay it") {
  CHECK(six_digits(0.0123456789) == 0.0123457);
  CHECK(six_digits(4.5120001) == 4.512);
  CHECK(six_digits(123456.5) == 123457);
  CHECK(six_digits(98765432.1) == 98765400);
  CHECK(six_digits(999999.6) == 1e6);
  CHECK(six_digits(-1.2345678) == -1.23457);
  CHECK(six_digits(0) == 0);
  CHECK(std::isinf(six_digits(INFINITY)));
  CHECK(std::isnan(six_digits(NAN)));
  Random random(1);
  std::uniform_real_distribution<double> exponent(-9, 12);
  for (int k = 0; k < 10'000; ++k) {
    const double x = std::pow(10, exponent(random)), rounded = six_digits(x);
    CHECK(std::abs(rounded - x) <= 5.0000001e-6 * x);
    CHECK(six_digits(rounded) == rounded);
  }
}
