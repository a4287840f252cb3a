// The files of a result set: results.json, report.md and samples.jsonl.gz. Each is whole or not there.
#pragma once

#include <filesystem>

#include "compare/driver/record.hpp"
#include "reports/model.hpp"

namespace ladder {

// All three, in the folder of the journal. Throws std::system_error where they cannot be written.
void write_results(const std::filesystem::path& folder, reports::Results& results, const Record& record);  // fills results.run.id

void write_report(const std::filesystem::path& folder, const reports::Results& results);  // report.md alone; makes the folder

}  // namespace ladder
