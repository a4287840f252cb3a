// The machine and its software, put together from what each backend knows of them.
#pragma once

#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/plan/plan.hpp"
#include "reports/model/model.hpp"

namespace ladder {

// Fills results.machine and results.software. The host backend knows the caches and its compiler,
// and is asked whether the plan uses it or not. Of a shard too they are those of the whole plan.
void describe_machine(const Catalogue& catalogue, const Plan& plan, reports::Results& results);

// Throws UsageError, with the number of GPUs that there are, where no GPU can be used. choice: of
// the user, as CUDA_VISIBLE_DEVICES; empty: none.
void require_gpu(const Catalogue& catalogue, const std::string& choice);

// Fills the state of the GPU after the run, if one was used. Throws Interrupted.
void describe_gpu_afterwards(const Catalogue& catalogue, reports::Results& results);

}  // namespace ladder
