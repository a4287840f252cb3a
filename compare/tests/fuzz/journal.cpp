// Any bytes as the journal of a run that is resumed, after the line that says which run it is.
#include "compare/driver/errors.hpp"
#include "compare/driver/record.hpp"
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
  timed.effort.processes = 2;
  counted.backend = reports::Backend::emulated;
  counted.effort.processes = 1;
  for (Group* group : {&timed, &counted}) {
    group->problem = {.operation = "reduce", .op = "sum", .dtype = "i32", .n = 1000, .distribution = "uniform"};
    for (const char* path : {"a", "b"}) group->rungs.emplace_back().path = path;
  }
  return {1, {timed, counted}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) try {
  static const Plan plan = plan_of_two();
  static const json run{{"identity", {{"seed", 1}}}};
  const auto file = tests::as_file("journal.jsonl", run.dump() + '\n' + std::string(tests::text_of(data, size)));
  Journal journal(file.parent_path(), run, Journal::Mode::resume);
  const Record record(plan, journal);
  return 0;
} catch (const UsageError&) {
  return 0;
}
