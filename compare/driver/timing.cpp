#include "compare/driver/timing.hpp"

#include <algorithm>

#include "reports/statistics.hpp"

namespace ladder {

reports::Time time_of(std::vector<double> samples) {
  const auto interval = statistics::median_interval(samples);
  std::ranges::sort(samples);
  const auto at = [&](double p) { return statistics::quantile(samples, p); };
  return {.median = interval.value,
          .ci95_low = interval.low,
          .ci95_high = interval.high,
          .min = samples.front(),
          .p5 = at(0.05),
          .p25 = at(0.25),
          .p75 = at(0.75),
          .p95 = at(0.95),
          .max = samples.back(),
          .samples = static_cast<unsigned>(samples.size()),
          .outliers = statistics::outliers(samples)};
}

reports::CellKey key_of(const ProblemSpec& p, const reports::How& how) {
  return {.input = {.operation = p.operation,
                    .op = p.op.empty() ? std::nullopt : std::optional(p.op),
                    .dtype = p.dtype,
                    .n = p.n,
                    .distribution = p.distribution,
                    .bins = p.bins == 0 ? std::nullopt : std::optional(p.bins)},
          .who = {},
          .how = how};
}

}  // namespace ladder
