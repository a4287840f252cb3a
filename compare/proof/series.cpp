#include "compare/proof/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/statistics/linear_regression.hpp>
#include <cmath>
#include <stdexcept>

#include "reports/numbers/statistics.hpp"
#include "reports/text/lists.hpp"

namespace ladder::proof {
namespace {

using statistics::median;

// the GPU's timer may step by 1.024 us, 0.2 % of the longest spin
constexpr double slope_of_spins = 0.005;
// of the shortest, some 100 us, twice what two events tell apart
constexpr double residual_of_repeats = 0.01;
constexpr double slope_of_repeats = 0.01;

struct Medians {
  std::vector<double> amount, clock_us, other_us;
};

Medians medians(const std::vector<Series>& series) {
  Medians all;
  for (const Series& one : series) {
    all.amount.push_back(one.amount);
    all.clock_us.push_back(median(one.clock_us));
    if (!one.other_us.empty()) all.other_us.push_back(median(one.other_us));
  }
  return all;
}

std::string amounts(const std::vector<Series>& series) {
  const auto all = reports::each(series, &Series::amount);
  return all.size() > 8 ? fmt::format("{} to {}", all.front(), all.back())
                        : fmt::format("{}", fmt::join(all, ", "));
}

// What CUPTI sees of a launch is the kernel alone. The events stand further apart, by themselves
// and the launch between them: longer than two events without a launch, and shorter than an empty
// kernel shows, which takes some time itself (0.3 us on an H200, 0.6 to 0.9 us on H100s).
constexpr double noise_of_a_constant = 0.25;  // us
double allowed_departure(double us) {
  return 0.25 + 0.001 * us;
}

}  // namespace

Line line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto [intercept, slope] = boost::math::statistics::simple_ordinary_least_squares(x, y);
  Line found{slope, intercept, 0};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double on_line = intercept + slope * x[i];
    found.largest_residual = std::max(found.largest_residual, std::abs((y[i] - on_line) / on_line));
  }
  return found;
}

std::vector<Check> check_spins(const std::vector<Series>& spins, const std::string& clock) {
  const Medians of = medians(spins);
  const Line fit = line(of.amount, of.clock_us);
  const std::string asked = fmt::format("{} us", amounts(spins));
  return {{.what = fmt::format("spin kernels by {}: slope", clock),
           .asked = asked,
           .measured = fit.slope,
           .at_least = 1 - slope_of_spins,
           .at_most = 1 + slope_of_spins},
          {.what = fmt::format("spin kernels by {}: intercept", clock),
           .asked = asked,
           .measured = fit.intercept,
           .unit = "us"}};
}

Check timer_step(const std::vector<Series>& by_timer) {
  std::vector<double> times;
  for (const Series& one : by_timer)
    times.insert(times.end(), one.other_us.begin(), one.other_us.end());
  std::ranges::sort(times);
  Check check{.what = "step of the GPU's own timer, by which spins end",
              .asked = "smallest difference of two times of repeated work",
              .unit = "us"};
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double step = times[i] - times[i - 1];
    // 1e-4 us: two equal times, but for rounding
    if (step > 1e-4 && (!check.measured || step < *check.measured)) check.measured = step;
  }
  if (!check.measured) check.untestable = "all times are the same";
  return check;
}

std::vector<Check> check_repeats(const std::vector<Series>& repeats) {
  const Medians of = medians(repeats);
  if (of.other_us.size() != of.clock_us.size())
    throw std::invalid_argument("repeated work has the kernel's own time beside it");
  const Line by_clock = line(of.amount, of.clock_us), by_kernel = line(of.amount, of.other_us);
  const std::string asked = fmt::format("{} times one piece of work", amounts(repeats));
  return {{.what = "repeated work: largest residual of a straight line",
           .asked = asked,
           .measured = 100 * by_clock.largest_residual,
           .unit = "%",
           .at_most = 100 * residual_of_repeats},
          {.what = "repeated work: slope, by what the kernel's own timer says",
           .asked = fmt::format("{:.5g} us a piece", by_kernel.slope),
           .measured = by_clock.slope / by_kernel.slope,
           .at_least = 1 - slope_of_repeats,
           .at_most = 1 + slope_of_repeats},
          {.what = "repeated work: intercept",
           .asked = asked,
           .measured = by_clock.intercept,
           .unit = "us"}};
}

std::vector<Check> check_recorded(const std::vector<Series>& spins, const EmptyRuns& empty) {
  std::vector<double> differences;  // medians
  for (const Series& one : spins) {
    if (one.other_us.size() != one.clock_us.size())
      throw std::invalid_argument("every launch that was timed has a record");
    std::vector<double> of_launch;
    for (std::size_t i = 0; i < one.clock_us.size(); ++i)
      of_launch.push_back(one.clock_us[i] - one.other_us[i]);
    differences.push_back(median(of_launch));
  }
  const double constant = median(differences);
  std::vector<Check> checks{{.what = "clock less CUPTI's record of the same launch",
                             .asked = fmt::format("spins of {} us; two events show {:.4g} us, an "
                                                  "empty kernel {:.4g} us",
                                                  amounts(spins), empty.events_us, empty.kernel_us),
                             .measured = constant,
                             .unit = "us",
                             .at_least = empty.events_us - noise_of_a_constant,
                             .at_most = empty.kernel_us + noise_of_a_constant}};
  for (std::size_t i = 0; i < spins.size(); ++i) {
    const double by_cupti = median(spins[i].other_us), allowed = allowed_departure(by_cupti);
    checks.push_back(
        {.what = fmt::format("the same of a {} us spin alone, less that", spins[i].amount),
         .asked = fmt::format("{:.5g} us by CUPTI", by_cupti),
         .measured = differences[i] - constant,
         .unit = "us",
         .at_least = -allowed,
         .at_most = allowed});
  }
  return checks;
}

std::vector<Check> empty_runs(const std::vector<Series>& launches) {
  return reports::each(launches, [](const Series& one) -> Check {
    return {.what = one.amount == 0 ? "two events with nothing between them" : "an empty kernel",
            .asked = fmt::format("median of {}", one.clock_us.size()),
            .measured = median(one.clock_us),
            .unit = "us"};
  });
}

}  // namespace ladder::proof
