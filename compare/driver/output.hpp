// The files of a result set: results.json, report.md and samples.jsonl.gz, and others that stand beside them. Each is whole or not there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compare/driver/record.hpp"
#include "reports/model.hpp"
#include "reports/soundness.hpp"

namespace ladder {

using Published = std::vector<reports::Results>;  // what the report shows beside the results

// All three, in the folder of the journal; fills results.run.id. Throws std::system_error where they cannot be written.
void write_results(const std::filesystem::path& folder, reports::Results& results, const Published& published, const Record& record);

// report.md alone; makes the folder. soundness: what check says of the results.
void write_report(const std::filesystem::path& folder, const reports::Results& results, const Published& published,
                  const reports::Soundness& soundness);

void make_folder(const std::filesystem::path& folder);  // that --out names; throws UsageError

void write_file(const std::filesystem::path& file, const std::string& text);  // throws std::system_error

}  // namespace ladder
