// Kernels whose time is known, as the project's clock saw them, and the checks that follow.
#pragma once

#include <string>
#include <vector>

#include "compare/proof/check.hpp"
#include "reports/model/json.hpp"

namespace ladder::proof {

// What the specimens program (compare/proof/cuda/) is asked to run, and to time by
// worker/backend.hpp.
struct SeriesRequest {
  std::string specimen;  // "spin", "repeat" or "launch"
  // of each specimen: microseconds to spin, repetitions of the work, or empty kernels to launch
  std::vector<double> amounts;
  unsigned samples = 0;  // of each amount; all amounts take turns in random order
  reports::Contract contract = reports::Contract::device_result;
  bool recorded = false;  // by CUPTI too
};

// The samples of one amount. other_us: the same runs by another clock, the kernel's own or CUPTI's;
// empty where there is none.
struct Series {
  double amount = 0;
  std::vector<double> clock_us, other_us;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SeriesRequest, specimen, amounts, samples, contract, recorded)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Series, amount, clock_us, other_us)

// The least-squares line through the medians.
struct Line {
  double slope = 0, intercept = 0;
  double largest_residual = 0;  // relative to the line
};
Line line(const std::vector<double>& x, const std::vector<double>& y);

// Spins of known duration: the slope has to be 1, a constant more is none of the clock's scale.
// clock: its name in the table.
std::vector<Check> check_spins(const std::vector<Series>& spins, const std::string& clock);

// The step in which the GPU's own timer counts, by which the spins end.
Check timer_step(const std::vector<Series>& by_timer);

// One piece of work 1, 2, 3 .. times: a straight line, as steep as the kernel's own timer says.
std::vector<Check> check_repeats(const std::vector<Series>& repeats);

// Medians: what the clock shows of two events with nothing between them, and of an empty kernel.
struct EmptyRuns {
  double events_us, kernel_us;
};

// The same launches by the clock and by CUPTI.
std::vector<Check> check_recorded(const std::vector<Series>& spins, const EmptyRuns& empty);

// What the clock shows of nothing at all, and of an empty kernel.
std::vector<Check> empty_runs(const std::vector<Series>& launches);

}  // namespace ladder::proof
