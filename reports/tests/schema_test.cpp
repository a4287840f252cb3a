// Schema and model say the same.
#include "reports/file/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "compare/tests/catch.hpp"
#include "reports/model/json.hpp"
#include "reports/tests/sample.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

const json& schema() {
  static const json parsed = json::parse(schema_text);
  return parsed;
}

const json& resolved(const json& node) {
  return node.contains("$ref")
             ? schema().at(json::json_pointer(node["$ref"].get<std::string>().substr(1)))
             : node;
}

std::vector<std::string> keys(const json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

// Every list and every text within has a greatest length.
void check_bounds(const json& node, const std::string& place) {
  INFO(place);
  const json type = node.is_object() && node.contains("type") ? node["type"] : json();
  if (type == "array") CHECK(node.contains("maxItems"));
  if (type == "string" || type == json{"string", "null"}) CHECK(node.contains("maxLength"));
  if (!node.is_structured()) return;
  for (const auto& [name, value] : node.items()) check_bounds(value, place + '/' + name);
}

// The fields of these structs that are not in every file.
template <class... T>
void erase_optional(std::vector<std::string>& names) {
  const auto erase = [&names](const char* name, const auto&, const FieldFacts& facts = {}) {
    if (facts.if_set) std::erase(names, name);
  };
  const std::tuple<T...> all;
  (T::fields(std::get<T>(all), erase), ...);
}

// document: with every optional field set, so that all of the schema is met.
void compare(const json& document, const json& node, const std::string& place) {
  INFO(place);
  const json& rules = resolved(node);
  if (document.is_object()) {
    CHECK(keys(document) == keys(rules.at("properties")));
    auto required = rules.at("required").get<std::vector<std::string>>();
    std::sort(required.begin(), required.end());
    auto always = keys(document);
    if (place.starts_with("/rungs/")) erase_optional<Rung>(always);
    if (place == "/software") erase_optional<Software>(always);
    if (place.ends_with("/machine")) erase_optional<Machine>(always);
    if (place.starts_with("/cells/") || place.starts_with("/limits/"))
      erase_optional<Input, ProcessMedian, Ratios, Counters>(always);
    erase_optional<Results>(always);
    CHECK(required == always);
    CHECK(rules.at("additionalProperties") == false);
    for (const auto& [name, value] : document.items()) {
      const json& field = rules.at("properties").at(name);
      INFO(name);
      CHECK((field.contains("description") || resolved(field).contains("description")));
      compare(value, field, fmt::format("{}/{}", place, name));
    }
  } else if (document.is_array()) {
    REQUIRE_FALSE(document.empty());
    compare(document[0], rules.at("items"), place + "/0");
  }
}

}  // namespace

TEST_CASE(
    "the schema holds the fields of the model, no more and no fewer, each with its description") {
  compare(full(), schema(), "");
  CHECK(schema()["properties"]["schema"]["const"] == schema_version);
  CHECK(schema()["definitions"]["input"]["properties"]["offset"]["maximum"] == most_offset);
}

TEST_CASE("every list has a greatest length, every text too, and nothing longer is read") {
  check_bounds(schema(), "");
  CHECK(schema()["definitions"]["name"]["maxLength"] == 255);
  const auto with = [](const char* list, std::size_t length) {
    json document = full();
    json& its = document[json::json_pointer(list)];
    its = std::vector<json>(length, its[0]);
    return violation(document);
  };
  for (const char* list : {"/operations", "/rungs", "/ceilings", "/overheads", "/merged"}) {
    INFO(list);
    CHECK_THAT(with(list, 1000), Equals(""));
    CHECK_THAT(with(list, 1001),
               Equals(std::string(list) + " has more than 1,000 elements, which no study has"));
  }
  for (const std::string list : {"/cells", "/limits"})
    CHECK_THAT(with(list.c_str(), 20'001),
               Equals(list + " has more than 20,000 elements, which no study has"));
  // Not one error for each of them, which takes gigabytes.
  CHECK_THAT(with("/run/efforts", 1001),
             Equals("/run/efforts has more than 1,000 elements, which no study has"));
  CHECK_THAT(
      with("/cells/0/measured/timing/processes", 1001),
      Equals(
          "/cells/0/measured/timing/processes has more than 1,000 elements, which no study has"));
  for (const char* list :
       {"/run/efforts", "/operations/0/operators", "/operations/0/usual_inputs", "/rungs/0/notes",
        "/cells/0/measured/timing/processes", "/cells/0/measured/timing/clocks/slowed_by"}) {
    INFO(list);
    CHECK_THAT(with(list, 100), Equals(""));
    CHECK_THAT(with(list, 101), StartsWith(list));
  }
  json document = full();
  document["cells"][0]["who"]["rung"] = std::string(255, 'x');
  CHECK_THAT(violation(document), Equals(""));
  document["cells"][0]["who"]["rung"] = std::string(256, 'x');
  CHECK_THAT(violation(document),
             StartsWith("/cells/0/who/rung (") && ContainsSubstring("does not fit the schema"));
  for (const char* text : {"/run/command", "/machine/cpu", "/machine/gpu/name", "/software/cublas",
                           "/software/nccl", "/rungs/0/idea", "/rungs/0/source"}) {
    document = full();
    document[json::json_pointer(text)] = std::string(10'000, '*');
    CHECK_THAT(violation(document), Equals(""));
    document[json::json_pointer(text)] = std::string(10'001, '*');
    CHECK_THAT(violation(document),
               Equals(std::string(text) + " has more than 10,000 characters, which no study has"));
  }
}

TEST_CASE(
    "what no clock, no memory and no calendar shows does not fit the schema, and no flag that "
    "nobody defines") {
  const auto with = [](const char* place, const json& value) {
    json document = full();
    document[json::json_pointer(place)] = value;
    return violation(document);
  };
  const std::string timing = "/cells/0/measured/timing";
  for (const std::string& time :
       {timing + "/time_us/min", timing + "/time_us/median", timing + "/processes/0/time_us",
        timing + "/processes/0/back_to_back_us", timing + "/back_to_back/median_us"}) {
    INFO(time);
    CHECK_THAT(with(time.c_str(), 1e-4), Equals(""));
    for (const double never : {0.0, 1e-9, 5e-324, 1e13, 1e308})
      CHECK_THAT(with(time.c_str(), never), StartsWith(time));
  }
  for (const double never : {0.0, 5e-324, 1e308}) {
    CHECK_THAT(with("/ceilings/0/bandwidth_gbps", never), StartsWith("/ceilings/0/bandwidth_gbps"));
    CHECK_THAT(with("/cells/0/measured/timing/clocks/sm_mhz_max", never), StartsWith(timing));
  }
  for (const char* date : {"2024-02-29T23:59:60Z", "2026-12-31T00:00:00Z"})
    CHECK_THAT(with("/run/date", date), Equals(""));
  for (const char* date :
       {"", "tomorrow, perhaps", "9999-99-99T99:99:99Z", "2026-02-30T00:00:00Z",
        "2026-11-31T00:00:00Z", "2026-11-22", "2026-11-22T10:00:00", "2026-11-22T10:00:00Z\n",
        "2026-11-22T10:00:00+01:00", "26-11-22T10:00:00Z"})
    CHECK_THAT(with("/run/date", date), StartsWith("/run/date ("));
  CHECK_THAT(with("/run/samples", "sha256:0"), StartsWith("/run/samples ("));
  CHECK_THAT(with("/cells/0/flags", {"fits_in_cache", "unbounded"}), Equals(""));
  CHECK_THAT(with("/cells/0/flags", {"fits_in_cache", "verified"}),
             StartsWith("/cells/0/flags/1 (\"verified\")"));
  CHECK_THAT(with("/cells/0/flags", {"fits_in_cache", "fits_in_cache"}),
             StartsWith("/cells/0/flags"));
}

TEST_CASE("a commit is a hash, or unknown") {
  const auto with = [](const std::string& commit) {
    json document = full();
    document["run"]["commit"] = commit;
    return violation(document);
  };
  for (const std::string& good :
       {std::string("unknown"), std::string(40, 'a'), std::string(64, '0')})
    CHECK_THAT(with(good), Equals(""));
  for (const std::string& bad :
       {std::string(), std::string("unknown "), std::string("main"), std::string(39, 'a'),
        std::string(41, 'a'), std::string(40, 'A'), std::string(40, 'g'),
        std::string(40, 'a') + '\n', std::string(40, 'a') + "\u202e", std::string(1'000'000, 'a')})
    CHECK_THAT(with(bad), StartsWith("/run/commit "));
}

TEST_CASE("results with every field and with none fit the schema") {
  CHECK_THAT(violation(full()), Catch::Matchers::Equals(""));
  CHECK_THAT(violation(bare()), Catch::Matchers::Equals(""));
  CHECK_THAT(violation(example()), Catch::Matchers::Equals(""));
}

TEST_CASE("a number that the schema lets through is kept") {
  const json good = full();
  const json fields = good.flatten();
  for (const auto& [place, value] : fields.items()) {
    if (!value.is_number()) continue;
    INFO(place);
    json document = good;
    document[json::json_pointer(place)] = 1ull << 33;  // more than 32 bits
    const json read_back = json::parse(document.dump());
    CHECK((!violation(read_back).empty() || json(read_back.get<Results>()) == document));
  }
}

TEST_CASE("what may be null in the model may be null in the schema, and nothing else") {
  // every object there, its optional members null; then without these
  Results hollow = full(), untimed = full(), unmeasured = full();
  hollow.machine.gpu = Gpu{};
  hollow.software = Software{};
  hollow.run.samples.reset();
  Timing timing;
  timing.processes = {{}}, timing.back_to_back = BackToBack{}, timing.clocks = Clocks{};
  hollow.cells[0].outcome = Measured{timing, Error{}, Counters{}};
  timing.back_to_back.reset(), timing.clocks.reset();
  untimed.cells[0].outcome = Measured{timing, {}, {}};
  unmeasured.cells[0].outcome = Measured{};
  const json with_all = full();
  const std::vector<json> with_null{hollow, untimed, unmeasured, bare()};
  const auto may_be_null = [&](const json::json_pointer& place) {
    json document = with_all;
    document[place] = nullptr;
    return violation(document).empty();
  };
  const std::string cell = "/cells/0", measured = cell + "/measured",
                    timing_of_it = measured + "/timing";
  for (const std::string& object : {std::string(),
                                    std::string("/run"),
                                    std::string("/run/efforts/0"),
                                    std::string("/machine"),
                                    std::string("/machine/gpu"),
                                    std::string("/machine/gpu/before"),
                                    std::string("/software"),
                                    std::string("/operations/0"),
                                    std::string("/rungs/0"),
                                    std::string("/ceilings/0"),
                                    std::string("/overheads/0"),
                                    std::string("/shard"),
                                    std::string("/merged/0"),
                                    cell,
                                    cell + "/input",
                                    cell + "/who",
                                    cell + "/how",
                                    cell + "/minimum_bytes",
                                    measured,
                                    timing_of_it,
                                    timing_of_it + "/time_us",
                                    timing_of_it + "/processes/0",
                                    timing_of_it + "/bandwidth_gbps",
                                    timing_of_it + "/ratios",
                                    timing_of_it + "/ratios/vs_first_rung",
                                    timing_of_it + "/back_to_back",
                                    timing_of_it + "/clocks",
                                    measured + "/error",
                                    measured + "/counters"}) {
    const json::json_pointer parent(object);
    for (const auto& [name, value] : with_all.at(parent).items()) {
      const auto place = parent / name;
      // a time needs these, and a pass: see file_test.cpp
      if (name == "contract" || name == "cache" || name == "measured") continue;
      INFO(place.to_string());
      const auto is_null_in = [&](const json& document) {
        return document.contains(place) && document.at(place).is_null();
      };
      CHECK(may_be_null(place) == std::any_of(with_null.begin(), with_null.end(), is_null_in));
    }
  }
}
