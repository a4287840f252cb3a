// The machine and its software, put together from what each backend knows of them.
#pragma once

#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/plan/plan.hpp"
#include "reports/model/model.hpp"

namespace ladder {

// Fills results.machine and results.software. The host backend knows the caches and its compiler,
// and is asked whether the plan uses it or not. Of a shard too they are those of the whole plan.
void describe_machine(const Catalogue& catalogue, const Plan& plan, reports::Results& results);

// Fills the state of the GPU after the run, if one was used. Throws Interrupted.
void describe_gpu_afterwards(const Catalogue& catalogue, reports::Results& results);

}  // namespace ladder
