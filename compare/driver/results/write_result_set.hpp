// The files of a result set: results.json, samples.jsonl.bz2 and the report.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/driver/study/record.hpp"
#include "compare/driver/terminal/places.hpp"
#include "reports/formats/report.hpp"
#include "reports/model/model.hpp"

namespace ladder {

using Published = std::vector<reports::Results>;  // what the report shows beside the results

// The set of a record, and what `ladder check` says of it.
struct Set {
  // as in their files, uncompressed. results: empty where they do not fit their schema, so that
  // nobody could read them
  std::string results, samples;
  reports::Soundness soundness;
};

// results: assembled from this record. Fills in what comes with writing; they become what is read
// from the file.
Set set_of(reports::Results& results, const Record& record);
Set set_of(reports::Results& results, std::string samples);

// All of its files, in the folder of the journal; of a merged set, which has no record, in any
// other. Says so where it sets an earlier set aside. Throws UsageError or std::system_error where
// they cannot be written.
void write_results(const fs::path& folder, const reports::Results& results, const Set& set,
                   const Published& published, Record* record);

// Throws UsageError where something other than an earlier set has the name of a file that
// write_results() writes.
void require_room_for_results(const fs::path& folder);

// The result file of a set, and its others: its samples, packed, and its report. after_each_step:
// for a test, which ends the program there.
enum class Earlier { set_aside, replaced };
void put_in_place(
    const fs::path& folder, const std::string& results, const reports::Files& others,
    Earlier earlier, const std::function<void()>& after_each_step = [] {});

// Writes a report into this folder, which it makes. Throws UsageError where it cannot be written.
void write_report(const fs::path& folder, const reports::Files& report);

// The pictures that lie beside a report in this folder.
reports::Pictures pictures_in(const fs::path& folder);

}  // namespace ladder
