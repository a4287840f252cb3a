// The raw samples of a result set, held against its times.
#pragma once

#include <filesystem>
#include <vector>

#include "reports/soundness.hpp"

namespace ladder {

// file: a samples.jsonl.gz of any origin. What it says otherwise than the results do; empty: nothing.
std::vector<reports::Problem> samples_problems(const std::filesystem::path& file, const reports::Results& results);

}  // namespace ladder
