// Parts of the driver that need no process: sizes, the order of the ladder, planning.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compare/driver/commands/list.hpp"
#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/plan/plan.hpp"
#include "compare/driver/study/progress.hpp"
#include "compare/driver/terminal/did_you_mean.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/exit_code.hpp"
#include "compare/driver/terminal/parse_size.hpp"
#include "compare/registry.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"

using namespace ladder;

namespace {

protocol::Listing rung(const std::string& name, const std::string& follows,
                       const std::string& provider = "handwritten") {
  protocol::Listing one;
  one.operation = "reduce";
  one.operators = {"sum", "min"};
  one.provider = provider;
  one.rung = name;
  one.path = (provider == "handwritten" ? "handwritten/reduce/" : "vendor/reduce/") + name;
  one.follows = follows;
  one.dtypes = {"i32", "f32"};
  one.contracts = {Contract::device_result, Contract::host_result};
  one.max_elements = 1'000'000'000;
  return one;
}

Backend backend_of(reports::Backend name, std::vector<protocol::Listing> rungs) {
  Backend one;
  one.name = name;
  for (auto& listing : rungs) listing.backends = {name};
  one.implementations = std::move(rungs);
  if (name == reports::Backend::host) one.contracts = {Contract::host_result};
  if (name == reports::Backend::cuda)
    one.contracts = {Contract::device_result, Contract::host_result};
  one.operations = {{.name = "reduce"}};
  for (const char* op : {"sum", "min"})
    for (const char* dtype : {"i32", "i64", "f32"})
      one.kinds.push_back({"reduce", op, dtype, {"random", "dyadic"}});
  return one;
}

std::vector<std::string> names_of(const std::vector<protocol::Listing>& rungs) {
  std::vector<std::string> names;
  for (const auto& one : rungs) names.push_back(one.rung);
  return names;
}

std::vector<std::string> sorted(std::vector<protocol::Listing> rungs) {
  return names_of(
      Catalogue{{backend_of(reports::Backend::host, std::move(rungs))}}.implementations());
}

Catalogue catalogue() {
  Backend cuda = backend_of(reports::Backend::cuda, {rung("base", ""), rung("cub", "", "cub")});
  cuda.unavailable = "no GPU";
  return {{backend_of(reports::Backend::emulated, {rung("base", ""), rung("better", "base")}),
           backend_of(reports::Backend::host, {rung("std_serial", "", "std")}), cuda}};
}

}  // namespace

TEST_CASE("sizes are read as people write them") {
  CHECK(parse_size("0") == 0);
  CHECK(parse_size("1000") == 1000);
  CHECK(parse_size("2^16") == 65536);
  CHECK(parse_size("2^40") == std::uint64_t{1} << 40);
  CHECK(parse_size("10^3") == 1000);
  CHECK(parse_size("1e6") == 1'000'000);
  CHECK(parse_size("0e9") == 0);
  CHECK(parse_size("0^0") == 1);
  CHECK(parse_size("1^18446744073709551615") == 1);
  CHECK(size_text(65536) == "2^16");
  CHECK(size_text(1000) == "1000");
  CHECK(size_text(8) == "8");
  CHECK(size_text(0) == "0");
}

TEST_CASE("what is no size is refused") {
  const std::string text =
      GENERATE("", "x", "-1", "+1", "1.5", "1.5e3", "2^", "^2", "e6", "2^-1", "1e", "1e1e1",
               "2^2^2", " 1", "1 ", "0x10", "2^41", "2^64", "1e13", "1e999999999999",
               "18446744073709551616", "18446744073709551615", "3^18446744073709551615");
  INFO(text);
  CHECK_THROWS_AS(parse_size(text), UsageError);
}

TEST_CASE("for a size that ends in thousands or millions the sentence says what to write") {
  const std::pair<const char*, const char*> refused[]{
      {"1k", "2^10 or 1e3"},         {"64K", "2^16 or 64e3"},
      {"4M", "2^22 or 4e6"},         {"3m", "3145728 or 3e6"},
      {"1g", "2^30 or 1e9"},         {"k", "1000, 2^16 or 1e6"},
      {"1.5M", "1000, 2^16 or 1e6"}, {"9999999M", "1000, 2^16 or 1e6"}};
  for (const auto& [word, meant] : refused)
    CHECK_THROWS_WITH(
        parse_size(word),
        fmt::format("--size: \"{}\" is not a number of elements; write {}", word, meant));
}

TEST_CASE("an element type of C++ is answered with the name that it has here") {
  const std::pair<const char*, const char*> refused[]{
      {"float", "did you mean f32?"},          {"int", "did you mean i32?"},
      {"long", "did you mean i64?"},           {"int64_t", "did you mean i64?"},
      {"double", "choose from i32, i64, f32"},  // these rungs have no f64
      {"half", "choose from i32, i64, f32"},   {"float16", "choose from i32, i64, f32"}};
  for (const auto& [word, sentence] : refused) {
    Selection selection;
    selection.dtypes = {word};
    CHECK_THROWS_WITH(
        validate(selection, catalogue()),
        fmt::format("--dtype: there is no element type \"{}\" here; {}", word, sentence));
  }
}

TEST_CASE("rungs stand after what they improve on, libraries after them") {
  CHECK(sorted({rung("std_serial", "", "std"), rung("c", "b"), rung("b", "a"), rung("a", "")}) ==
        std::vector<std::string>{"a", "b", "c", "std_serial"});
  CHECK(sorted({rung("z", "a"), rung("y", "a"), rung("a", ""), rung("x", "y")}) ==
        std::vector<std::string>{"a", "y", "x", "z"});
  CHECK(sorted({rung("thrust", "", "thrust"), rung("cub", "", "cub"), rung("only", "absent")}) ==
        std::vector<std::string>{"only", "cub", "thrust"});
}

TEST_CASE("rungs that improve on each other in a circle are listed all the same") {
  const auto names = sorted(
      {rung("a", "c"), rung("b", "a"), rung("c", "b"), rung("own", "own"), rung("first", "")});
  CHECK(names.front() == "first");
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == 5);
}

TEST_CASE(
    "operations stand by the place that they say they have, each once, and their rungs with them") {
  protocol::Listing scan = rung("of_scan", ""), reduce = rung("of_reduce", "");
  scan.operation = "scan";
  Catalogue all{{backend_of(reports::Backend::emulated, {scan, reduce}),
                 backend_of(reports::Backend::host, {scan})}};
  for (Backend& one : all.backends)
    one.operations = {{.name = "scan", .place = 20}, {.name = "reduce", .place = 10}};
  const auto operations = all.operations();
  REQUIRE(operations.size() == 2);
  CHECK(operations[0].name == "reduce");
  CHECK(operations[1].name == "scan");
  CHECK(names_of(all.implementations()) == std::vector<std::string>{"of_reduce", "of_scan"});
}

TEST_CASE("one entry for an implementation that several backends list, only those that run count") {
  const auto all = catalogue().implementations();
  REQUIRE(all.size() == 4);
  CHECK(all[0].rung == "base");
  CHECK(all[0].backends == std::vector{reports::Backend::emulated});
  CHECK(all[2].rung == "cub");
  CHECK(all[2].backends.empty());
}

TEST_CASE("the plan takes from the user what the user chose, and the rest from the preset") {
  Selection selection;
  selection.operators = {"min"};
  selection.sizes = {500, 700, 500};
  selection.dtypes = {"i32"};
  const Plan plan = make_plan(selection, catalogue());
  std::size_t emulated = 0, host = 0;
  for (const Group& group : plan.groups) {
    CHECK(group.problem.op == "min");
    CHECK(group.problem.dtype == "i32");
    CHECK(group.problem.distribution == "random");
    CHECK(group.problem.bins == 0);
    CHECK((group.problem.n == 500 || group.problem.n == 700));
    CHECK(group.timed() == (group.backend == reports::Backend::host));
    (group.timed() ? host : emulated) += 1;
  }
  CHECK(emulated == 2);
  CHECK(host == 4);  // cold and warm
}

namespace {

// A GPU with a rung of each note, one of our own and a library, for every operation.
Catalogue of_notes() {
  Backend cuda;
  cuda.name = reports::Backend::cuda;
  cuda.contracts = {Contract::device_result, Contract::host_result};
  for (const char* operation :
       {"reduce", "sum_of_cubes", "inclusive_scan", "exclusive_scan", "histogram", "dot"}) {
    cuda.operations.push_back({.name = operation});
    const bool has_bins = std::string(operation) == "histogram";
    const bool by_sum =
        std::string(operation) == "reduce" || std::string(operation).ends_with("scan");
    for (const char* name : {"N1", "N2", "N3", "N4", "N5", "own", "cub"}) {
      protocol::Listing one = rung(name, "", std::string(name) == "cub" ? "cub" : "handwritten");
      one.operation = operation, one.dtypes = {"i32", "i64", "f32", "f64"};
      if (one.rung == "N4") one.notes = {"N1", "N4"};
      else if (one.rung.starts_with('N')) one.notes = {one.rung};
      cuda.implementations.push_back(one);
    }
    for (const char* dtype : {"i32", "i64", "f32", "f64"})
      cuda.kinds.push_back({operation,
                            by_sum ? "sum" : "",
                            dtype,
                            {"usual", "ill_conditioned", "uniform"},
                            has_bins ? 256U : 0U,
                            has_bins ? 65'536U : 0U});
    if (operation == std::string("reduce")) cuda.kinds[0].distributions.emplace_back("glibc_bytes");
  }
  return {{cuda}};
}

Selection notes() {
  Selection selection;
  selection.preset = "notes";
  return selection;
}

std::string in_short(const Group& group) {
  std::string text = group.problem.operation + ' ' + group.problem.dtype + ' ' +
                     size_text(group.problem.n) + ' ' + group.problem.distribution;
  if (group.problem.bins > 0) text += ' ' + std::to_string(group.problem.bins);
  text += ':';
  for (const auto& one : group.rungs) text += ' ' + one.rung;
  return text;
}

}  // namespace

TEST_CASE(
    "the preset of the notes: each note's input, its rungs, and the libraries, of scans every "
    "rung") {
  std::set<std::string> planned;
  for (const Group& group : make_plan(notes(), of_notes()).groups) {
    CHECK(group.contract == Contract::device_result);
    CHECK(group.cache == reports::Cache::cold);
    planned.insert(in_short(group));
  }
  CHECK(planned ==
        std::set<std::string>{
            "reduce i32 2^28 glibc_bytes: N1 N4 cub", "sum_of_cubes i32 2^20 usual: N2 cub",
            "reduce f32 2^20 usual: N3 cub", "inclusive_scan f32 512 usual: N1 N2 N3 N4 N5 own cub",
            "inclusive_scan f32 2^20 usual: N1 N2 N3 N4 N5 own cub",
            "exclusive_scan f32 512 usual: N1 N2 N3 N4 N5 own cub",
            "exclusive_scan f32 2^20 usual: N1 N2 N3 N4 N5 own cub",
            "histogram i32 2^20 usual 10: N3 cub", "histogram i32 2^20 usual 65536: N3 cub",
            "reduce i32 2^24 glibc_bytes: N4 cub", "dot f32 2^24 uniform: N5 cub",
            "dot f32 2^24 ill_conditioned: N5 cub", "dot f64 2^24 uniform: N5 cub",
            "dot f64 2^24 ill_conditioned: N5 cub"});
}

TEST_CASE(
    "what the user chose goes before what a note has, a distribution that the choice does not "
    "have, after the usual one") {
  Selection selection = notes();
  selection.dtypes = {"i64"};
  selection.sizes = {1000};
  selection.bins = {3};
  std::set<std::string> planned;
  for (const Group& group : make_plan(selection, of_notes()).groups)
    planned.insert(in_short(group));
  CHECK(planned.contains("reduce i64 1000 usual: N1 N3 N4 cub"));  // three rows ask for it
  CHECK(planned.contains("histogram i64 1000 usual 3: N3 cub"));
  CHECK(planned.contains("dot i64 1000 ill_conditioned: N5 cub"));
  selection.distributions = {"usual"};
  for (const Group& group : make_plan(selection, of_notes()).groups)
    CHECK(group.problem.distribution == "usual");
}

TEST_CASE("no more bins are planned than a type has values") {
  Catalogue all = of_notes();
  for (auto& one : all.backends[0].implementations) one.dtypes.emplace_back("u8");
  all.backends[0].kinds.push_back({"histogram", "", "u8", {"usual"}, 256, 256});
  Selection selection = notes();
  selection.operations = {"histogram"};
  selection.dtypes = {"i32", "u8"};
  std::set<std::string> planned;
  for (const Group& group : make_plan(selection, all).groups) planned.insert(in_short(group));
  CHECK(planned == std::set<std::string>{"histogram i32 2^20 usual 10: N3 cub",
                                         "histogram i32 2^20 usual 65536: N3 cub",
                                         "histogram u8 2^20 usual 10: N3 cub"});
}

TEST_CASE(
    "where the backend measures it, the limit competes for each time until the result is there") {
  Catalogue all = catalogue();
  all.backends[2].unavailable.clear();
  Selection selection;
  selection.backends = {"cuda"};
  std::size_t limits = 0;
  for (const bool measures : {false, true}) {
    all.backends[2].has_limit = measures;
    for (const Group& group : make_plan(selection, all).groups) {
      const auto is_one = [](const protocol::Listing& rung) { return is_limit(rung.path); };
      const bool is_due = measures && group.contract == Contract::device_result;
      CHECK(std::ranges::count_if(group.rungs, is_one) == (is_due ? 1 : 0));
      if (!is_due) continue;
      CHECK(group.rungs.back().path ==
            limit_path(all.backends[2].operation(group.problem.operation)));
      CHECK(group.rungs.back().provider == "limit");
      ++limits;
    }
  }
  CHECK(limits > 0);
}

TEST_CASE("a rung that does not offer a contract is skipped there, and runs under the other") {
  Catalogue all = catalogue();
  all.backends[2].unavailable.clear();
  all.backends[2].implementations[0].contracts = {Contract::host_result};
  Selection selection;
  selection.backends = {"cuda"};
  std::set<Contract> met;
  for (const Group& group : make_plan(selection, all).groups) {
    if (group.problem.dtype == "i64") continue;  // neither is written for it
    met.insert(*group.contract);
    const bool is_device = group.contract == Contract::device_result;
    CHECK(group.rungs.size() == (is_device ? 1U : 2U));
    REQUIRE(group.skipped.size() == (is_device ? 1U : 0U));
    if (is_device) CHECK(group.skipped[0].rung.rung == "base");
    if (is_device) CHECK(group.skipped[0].reason == "it has no device_result");
  }
  CHECK(met.size() == 2);
}

namespace {

// "device_result cold", .. of all that is planned for this.
std::set<std::string> timings(const Plan& plan, const std::string& operation, const std::string& op,
                              const char* size) {
  std::set<std::string> found;
  for (const Group& group : plan.groups) {
    const ProblemSpec& p = group.problem;
    if (p.operation == operation && p.op == op && size_text(p.n) == size)
      found.insert(fmt::format("{} {}", name_of(*group.contract), name_of(*group.cache)));
  }
  return found;
}

}  // namespace

TEST_CASE(
    "a row of a preset holds to its operations, contracts and caches, unless the user chose "
    "others") {
  using Timings = std::set<std::string>;
  Catalogue all = of_notes();
  all.backends[0].kinds.push_back({"reduce", "min", "i32", {"usual"}});
  const Plan quick = make_plan({}, all);
  CHECK(timings(quick, "reduce", "sum", "2^20") == Timings{"device_result cold",
                                                           "device_result warm", "host_result cold",
                                                           "host_result warm"});
  CHECK(timings(quick, "reduce", "sum", "2^28") == Timings{"device_result cold"});
  CHECK(timings(quick, "reduce", "min", "2^24") == Timings{"device_result cold"});
  CHECK(timings(quick, "dot", "", "2^24") == Timings{"device_result cold"});
  CHECK(timings(quick, "reduce", "sum", "2^24").empty());  // a size of the other operations
  CHECK(timings(quick, "dot", "", "2^20").empty());
  CHECK(timings(quick, "dot", "", "2^28").empty());

  Selection chosen;
  chosen.contracts = {"host_result"}, chosen.caches = {"warm"};
  CHECK(timings(make_plan(chosen, all), "dot", "", "2^24") == Timings{"host_result warm"});
  CHECK(timings(make_plan(chosen, all), "reduce", "sum", "2^28") == Timings{"host_result warm"});

  PresetRow any{}, dot{}, but_dot{};
  dot.only = but_dot.except = "dot";
  CHECK((any.takes("dot") && dot.takes("dot") && !but_dot.takes("dot")));
  CHECK((any.takes("reduce") && !dot.takes("reduce") && but_dot.takes("reduce")));
}

TEST_CASE("the bytes of a group follow from what its operation declares, whatever its name") {
  Backend backend;
  backend.operations = {{.name = "first", .inputs = 2},
                        {.name = "second", .output = reports::Output::one_per_element},
                        {.name = "not_a_scan"}};
  const auto bytes = [&](const char* operation, const char* dtype) {
    return new_group(backend, {operation, "", dtype, 1000, "uniform"}, {}, {}).bytes;
  };
  CHECK(bytes("first", "i32") == 8004);
  CHECK(bytes("second", "f64") == 16'000);
  CHECK(bytes("not_a_scan", "u8") == 1001);
  CHECK_THROWS_WITH(bytes("third", "i32"), "it does not declare the operation third");
}

TEST_CASE("every preset is known by its name, and another is none") {
  std::set<const std::vector<PresetRow>*> all;
  for (const char* name : preset_names) CHECK(all.insert(&preset(name)).second);
  CHECK(&preset(preset_names[0]) == &preset(Selection().preset));
}

TEST_CASE("no comparison is planned twice, and every group holds all that compete") {
  const Plan plan = make_plan({}, catalogue());
  std::set<std::string> seen;
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    auto request = nlohmann::json(plan.request(g, 0, {}));
    request.erase("order_seed");
    CHECK(seen.insert(std::string(name_of(plan.groups[g].backend)) + request.dump()).second);
    CHECK(plan.groups[g].rungs.size() + plan.groups[g].skipped.size() ==
          (plan.groups[g].backend == reports::Backend::emulated ? 2U : 1U));
  }
}

TEST_CASE("a rung has rows of what it is written for, and of the rest only where it is named") {
  Catalogue all = catalogue();
  all.backends[0].implementations[1].dtypes = {"i64"};
  Selection selection;
  selection.backends = {"emulated"};
  selection.sizes = {100};
  selection.dtypes = {"i32", "i64"};
  for (const bool is_named : {false, true}) {
    if (is_named) selection.rungs = {"base", "better"};
    std::map<std::string, std::vector<std::size_t>> rows;  // run, skipped
    for (const Group& group : make_plan(selection, all).groups)
      rows[group.problem.dtype] = {group.rungs.size(), group.skipped.size()};
    const std::size_t skipped = is_named ? 1 : 0;
    CHECK(rows == decltype(rows){{"i32", {1, skipped}}, {"i64", {1, skipped}}});
  }
}

TEST_CASE("a rung that cannot take an input stays in the plan as skipped") {
  Catalogue all = catalogue();
  all.backends[0].implementations[1].max_elements = 100;
  all.backends[0].implementations[1].max_reason = "its counter is small";
  Selection selection;
  selection.backends = {"emulated"};
  selection.sizes = {100, 101};
  selection.dtypes = {"i32", "i64"};
  for (const auto& rung : all.backends[0].implementations) selection.rungs.push_back(rung.rung);
  for (const Group& group : make_plan(selection, all).groups) {
    INFO(group.problem.dtype << ' ' << group.problem.n);
    if (group.problem.dtype == "i64") {
      REQUIRE(group.skipped.size() == 2);
      CHECK(group.skipped[0].reason == "not written for i64");
    } else {
      REQUIRE(group.skipped.size() == (group.problem.n == 101 ? 1U : 0U));
      if (!group.skipped.empty())
        CHECK(group.skipped[0].reason == "takes at most 100 elements: its counter is small");
    }
  }
}

TEST_CASE("what fits nothing that runs here is refused") {
  Selection selection;
  selection.rungs = {"std_serial"};
  selection.backends = {"emulated"};
  CHECK_THROWS_AS(make_plan(selection, catalogue()), UsageError);
}

TEST_CASE("a plan of more rows than a result set holds is refused before anything runs") {
  Selection choice;
  choice.backends = {"emulated"}, choice.operators = {"sum"}, choice.dtypes = {"i32"},
  choice.distributions = {"random"};
  for (std::uint64_t n = 1; n <= 10'000; ++n) choice.sizes.push_back(n);  // of two rungs
  CHECK(make_plan(choice, catalogue()).groups.size() == 10'000);
  choice.sizes.push_back(10'001);
  CHECK_THROWS_WITH(make_plan(choice, catalogue()),
                    "these options make 20,002 rows, and a result set holds 20,000 at most; choose "
                    "fewer sizes, types or operators");
}

TEST_CASE("memory that runs out is one sentence and exit code 2, no mistake of the program") {
  CHECK(exit_code_of([]() -> int { throw std::bad_alloc(); }) == 2);
  CHECK(exit_code_of([]() -> int { throw std::logic_error("broken"); }) == 1);

  const pid_t child = fork();
  if (child == 0) {
    const std::function<void()> out_of_memory = [] { throw std::bad_alloc(); };
    const auto destructor = [&]() noexcept { out_of_memory(); };
    exit_code_of([&] {
      destructor();
      return 0;
    });
    _exit(1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 2));
}

TEST_CASE("a choice of timing leaves out what is not timed") {
  Selection selection;
  selection.caches = {"warm"};
  for (const Group& group : make_plan(selection, catalogue()).groups) {
    CHECK(group.backend == reports::Backend::host);
    CHECK(group.cache == reports::Cache::warm);
  }
}

TEST_CASE("the order of competitors differs between groups and processes, and follows the seed") {
  Selection selection;
  const Plan plan = make_plan(selection, catalogue());
  selection.seed = 2;
  const Plan other = make_plan(selection, catalogue());
  CHECK(plan.request(0, 0, {}).order_seed ==
        make_plan({}, catalogue()).request(0, 0, {}).order_seed);
  CHECK(plan.request(0, 0, {}).order_seed != plan.request(0, 1, {}).order_seed);
  CHECK(plan.request(0, 0, {}).order_seed != plan.request(1, 0, {}).order_seed);
  CHECK(plan.request(0, 0, {}).order_seed != other.request(0, 0, {}).order_seed);
  CHECK(other.request(0, 0, {}).problem.seed == 2);
  CHECK(plan.identity() != other.identity());
  CHECK(plan.identity() == make_plan({}, catalogue()).identity());
}

TEST_CASE("sizes stand between commas, and a number that is grouped by commas is refused") {
  using Sizes = std::vector<std::uint64_t>;
  CHECK(parse_sizes({"1000,2^16", "1e6"}) == Sizes{1000, 65'536, 1'000'000});
  CHECK(parse_sizes({"128,256,512"}) == Sizes{128, 256, 512});
  CHECK(parse_sizes({"100,200"}) == Sizes{100, 200});
  CHECK(parse_sizes({"0,1,7"}) == Sizes{0, 1, 7});
  CHECK(parse_sizes({"1,0"}) == Sizes{1, 0});
  const std::pair<const char*, const char*> refused[]{{"1,000", "1000"},
                                                      {"10,007", "10007"},
                                                      {"65,536", "65536"},
                                                      {"1,048,576", "1048576"},
                                                      {"1,234,056", "1234056"}};
  for (const auto& [word, meant] : refused)
    CHECK_THROWS_WITH(
        parse_sizes({word}),
        fmt::format("--size: a comma separates two sizes; for \"{}\" write {}", word, meant));
  for (const char* word : {"", ",", "1000,", ",1000", "1,,2", "1,010,7", "1,0000"})
    CHECK_THROWS_AS(parse_sizes({word}), UsageError);
}

TEST_CASE("the name that was meant is the nearest one, where one is near") {
  const std::vector<std::string> names{"sum", "min", "complete_unroll_warps8", "interleaved"};
  CHECK(instead_of("sun", names) == "did you mean sum?");
  CHECK(instead_of("usm", names) == "did you mean sum?");
  CHECK(instead_of("su", names) == "did you mean sum?");
  CHECK(instead_of("interleved", names) == "did you mean interleaved?");
  CHECK(instead_of("complte_unrol_warp8", names) == "did you mean complete_unroll_warps8?");
  for (const std::string& far :
       {std::string(), std::string("fun!"), std::string("left"), std::string(1'000'000, 'x')})
    CHECK(instead_of(far, names) == "choose from sum, min, complete_unroll_warps8, interleaved");
  for (const char* pattern : {"interleved*", "*lved", "i*leved", "???erleved"})
    CHECK(instead_of(pattern, names) == "did you mean interleaved?");
  for (const char* far : {"x*", "?x", "sx*", "in?", "*", "??"})
    CHECK(instead_of(far, names).starts_with("choose from"));
  CHECK(instead_of("warps", names) == "did you mean complete_unroll_warps8?");
  CHECK(instead_of("scan", {"reduce", "inclusive_scan", "exclusive_scan"}) ==
        "did you mean inclusive_scan or exclusive_scan?");
  CHECK(instead_of("x", {}) == "there is none to choose from");
}

TEST_CASE("of many names the nearest are listed, and what lists all") {
  std::vector<std::string> names;
  for (char c = 'a'; c < 'm'; ++c) names.push_back(std::string(3, c) + "_first");
  CHECK(instead_of("zzz", names).starts_with("choose from aaa_first, bbb_first, "));
  names.emplace_back("warp_any");
  for (const char* name : {"a_warp", "b_warp", "c_warp"}) names.emplace_back(name);
  CHECK(instead_of("warp", names) ==
        "the nearest of 16 are warp_any, a_warp, b_warp, c_warp, aaa_first; ./ladder list shows "
        "all");
  CHECK(instead_of(std::string(1'000'000, 'x'), names, "its file") ==
        "the nearest of 16 are aaa_first, bbb_first, ccc_first, ddd_first, eee_first; its file "
        "shows all");
}

TEST_CASE(
    "a pattern stands for the names that it matches, and a rung goes by its operation, its "
    "provider and its file too") {
  protocol::Listing scan = rung("waves", "");
  scan.operation = "inclusive_scan";
  scan.path = "handwritten/scan/waves";
  const Catalogue all{
      {backend_of(reports::Backend::emulated,
                  {rung("base", ""), rung("better", "base"), rung("waves", ""), scan}),
       backend_of(reports::Backend::host, {rung("std_serial", "", "std")})}};
  const auto rungs = [&](const std::vector<std::string>& words) {
    Selection selection;
    selection.rungs = words;
    validate(selection, all);
    return std::set<std::string>(selection.rungs.begin(), selection.rungs.end());
  };
  using Rungs = std::set<std::string>;
  const std::string base = "handwritten/reduce/base", better = "handwritten/reduce/better",
                    waves = "handwritten/reduce/waves",
                    scan_waves = "handwritten/inclusive_scan/waves",
                    serial = "std/reduce/std_serial";
  CHECK(rungs({}).empty());
  CHECK(rungs({"waves"}) == Rungs{waves, scan_waves});  // a name, as before
  CHECK(rungs({"b*"}) == Rungs{base, better});
  CHECK(rungs({"b?se", "*[rt]"}) == Rungs{base, better});
  CHECK(rungs({"[!bs]*"}) == Rungs{waves, scan_waves});
  CHECK(rungs({"*"}) == Rungs{base, better, waves, scan_waves, serial});
  CHECK(rungs({"reduce/*"}) == Rungs{base, better, waves, serial});
  CHECK(rungs({"reduce/waves"}) == Rungs{waves});
  CHECK(rungs({"handwritten/scan/w*"}) == Rungs{scan_waves});
  CHECK(rungs({"handwritten/*"}) == Rungs{base, better, waves, scan_waves});
  CHECK(rungs({"vendor/*"}) == Rungs{serial});
  CHECK(rungs({"std/*"}) == Rungs{serial});
  CHECK(rungs({"*/b*"}) == Rungs{base, better});
  const auto refused = [&](const char* word, const char* sentence) {
    CHECK_THROWS_WITH(rungs({"base", word}),
                      fmt::format("--rung: there is no rung \"{}\" here; {}", word, sentence));
  };
  // without a slash: of a name alone
  refused("*reduce*", "choose from base, better, waves, std_serial");
  refused("wave", "did you mean waves?");
  refused("wavs*", "did you mean waves?");
  refused("redcue/bet*", "did you mean reduce/better?");
  refused("handwriten/reduce/*", "did you mean handwritten/reduce/base?");
  refused("wave\\s", "did you mean waves?");
  refused("BASE", "choose from base, better, waves, std_serial");

  Selection selection;
  selection.operations = {"red*"}, selection.operators = {"m??"}, selection.dtypes = {"i*"},
  selection.distributions = {"dy*"};
  selection.providers = {"hand*"}, selection.backends = {"*"}, selection.contracts = {"host*"},
  selection.caches = {"[cw]*"};
  validate(selection, all);
  CHECK(selection.operations == std::vector<std::string>{"reduce"});
  CHECK(selection.operators == std::vector<std::string>{"min"});
  CHECK(selection.dtypes == std::vector<std::string>{"i32", "i64"});
  CHECK(selection.distributions == std::vector<std::string>{"dyadic"});
  CHECK(selection.providers == std::vector<std::string>{"handwritten"});
  CHECK(selection.backends == std::vector<std::string>{"emulated", "host"});
  CHECK(selection.contracts == std::vector<std::string>{"host_result"});
  CHECK(selection.caches == std::vector<std::string>{"cold", "warm"});

  selection = {};
  selection.rungs = {"reduce/waves"}, selection.dtypes = {"i32"};
  validate(selection, all);
  for (const Group& group : make_plan(selection, all).groups)
    CHECK(names_of(group.rungs) == std::vector<std::string>{"waves"});
}

TEST_CASE("a backend that does not run here is refused by its name, and left out of a pattern") {
  const Catalogue all = catalogue();
  Selection selection;
  selection.backends = {"*"};
  validate(selection, all);
  CHECK(selection.backends == std::vector<std::string>{"emulated", "host"});
  selection.backends = {"cuda"};
  CHECK_THROWS_WITH(validate(selection, all), "--backend: cuda does not run here: no GPU");
}

TEST_CASE("a listing of long ideas is not wider than a terminal") {
  Catalogue all = catalogue();
  all.backends[0].implementations[1].idea =
      "As many words as it takes to be wider than a terminal of eighty columns, which a student "
      "may well have.";
  all.backends[0].operations.push_back({.name = "reduce", .operators = {"sum", "min"}});
  all.backends[0].implementations[1].notes = {"N1", "N3", "N4"};
  all.backends[0].kinds.push_back({"reduce", "sum", "f16", {"uniform"}});
  const std::string text = listing_text(all);
  INFO(text);
  CHECK(widest_line(text) <= 80);
  CHECK(contains(text,
                 "\n  better      handwritten  N1 N3 N4  emulated\n"
                 "      As many words as it takes to be wider than a terminal of eighty columns,\n "
                 "     which a student may well have.\n"
                 "      of i32, f32\n"
                 "  cub         cub                    not here: needs cuda\n"));
  CHECK(contains(text, "reduce of i32, i64, f32 by sum, min; of f16 by sum\n"));
  CHECK(contains(text, "  cuda      does not run here: no GPU\n"));
}

TEST_CASE("choices that no operation takes together are refused by a sentence") {
  Catalogue all = catalogue();
  all.backends[0].kinds.push_back({"dot", "", "f32", {"ill_conditioned"}});
  all.backends[0].kinds.push_back({"histogram", "", "i32", {"zipf"}, 256, 65'536});
  all.backends[0].operations.push_back(
      {.name = "histogram", .usual_bins = 256, .most_bins = 65'536});
  const auto refused = [&](const std::function<void(Selection&)>& choose,
                           const std::string& sentence) {
    Selection selection;
    choose(selection);
    CHECK_THROWS_WITH(validate(selection, all), Catch::Matchers::ContainsSubstring(sentence));
  };
  refused(
      [](Selection& s) {
        s.operations = {"reduce", "dot"}, s.operators = {"sum"};
      },
      "--operator: dot has none");
  refused([](Selection& s) { s.operations = {"dot"}, s.distributions = {"zipf"}; },
          "--distribution: there is no distribution \"zipf\" here; choose from ill_conditioned");
  refused([](Selection& s) { s.operations = {"histogram"}, s.bins = {65'537}; },
          "--bins: histogram has 1 to 65536 bins, not 65537");
  refused([](Selection& s) { s.operations = {"histogram"}, s.bins = {0}; }, "not 0");
  refused(
      [](Selection& s) {
        s.offsets = {63, 64};
      },
      "--offset: an array is displaced by 0 to 63 elements, not 64");
  Selection good;
  good.operations = {"histogram"}, good.bins = {65'536}, good.distributions = {"zipf"};
  validate(good, all);
}

TEST_CASE("the time left is that of the plan at first, and then goes by what was done") {
  // a resumed run starts its workers first: by its first work alone, it would take a day
  CHECK(seconds_left(2, 0.01, 600) < 800);
  CHECK(seconds_left(100, 100, 600) == Approx(600));
  CHECK(seconds_left(1000, 500, 600) == Approx(1200).epsilon(0.02));
}
