#include "reports/json.hpp"

#include <limits>

#include "compare/tests/catch.hpp"
#include "reports/schema.hpp"
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
  if constexpr (requires { T{std::declval<Given>()..., std::declval<Anything>()}; }) return members<T, Given..., Anything>();
  else return sizeof...(Given);
}

}  // namespace

TEST_CASE("every member of the model is a field of the file") {
  CHECK(members<Run>() == json(Run{}).size());
  CHECK(members<Gpu>() == json(Gpu{}).size());
  CHECK(members<Machine>() == json(Machine{}).size());
  CHECK(members<Software>() == json(Software{}).size());
  CHECK(members<Ceiling>() == json(Ceiling{}).size());
  CHECK(members<CellKey>() == json(CellKey{}).size());
  CHECK(members<Time>() == json(Time{}).size());
  CHECK(members<Bandwidth>() == json(Bandwidth{}).size());
  CHECK(members<Ratio>() == json(Ratio{}).size());
  CHECK(members<Ratios>() == json(Ratios{}).size());
  CHECK(members<Error>() == json(Error{}).size());
  CHECK(members<Counters>() == json(Counters{}).size());
  CHECK(members<Cell>() - 1 + members<CellKey>() == json(Cell{}).size());  // the key's fields stand in the cell
  CHECK(members<Results>() == json(Results{}).size());
}

TEST_CASE("results survive the way through JSON") {
  for (const Results& results : {full(), bare(), example()}) {
    const json document = results;
    const json again = json::parse(document.dump()).get<Results>();
    CHECK(again == document);
  }
  CHECK(json(full().cells[0])["operator"] == "sum");
  CHECK(json(full()).get<Results>().run.seed == ~0ull);
}

TEST_CASE("what is not set is null, and so is what is not a number") {
  const json cell = bare().cells[0];
  for (const char* field : {"operator", "bins", "contract", "cache", "reason", "time_us", "ratios", "counters", "percent_of_ceiling"}) {
    INFO(field);
    CHECK(cell.at(field).is_null());
  }
  Error error;
  error.relative = std::numeric_limits<double>::infinity();
  error.bound = std::numeric_limits<double>::quiet_NaN();
  CHECK(json(error).dump() == R"({"bound":null,"of_bound":null,"relative":null,"ulp_max":null})");
}

TEST_CASE("the id is of the content") {
  Results results = full();
  const auto id = content_id(results);
  CHECK(id.starts_with("sha256:"));
  CHECK(id.size() == 7 + 64);
  results.run.id = "anything";
  CHECK(content_id(results) == id);
  results.cells[0].time_us->median += 1e-9;
  CHECK(content_id(results) != id);

  // By another program, so that the algorithm stays what the schema says: Python's hashlib.sha256 of
  // json.dumps(document without run.id, sort_keys=True, separators=(",", ":"), ensure_ascii=False).
  CHECK(content_id(bare()) == "sha256:af54ce384810772b525a1a40dc500d88b72ca26496c2c20f06efd119ad119061");
}
