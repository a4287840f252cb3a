// Runs a plan: starts workers, hands them groups, and goes on without a rung that crashes or hangs.
#pragma once

#include <string>
#include <vector>

#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/plan/plan.hpp"
#include "compare/driver/study/record.hpp"
#include "compare/driver/workers/worker_process.hpp"

namespace ladder {

// Throws UsageError where the plan wants counters of the hardware and they cannot be read: before
// minutes are spent on what was asked for with them.
void need_counters(const Plan& plan, const Catalogue& catalogue);

// Does what the record does not hold yet. Throws Interrupted, and std::system_error where the
// journal cannot be written; what was recorded stays. launcher: words that start a worker program
// for each device; none: one has all devices.
void run_study(const Plan& plan, const Catalogue& catalogue, Record& record,
               milliseconds longest_silence, const std::vector<std::string>& launcher);

}  // namespace ladder
