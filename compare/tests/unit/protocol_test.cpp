#include "compare/protocol.hpp"

#include <concepts>
#include <limits>
#include <stdexcept>

#include "compare/tests/catch.hpp"

using namespace ladder;
using namespace ladder::protocol;
using nlohmann::json;

namespace {

// No field has its default value, so that one which is lost is seen.
const ProblemSpec problem{"reduce",
                          "sum",
                          "i32",
                          std::uint64_t{1} << 40,
                          "random",
                          256,
                          std::numeric_limits<std::uint64_t>::max(),
                          3,
                          4,
                          true};

// Through text, as on the wire.
template <class Message>
json there_and_back(const Message& message) {
  return json(json::parse(json(message).dump()).get<Message>());
}

template <class Message>
std::string complaint(const json& line) {
  try {
    static_cast<void>(line.get<Message>());
  } catch (const std::invalid_argument& problem_found) {
    return problem_found.what();
  }
  return "none";
}

// How many members an aggregate has: as many as it can be initialised from.
struct Anything {
  template <class T>
  operator T() const;  // never called
};
template <class Message, class... Members>
constexpr std::size_t members() {
  if constexpr (requires { Message{Members{}..., Anything{}}; })
    return members<Message, Members..., Anything>();
  else return sizeof...(Members);
}

// A base takes one initialiser for all its members.
template <class Message>
constexpr std::size_t fields() {
  if constexpr (std::derived_from<Message, reports::Rung>)
    return members<Message>() - 1 + members<reports::Rung>();
  else return members<Message>();
}

template <class Message>
void check_each_field(const Message& message) {
  const json good = message;
  CHECK(good.size() == fields<Message>());
  CHECK(there_and_back(message) == good);
  for (const auto& [name, value] : good.items()) {
    INFO(name);
    CHECK(value != json(Message{})[name]);

    json without = good;
    without.erase(name);
    CHECK(complaint<Message>(without) == (name == "devices" || name == "process_for_each_device"
                                              ? "none"
                                              : "the field \"" + name + "\" is missing"));

    json wrong = good;
    wrong[name] = value.is_array() ? json("text") : json::array();
    CHECK(complaint<Message>(wrong).starts_with("the field \"" + name + "\": is not "));
  }
}

}  // namespace

TEST_CASE("every field of every message survives the way, and is missed by name") {
  check_each_field(problem);
  const reports::Rung rung{.operation = "reduce",
                           .provider = "thrust",
                           .rung = "thrust_host",
                           .idea = "idea",
                           .follows = "serial",
                           .step = "step",
                           .costs = "costs",
                           .limited_by = "limited by",
                           .repaired = "repaired",
                           .to_know = "to know",
                           .notes = {"N1", "N4"},
                           .source = "source",
                           .library = "Thrust 3.0.1",
                           .promise = reports::Promise::any_order,
                           .from = "kernels",
                           .file = "vendor/reduce/thrust_host.cpp"};
  check_each_field(Listing{rung,
                           "vendor/reduce/thrust_host",
                           {"sum"},
                           {"i32", "f64"},
                           {reports::Backend::host},
                           {Contract::host_result},
                           "sm_90",
                           7,
                           "why",
                           false,
                           true,
                           true,
                           true});
  check_each_field(OperationListing{"reduce", "sum", "f32", {"random", "dyadic"}, 256, 1024});
  check_each_field(VerifyRequest{problem, Contract::host_result, {"a", "b"}, 3, {0, 1, 2}});
  check_each_field(
      Answer{"a", true, "reason", 1.5, 0.1, 1e-300, false, "00ff", "f16", false, true, true});
  check_each_field(CheckRequest{problem, {"a", "b"}, {0, 7}, 8});
  check_each_field(Finding{"race", "kernel<int>", "a.cu:1", "a.cu:2", "message", "advice", 3, 4});
  check_each_field(Checked{"a",
                           true,
                           "reason",
                           {Finding{"race", {}, {}, {}, {}, {}, 1}},
                           {Finding{"remark", {}, {}, {}, {}, {}, 1}},
                           7,
                           true});
  check_each_field(MeasureRequest{
      problem, {"a"}, Contract::host_result, reports::Cache::cold, 42, 5, 10, 20, 0.125, true});
  check_each_field(Sample{"a", 0.1, 4, 5});

  MeasuredCell cell{.path = "a",
                    .verdict = reports::Verdict::pass,
                    .reason = "reason",
                    .flags = {"fits_in_cache"},
                    .minimum_bytes = {4096, 4},
                    .error = reports::Error{1.0, 2.0, 3.0, 0.5},
                    .counters = reports::Counters{},
                    .lost_counts = 7,
                    .sm_cycles = 900.0,
                    .back_to_back_us = 1.5,
                    .devices_us = {1.5, 2},
                    .clocks = reports::Clocks{1500, 1980, {"power cap"}}};
  cell.counters->barriers = 12;
  check_each_field(cell);
  CHECK(json::parse(json(cell).dump()).get<MeasuredCell>().counters->barriers == 12U);
}

TEST_CASE("the listing has the names that `ladder list --json` promises") {
  const json listing = Listing{};
  for (const char* name : {"operation", "operators", "provider", "rung", "notes", "idea", "dtypes",
                           "backends", "requires"})
    CHECK(listing.contains(name));
}

TEST_CASE(
    "a problem on one device says nothing of devices, as before there were problems over several") {
  ProblemSpec on_one = problem;
  on_one.devices = 0, on_one.process_for_each_device = false;
  for (const char* name : {"devices", "process_for_each_device"})
    CHECK_FALSE(json(on_one).contains(name));
  ProblemSpec read = problem;  // what it held is gone
  json(on_one).get_to(read);
  CHECK(read == on_one);
  CHECK(json(problem).get<ProblemSpec>() == problem);
}

TEST_CASE("what is not given stays null") {
  MeasureRequest request;
  CHECK(json(request)["contract"].is_null());
  CHECK(there_and_back(request)["contract"].is_null());
  MeasuredCell cell;
  CHECK(json(cell)["error"].is_null());
  CHECK(there_and_back(cell)["counters"].is_null());
}

TEST_CASE("numbers are taken only where they mean the same") {
  const auto with_bins = [](const json& value) {
    json line = problem;
    line["bins"] = value;
    return complaint<ProblemSpec>(line);
  };
  CHECK(with_bins(8) == "none");
  for (const json& wrong :
       {json(-1), json(1.5), json(true), json("8"), json(std::uint64_t{1} << 32), json(nullptr)})
    CHECK(with_bins(wrong) == "the field \"bins\": is not a whole number from 0 to 4294967295");
}

TEST_CASE("a word that is not on the list is refused, and the list is told") {
  const auto with = [](const char* name, const json& value) {
    json line = MeasureRequest{};
    line[name] = value;
    return complaint<MeasureRequest>(line);
  };
  CHECK(with("cache", "warm") == "none");
  CHECK(with("cache", "lukewarm") ==
        "the field \"cache\": there is no \"lukewarm\" among cold warm");
  CHECK(with("contract", "no_result") ==
        "the field \"contract\": there is no \"no_result\" among device_result host_result");
  CHECK(with("contract", 0) == "the field \"contract\": is not a string");
  json cell = MeasuredCell{};
  cell["verdict"] = "good";
  CHECK(complaint<MeasuredCell>(cell).starts_with(
      "the field \"verdict\": there is no \"good\" among pass fail "));
}

TEST_CASE("the field is named by its whole way") {
  json line = VerifyRequest{problem, Contract::device_result, {}, 1, {0}};
  line["problem"]["n"] = "many";
  CHECK(complaint<VerifyRequest>(line).starts_with(
      "the field \"problem\": the field \"n\": is not a whole number"));
}

TEST_CASE("an infinite error arrives as infinite") {
  Answer answer;
  answer.ulp_max = std::numeric_limits<double>::infinity();
  CHECK(json::parse(json(answer).dump()).get<Answer>().ulp_max ==
        std::numeric_limits<double>::infinity());
}
