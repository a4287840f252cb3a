#include "compare/driver/timing.hpp"

#include <algorithm>

#include "reports/statistics.hpp"

namespace ladder {

reports::Time time_of(const ProcessMedians& medians, std::vector<double> samples, bool converged) {
  std::vector<double> values;
  for (const auto& [process, median] : medians) values.push_back(median);
  const auto interval = values.size() >= 2 ? statistics::over_processes(values) : statistics::median_interval(samples);
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
          .processes = static_cast<unsigned>(values.size()),
          .converged = converged,
          .batch_mean = {},
          .outliers = statistics::outliers(samples)};
}

reports::CellKey key_of(const ProblemSpec& p, const std::string& backend, const std::optional<std::string>& contract,
                        const std::optional<std::string>& cache) {
  return {.operation = p.operation,
          .op = p.op.empty() ? std::nullopt : std::optional(p.op),
          .dtype = p.dtype,
          .n = p.n,
          .distribution = p.distribution,
          .bins = p.bins == 0 ? std::nullopt : std::optional(p.bins),
          .provider = {},
          .rung = {},
          .backend = backend,
          .contract = contract,
          .cache = cache};
}

}  // namespace ladder
