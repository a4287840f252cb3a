// Any bytes as the journal of a run that is resumed, after the line that says which run it is. They
// are refused in a sentence, or make a set that fits its schema.
#include <cstdlib>

#include "compare/driver/results/assemble.hpp"
#include "compare/driver/results/write_result_set.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/tests/fuzz/bytes_as_file.hpp"

using namespace ladder;
using nlohmann::json;

namespace {

// One group that is timed in two processes, one that is counted.
Plan plan_of_two() {
  Group timed, counted;
  timed.backend = reports::Backend::host;
  timed.contract = reports::Contract::host_result;
  timed.cache = reports::Cache::cold;
  timed.effort.processes = 2, timed.effort.max_samples = 9;
  counted.backend = reports::Backend::emulated;
  counted.effort.processes = 1;
  for (Group* group : {&timed, &counted}) {
    group->problem = {
        .operation = "reduce", .op = "sum", .dtype = "i32", .n = 1000, .distribution = "uniform"};
    for (const char* name : {"a", "b"}) {
      protocol::Listing& rung = group->rungs.emplace_back();
      rung.path = rung.rung = name, rung.operation = "reduce", rung.provider = "handwritten";
    }
  }
  return {1, {timed, counted}};
}

Catalogue catalogue_of_two() {
  Catalogue catalogue;
  for (const auto name : {reports::Backend::host, reports::Backend::emulated}) {
    Backend& backend = catalogue.backends.emplace_back();
    backend.name = name;
    backend.operations = {{.name = "reduce", .operators = {"sum"}}};
  }
  return catalogue;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) try {
  static const Plan plan = plan_of_two();
  static const json run{{"identity", {{"seed", 1}}}};
  const auto file =
      tests::as_file("journal.jsonl", run.dump() + '\n' + std::string(tests::text_of(data, size)));
  Journal journal(file.parent_path(), run, Journal::Mode::resume);
  const Record record(plan, journal);
  static const Catalogue catalogue = catalogue_of_two();
  reports::Run of_results;
  of_results.date = "2026-11-22T08:00:00Z", of_results.commit = "unknown",
  of_results.seed = plan.seed;
  auto results = assemble(catalogue, record, of_results);
  if (!set_of(results, record).soundness.fits_schema) std::abort();
  return 0;
} catch (const UsageError&) {
  return 0;
}
