#include "reports/model/json.hpp"
#include "reports/file/result_file.hpp"

#include <limits>

#include "compare/tests/catch.hpp"
#include "reports/file/schema.hpp"
#include "reports/tests/sample.hpp"

using namespace ladder::reports;
using nlohmann::json;

namespace {

// How many members an aggregate has: the most initialisers it takes.
struct Anything {
  template <class T>
  operator T() const;
};
template <class T, class... Given>
constexpr std::size_t members() {
  if constexpr (requires { T{std::declval<Given>()..., std::declval<Anything>()}; })
    return members<T, Given..., Anything>();
  else return sizeof...(Given);
}

}  // namespace

TEST_CASE("every member of the model is a field of the file") {
  // over devices: other cells have neither their ratio nor their counters
  Cell whole = full().cells[0];
  CHECK(members<Run>() == json(Run{}).size());
  CHECK(members<Effort>() == json(Effort{}).size());
  CHECK(members<GpuState>() == json(GpuState{}).size());
  CHECK(members<Gpu>() == json(Gpu{}).size());
  // of one GPU there are no further ones, and no links
  CHECK(members<Machine>() == json(full().machine).size());
  // where NCCL was not there, the file has no such field
  CHECK(members<Software>() == json(full().software).size());
  CHECK(members<Operation>() == json(Operation{}).size());
  // without a library and a promise the file has no such fields
  CHECK(members<Rung>() == json(full().rungs[0]).size());
  CHECK(members<Ceiling>() == json(full().ceilings[0]).size());
  CHECK(members<Overhead>() == json(full().overheads[0]).size());
  // one that is not displaced has no offset, one on one device no devices
  CHECK(members<Input>() == json(full().cells[0].input).size());
  CHECK(members<Who>() == json(Who{}).size());
  CHECK(members<How>() == json(How{}).size());
  CHECK(members<CellKey>() == json(CellKey{}).size());
  CHECK(members<Time>() == json(Time{}).size());
  CHECK(members<ProcessMedian>() == json(timing_of(whole).processes[0]).size());
  CHECK(members<Bandwidth>() == json(Bandwidth{}).size());
  CHECK(members<Ratio>() == json(Ratio{}).size());
  // vs_same_promise is in no file
  CHECK(members<Ratios>() - 1 == json(timing_of(whole).ratios).size());
  CHECK(members<BackToBack>() - 1 == json(BackToBack{}).size());
  CHECK(members<Clocks>() == json(Clocks{}).size());
  CHECK(members<Timing>() == json(Timing{}).size());
  CHECK(members<Error>() == json(Error{}).size());
  CHECK(members<Counters>() == json(counters_of(whole)).size());
  CHECK(members<Measured>() == json(Measured{}).size());
  CHECK(members<Failure>() == json(Failure{}).size());
  CHECK(members<Bytes>() == json(Bytes{}).size());
  CHECK(members<Shard>() == json(Shard{}).size());
  CHECK(members<MergedShard>() == json(MergedShard{}).size());
  CHECK(members<Kernels>() == json(Kernels{}).size());
  CHECK(members<Results>() == json(full()).size());  // one of a whole plan has nothing of shards
  // The key of a cell stands in it as its fields, and an outcome as the verdict and what was
  // measured.
  CHECK(members<Cell>() - 2 + members<CellKey>() + 2 == json(full().cells[0]).size());
}

TEST_CASE("results survive the way through JSON") {
  for (const Results& results : {full(), bare(), example()}) {
    const json document = results;
    const json again = json::parse(document.dump()).get<Results>();
    CHECK(again == document);
  }
  CHECK(json(full().cells[0])["input"]["operator"] == "sum");
  CHECK(json(full().cells[0].input).get<Input>().offset == 1);
  CHECK(json(full().cells[0].input).get<Input>().devices == 4);
  Input aligned = full().cells[0].input;
  CHECK(aligned.process_for_each_device);
  aligned.offset = aligned.devices = 0, aligned.process_for_each_device = false;
  CHECK_FALSE(json(aligned).contains("offset"));  // as in sets of before
  CHECK_FALSE(json(aligned).contains("devices"));
  CHECK_FALSE(json(aligned).contains("process_for_each_device"));
  CHECK_FALSE(json(ProcessMedian{}).contains("devices_us"));
  CHECK_FALSE(json(Ratios{}).contains("vs_one_device"));
  CHECK_FALSE(json(Counters{}).contains("peer_load_bytes"));
  CHECK(json(aligned).get<Input>() == aligned);
  CHECK(json(full()).get<Results>().run.seed == ~0ull);
}

TEST_CASE("what is not set is null, and so is what is not a number") {
  const json skipped = bare().cells[0], timed = timed_cell("std", "std_serial", 5),
             counted = emulated_cell("serial");
  for (const char* place : {"/input/operator", "/input/bins", "/how/contract", "/how/cache",
                            "/outcome/lost_counts", "/measured"}) {
    INFO(place);
    CHECK(skipped.at(json::json_pointer(place)).is_null());
  }
  for (const char* place :
       {"/outcome/reason", "/outcome/lost_counts", "/measured/counters",
        "/measured/timing/percent_of_ceiling", "/measured/timing/ratios/vs_followed",
        "/measured/timing/back_to_back", "/measured/timing/processes/0/back_to_back_us"}) {
    INFO(place);
    CHECK(timed.at(json::json_pointer(place)).is_null());
  }
  CHECK(counted.at("measured").at("timing").is_null());
  Error error;
  error.relative = std::numeric_limits<double>::infinity();
  error.bound = std::numeric_limits<double>::quiet_NaN();
  CHECK(json(error).dump() == R"({"bound":null,"of_bound":null,"relative":null,"ulp_max":null})");
}

TEST_CASE(
    "a verdict decides whether there are numbers, in the model and on the way from JSON to it") {
  CHECK_THROWS_AS(Outcome(Failure{Verdict::pass, "none"}), std::invalid_argument);
  CHECK(Outcome().verdict() == Verdict::skipped);
  const json passed = timed_cell("std", "std_serial", 5),
             failed = without(timed_cell("std", "std_serial", 5), Verdict::fail, "wrong");
  const auto changed = [](json cell, const char* place, const json& value) {
    cell[json::json_pointer(place)] = value;
    return cell;
  };
  CHECK(passed.get<Cell>().passed());
  CHECK(failed.get<Cell>().reason() == "wrong");
  for (const json& bad :
       {changed(passed, "/measured", nullptr), changed(passed, "/outcome/reason", "wrong"),
        changed(passed, "/outcome/lost_counts", 1), changed(passed, "/outcome/verdict", "fail"),
        changed(failed, "/measured", passed["measured"]),
        changed(passed, "/outcome/verdict", "splendid")})
    CHECK_THROWS_AS(bad.get<Cell>(), std::invalid_argument);
}

TEST_CASE("the id is of the content") {
  Results results = full();
  const auto id = content_id(results);
  CHECK(id.starts_with("sha256:"));
  CHECK(id.size() == 7 + 64);
  results.run.id = "anything";
  CHECK(content_id(results) == id);
  timing_of(results.cells[0]).time_us.median += 1e-9;
  CHECK(content_id(results) != id);

  // By another program, so that the algorithm stays what the schema says: Python's hashlib.sha256
  // of json.dumps(document without run.id, sort_keys=True, separators=(",", ":"),
  // ensure_ascii=False).
  CHECK(content_id(bare()) ==
        "sha256:da672c394e03435c3f581de9f6c0be94169656251fcbac26dea36396844494ee");
}
