// From records to cells: verdicts, times, bandwidths and ratios.
#include "compare/driver/results/assemble.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/model/json.hpp"

using namespace ladder;

namespace {

protocol::Listing rung_on_ladder(const std::string& name, const std::string& follows,
                                 const std::string& provider = "handwritten") {
  protocol::Listing one;
  one.operation = "reduce";
  one.provider = provider;
  one.path = one.rung = name;
  one.follows = follows;
  return one;
}

protocol::MeasuredCell judged(reports::Verdict verdict) {
  protocol::MeasuredCell cell;
  cell.verdict = verdict;
  if (verdict != reports::Verdict::pass) cell.reason = "of straw";
  return cell;
}

// One group of a fake study, with what its processes measured.
class Bench {
 public:
  explicit Bench(unsigned processes, reports::Cache cache = reports::Cache::cold,
                 reports::Backend backend = reports::Backend::host) {
    using reports::Access, reports::Memory;
    Group group;
    group.backend = backend;
    group.problem = {
        .operation = "reduce", .op = "sum", .dtype = "i32", .n = 1000, .distribution = "random"};
    group.contract = Contract::host_result;
    group.cache = cache;
    group.effort.processes = processes, group.effort.max_samples = 300;
    group.rungs = {rung_on_ladder("first", ""), rung_on_ladder("second", "first"),
                   rung_on_ladder("third", "second"), rung_on_ladder("lib_a", "", "std"),
                   rung_on_ladder("lib_b", "", "thrust")};
    protocol::Listing limit = rung_on_ladder("read", "", "limit");
    limit.path = "limit/reduce/read";
    group.rungs.push_back(limit);
    group.skipped = {{rung_on_ladder("none", "first"), "not for this"}};
    plan_.groups = {group};
    record_.emplace(plan_, journal_);
    record_->add(event::Limits{backend,
                               {{backend, Access::read, Memory::dram, 1, 2},
                                {backend, Access::read, Memory::cache, 1, 8},
                                {backend, Access::copy, Memory::dram, 1, 1}},
                               {{backend, Contract::host_result, "no kernel", 0.5}}});
    Backend& its = catalogue_.backends.emplace_back();
    its.name = backend;
    its.operations = {{.name = "scan", .output = reports::Output::one_per_element},
                      {.name = "reduce", .place = 1, .operators = {"sum"}}};
  }

  // The machine has a GPU of this bandwidth by its datasheet.
  void set_gpu(double gbps) {
    reports::Gpu gpu;
    gpu.datasheet_gbps = gbps;
    catalogue_.backends[0].machine = reports::Machine{"A CPU", 1, 1, 1, gpu};
    catalogue_.backends[0].software = reports::Software{};
  }

  void set_last_level_cache(std::uint64_t bytes) {
    catalogue_.backends[0].machine = reports::Machine{"A CPU", 1, 1, bytes, {}};
    catalogue_.backends[0].software = reports::Software{};
  }

  void measured(unsigned process, const std::string& path, const std::vector<double>& times,
                protocol::MeasuredCell cell = judged(reports::Verdict::pass)) {
    for (const double us : times)
      record_->add(event::Sampled{0, process, {path, us, taken_[process]++, process}});
    cell.path = path;
    cell.minimum_bytes = {3000, 1000};
    cell.error = reports::Error{3, 1e-7, 0.5, 0.125};
    record_->add(event::Measured{0, process, cell});
  }
  void lost(const std::string& path, reports::Verdict verdict, const std::string& reason) {
    record_->add(event::Lost{0, path, verdict, reason});
  }
  void done(unsigned process) { record_->add(event::Done{0, process}); }

  reports::Results results() const { return assemble(catalogue_, *record_, {}); }
  std::map<std::string, reports::Cell> cells() const {
    std::map<std::string, reports::Cell> found;
    for (const auto& cell : results().cells) found[cell.who.rung] = cell;
    return found;
  }

 private:
  Workshop workshop_;
  Plan plan_;
  Journal journal_{workshop_.results(), {{"identity", 1}}, Journal::Mode::fresh};
  std::optional<Record> record_;
  std::map<unsigned, unsigned> taken_;  // samples, by process
  Catalogue catalogue_;
};

const reports::Ratios& ratios_of(const std::map<std::string, reports::Cell>& cells,
                                 const char* rung) {
  REQUIRE(cells.at(rung).timing() != nullptr);
  return cells.at(rung).timing()->ratios;
}

std::vector<std::string> names_of(const std::vector<reports::Cell>& cells) {
  std::vector<std::string> names;
  for (const auto& cell : cells) names.push_back(cell.who.rung);
  return names;
}

}  // namespace

TEST_CASE("the headline is the median of process medians, the rest is of all samples") {
  Bench bench(3);
  bench.measured(0, "first", {1, 2, 9});
  bench.measured(1, "first", {3, 3, 3});
  bench.measured(2, "first", {7, 8, 8});
  for (const unsigned p : {0U, 1U, 2U}) bench.done(p);
  const auto cell = bench.cells().at("first");
  REQUIRE(cell.timing() != nullptr);
  const reports::Timing& timing = *cell.timing();
  CHECK(timing.time_us.median == Approx(3));
  CHECK(timing.time_us.ci95_low < 3);
  CHECK(timing.time_us.ci95_high > 8);  // three processes as far apart as these say little
  CHECK(timing.time_us.min == 1);
  CHECK(timing.time_us.p25 == 3);
  CHECK(timing.time_us.max == 9);
  CHECK(timing.time_us.samples == 9);
  REQUIRE(timing.processes.size() == 3);
  for (const unsigned p : {0U, 1U, 2U}) {
    CHECK(timing.processes[p].process == p);
    CHECK(timing.processes[p].time_us == (p == 0 ? 2 : p == 1 ? 3 : 8));
  }
  CHECK(timing.bandwidth_gbps.median == Approx(4000 / 3.0 / 1000));
  CHECK(timing.bandwidth_gbps.ci95_low == Approx(4 / timing.time_us.ci95_high));
  CHECK(timing.bandwidth_gbps.ci95_high == Approx(4 / timing.time_us.ci95_low));
  CHECK(timing.percent_of_ceiling.value() == Approx(100 * (4 / 3.0) / 2));
}

TEST_CASE("the limit of an input stands apart from the rows, which have their shares of it") {
  Bench bench(2);
  for (const unsigned process : {0U, 1U}) {
    bench.measured(process, "first", {10, 10, 10});
    bench.measured(process, "limit/reduce/read", {8, 8, 8});
    bench.done(process);
  }
  const reports::Results results = bench.results();
  REQUIRE(results.limits.size() == 1);
  CHECK(results.limits[0].who == reports::Who{"limit", "read"});
  CHECK(results.limits[0].timing()->time_us.median == 8);
  CHECK(names_of(results.cells) == std::vector<std::string>{"first", "none"});
  CHECK(results.cells[0].timing()->ratios.vs_limit->value == Approx(0.8));
  CHECK(std::ranges::count(results.rungs, "limit", &reports::Rung::provider) == 0);
}

TEST_CASE("clock cycles are the median of what the processes found, and only of a right answer") {
  Bench bench(3);
  for (const unsigned p : {0U, 1U, 2U}) {
    auto right = judged(reports::Verdict::pass), wrong = judged(reports::Verdict::fail);
    right.sm_cycles = 10.0 * (p + 1), wrong.sm_cycles = 10;
    bench.measured(p, "first", {1}, right);
    bench.measured(p, "second", {1}, wrong);
    bench.measured(p, "third", {1});
    bench.done(p);
  }
  const auto cells = bench.cells();
  CHECK(cells.at("first").timing()->sm_cycles == 20.0);
  CHECK(cells.at("second").timing() == nullptr);
  CHECK(!cells.at("third").timing()->sm_cycles);
}

TEST_CASE(
    "the time back to back is the median of the processes', and the clocks are those of all of "
    "them") {
  Bench bench(3);
  for (const unsigned p : {0U, 1U, 2U}) {
    auto right = judged(reports::Verdict::pass);
    right.back_to_back_us = 1.5 + p;
    right.clocks = reports::Clocks{1900.0 + p, 1950.0 + p, {p == 1 ? "power cap" : "power brake"}};
    auto wrong = right;
    wrong.verdict = reports::Verdict::fail, wrong.reason = "of straw";
    bench.measured(p, "first", {1}, right);
    bench.measured(p, "second", {1}, wrong);
    bench.measured(p, "third", {1});
    bench.done(p);
  }
  const auto cells = bench.cells();
  const reports::Timing& first = *cells.at("first").timing();
  CHECK(first.back_to_back.value().median_us == 2.5);
  CHECK(first.processes.at(2).back_to_back_us == 3.5);
  REQUIRE(first.clocks);
  CHECK(first.clocks->sm_mhz_min == 1900);
  CHECK(first.clocks->sm_mhz_max == 1952);
  CHECK(first.clocks->slowed_by == std::vector<std::string>{"power brake", "power cap"});
  CHECK(cells.at("second").timing() == nullptr);
  CHECK(!cells.at("third").timing()->clocks);
  CHECK(!cells.at("third").timing()->back_to_back);
}

TEST_CASE("a single process has the interval of its own samples, and no ratio") {
  Bench bench(1);
  bench.measured(0, "first", {5, 1, 2, 3, 4});
  bench.measured(0, "second", {1, 1, 1});
  bench.measured(0, "lib_a", {1, 1, 1});
  bench.done(0);
  const auto cells = bench.cells();
  CHECK(cells.at("first").timing()->time_us.median == 3);
  CHECK(cells.at("first").timing()->time_us.ci95_low == 1);
  CHECK(cells.at("first").timing()->time_us.ci95_high == 5);
  CHECK(!ratios_of(cells, "second").vs_first_rung);
  CHECK(!ratios_of(cells, "second").vs_followed);
  CHECK(!ratios_of(cells, "second").vs_fastest_library);
}

TEST_CASE(
    "ratios are against the first rung of the chain, the rung that it follows and the fastest "
    "library, paired by process") {
  using enum reports::Difference;
  Bench bench(3);
  for (const unsigned p : {0U, 1U, 2U}) {
    const double slowness = 1 + p;  // of the whole process: no difference to a pair
    bench.measured(p, "first", {8 * slowness});
    bench.measured(p, "second", {8 * slowness * (p == 1 ? 1.1 : 0.95)});
    bench.measured(p, "third", {2 * slowness});
    bench.measured(p, "lib_a", {4 * slowness});
    bench.measured(p, "lib_b", {1 * slowness});
    bench.done(p);
  }
  const auto cells = bench.cells();
  const auto third = ratios_of(cells, "third");
  CHECK(third.vs_first_rung->value == Approx(4));
  CHECK(third.vs_first_rung->ci95_low == Approx(4));
  CHECK(third.vs_first_rung->verdict == faster);
  // the mean of the pairs, on the logarithms
  CHECK(third.vs_followed->value == Approx(4 * std::cbrt(1.1 * 0.95 * 0.95)));
  CHECK(third.vs_followed->ci95_low < 4 * 0.95);
  CHECK(third.vs_followed->verdict == faster);
  CHECK(third.vs_fastest_library->value == Approx(0.5));
  CHECK(third.vs_fastest_library->verdict == slower);
  const auto second = ratios_of(cells, "second");
  CHECK(second.vs_first_rung->verdict == none_shown);
  CHECK(second.vs_followed->value == second.vs_first_rung->value);
  CHECK(!ratios_of(cells, "first").vs_first_rung);
  CHECK(!ratios_of(cells, "first").vs_followed);
  CHECK(ratios_of(cells, "first").vs_fastest_library->value == Approx(0.125));
  CHECK(ratios_of(cells, "lib_a").vs_fastest_library->value == Approx(0.25));
  CHECK(!ratios_of(cells, "lib_a").vs_first_rung);
  CHECK(!ratios_of(cells, "lib_a").vs_followed);
  CHECK(!ratios_of(cells, "lib_b").vs_fastest_library);
}

TEST_CASE("a ratio is of the processes that have both times, two at least") {
  Bench bench(3);
  for (const unsigned p : {0U, 1U, 2U}) {
    const auto unless = [&](unsigned without) {
      return judged(p == without ? reports::Verdict::skipped : reports::Verdict::pass);
    };
    const auto times = [&](unsigned without, double us) {
      return p == without ? std::vector<double>{} : std::vector{us * (1 + p)};
    };
    bench.measured(p, "first", times(0, 8), unless(0));
    bench.measured(p, "second", {4.0 * (1 + p)});
    bench.measured(p, "third", times(2, 2), unless(2));
    bench.done(p);
  }
  const auto cells = bench.cells();
  CHECK(ratios_of(cells, "second").vs_first_rung->value == Approx(2));  // 1 and 2
  CHECK(ratios_of(cells, "third").vs_followed->value == Approx(2));     // 0 and 1
  CHECK(!ratios_of(cells, "third").vs_first_rung);                      // 1 alone
}

TEST_CASE("runs back to back are held against the library that is the fastest back to back") {
  Bench bench(2);
  for (const unsigned p : {0U, 1U}) {
    const auto in_a_row = [&](double us) {
      auto cell = judged(reports::Verdict::pass);
      cell.back_to_back_us = us * (1 + p);
      return cell;
    };
    bench.measured(p, "first", {8}, in_a_row(6));
    bench.measured(p, "second", {8});
    bench.measured(p, "lib_a", {2}, in_a_row(4));
    bench.measured(p, "lib_b", {4}, in_a_row(3));  // slower alone, faster in a row
    bench.done(p);
  }
  const auto cells = bench.cells();
  CHECK(ratios_of(cells, "first").vs_fastest_library->value == Approx(0.25));
  const auto first = cells.at("first").timing()->back_to_back.value();
  CHECK(first.median_us == Approx(9));
  CHECK(first.vs_fastest_library->value == Approx(0.5));
  CHECK(first.vs_fastest_library->ci95_high == Approx(0.5));  // what a whole process shares cancels
  CHECK(first.vs_fastest_library->verdict == reports::Difference::slower);
  CHECK(cells.at("lib_a").timing()->back_to_back->vs_fastest_library->value == Approx(0.75));
  CHECK(!cells.at("lib_b").timing()->back_to_back->vs_fastest_library);
  CHECK(!cells.at("second").timing()->back_to_back);
}

TEST_CASE(
    "only right answers compete: a wrong library is not the fastest, a wrong first rung is no "
    "base") {
  using enum reports::Verdict;
  Bench bench(2);
  for (const unsigned p : {0U, 1U}) {
    bench.measured(p, "first", {8}, judged(p == 1 ? fail : pass));
    bench.measured(p, "second", {4});
    bench.measured(p, "lib_a", {4});
    bench.measured(p, "lib_b", {1}, judged(fail));
    bench.done(p);
  }
  const auto cells = bench.cells();
  CHECK(cells.at("first").verdict() == fail);  // wrong in one process is wrong
  CHECK(cells.at("first").outcome.measured() == nullptr);
  CHECK(cells.at("lib_b").outcome.measured() == nullptr);
  CHECK(!ratios_of(cells, "second").vs_first_rung);
  CHECK(!ratios_of(cells, "second").vs_followed);
  CHECK(ratios_of(cells, "second").vs_fastest_library->value == Approx(1));
  CHECK(ratios_of(cells, "second").vs_fastest_library->verdict == reports::Difference::none_shown);
}

TEST_CASE("a rung that was lost in one process has no time, whatever the others say") {
  Bench bench(2);
  bench.measured(0, "first", {8});
  bench.done(0);
  bench.lost("first", reports::Verdict::crashed, "killed by signal 11");
  bench.done(1);
  const auto cell = bench.cells().at("first");
  CHECK(cell.verdict() == reports::Verdict::crashed);
  CHECK(cell.reason() == "killed by signal 11");
  CHECK(cell.timing() == nullptr);
  CHECK(cell.error() == nullptr);
  CHECK(cell.minimum_bytes == reports::Bytes{3000, 1000});
}

TEST_CASE("no room in one process is no verdict on the others, which keep their times") {
  Bench bench(3);
  for (unsigned process = 0; process < 3; ++process) {
    if (process == 1) bench.measured(process, "first", {}, judged(reports::Verdict::skipped));
    else bench.measured(process, "first", {10, 11, 12});
    bench.done(process);
  }
  const auto cells = bench.cells();
  CHECK(cells.at("first").verdict() == reports::Verdict::pass);
  REQUIRE(cells.at("first").timing() != nullptr);
  REQUIRE(cells.at("first").timing()->processes.size() == 2);
  CHECK(cells.at("first").timing()->processes[1].process == 2);
}

TEST_CASE("what was cut short is left out, what was skipped is there") {
  Bench bench(2);
  bench.measured(0, "first", {8});
  bench.measured(0, "second", {4});
  bench.done(0);
  bench.measured(1, "first", {80});  // this race never ended
  const auto cells = bench.cells();
  CHECK(cells.at("first").timing()->time_us.median == 8);
  CHECK(cells.at("first").timing()->processes.size() == 1);
  CHECK(!cells.contains("third"));
  CHECK(cells.at("none").verdict() == reports::Verdict::skipped);
  CHECK(cells.at("none").reason() == "not for this");
  CHECK(cells.at("none").minimum_bytes == reports::Bytes{3000, 1000});
}

TEST_CASE("the ceiling fits the cache: what is warm and fits is held against the cache's") {
  using enum reports::Cache;
  struct Case {
    reports::Cache cache;
    std::uint64_t last_level;
    double ceiling;
  };
  const auto given = GENERATE(values<Case>({{warm, 4001, 8}, {warm, 4000, 2}, {cold, 4001, 2}}));
  Bench bench(2, given.cache);
  bench.set_last_level_cache(given.last_level);
  for (const unsigned p : {0U, 1U}) {
    bench.measured(p, "first", {1});
    bench.done(p);
  }
  const auto cell = bench.cells().at("first");
  CHECK(cell.timing()->percent_of_ceiling.value() == Approx(100 * 4 / given.ceiling));
  std::vector<std::string> flags;
  if (given.last_level > 4000) flags.emplace_back("fits_in_cache");
  if (given.ceiling < 4) flags.emplace_back("above_ceiling");
  CHECK(cell.flags == flags);
}

TEST_CASE("a flag of two processes is one flag, and a row that met a held-down clock is marked") {
  Bench bench(2);
  for (const unsigned p : {0U, 1U}) {
    auto flagged = judged(reports::Verdict::pass);
    flagged.flags = {"shuffles_of_absent_lanes"};
    flagged.clocks = reports::Clocks{1500, 1980, {"power cap"}};
    bench.measured(p, "first", {4}, flagged);
    bench.done(p);
  }
  CHECK(bench.cells().at("first").flags ==
        std::vector<std::string>{"shuffles_of_absent_lanes", "throttled"});
}

TEST_CASE("lost counts are told of a rung that loses them on purpose, and of no other") {
  using enum reports::Verdict;
  const auto losing = [](reports::Verdict verdict, std::uint64_t counts) {
    auto cell = judged(verdict);
    cell.lost_counts = counts;
    return cell;
  };
  Bench bench(1);
  bench.measured(0, "first", {1}, losing(expected_wrong, 7));
  bench.measured(0, "second", {1}, losing(pass, 0));
  bench.measured(0, "third", {1}, losing(fail, 7));
  bench.measured(0, "lib_a", {1}, losing(expected_wrong, 7));
  bench.done(0);
  bench.lost("lib_a", timeout, "did not end");
  const auto cells = bench.cells();
  CHECK(cells.at("first").lost_counts() == 7U);
  CHECK(!cells.at("second").lost_counts());
  CHECK(!cells.at("third").lost_counts());
  CHECK(!cells.at("lib_a").lost_counts());
}

TEST_CASE(
    "a cold time that the memory of the GPU does not allow is rejected, and no other is compared "
    "with it") {
  using enum reports::Verdict;
  const reports::Cache cache = GENERATE(reports::Cache::cold, reports::Cache::warm);
  Bench bench(2, cache, reports::Backend::cuda);
  bench.set_gpu(5);
  auto with_cycles = judged(pass);
  with_cycles.sm_cycles = 900;
  auto with_counters = with_cycles;
  with_counters.counters.emplace().blocks = 1;
  for (const unsigned p : {0U, 1U}) {
    bench.measured(p, "first", {0.5}, with_counters);  // 8 GB/s
    bench.measured(p, "second", {1}, with_cycles);     // 4 GB/s
    bench.measured(p, "lib_a", {2});
    bench.measured(p, "lib_b", {0.25});
    bench.done(p);
  }
  const auto cells = bench.cells();
  CHECK(cells.at("second").verdict() == pass);
  CHECK(cells.at("second").timing()->percent_of_datasheet.value() == Approx(80));
  const auto& impossible = cells.at("first");
  if (cache == reports::Cache::warm) {  // from a cache it may be
    CHECK(impossible.verdict() == pass);
    CHECK(impossible.timing()->percent_of_datasheet.value() == Approx(160));
    CHECK(ratios_of(cells, "second").vs_first_rung->value == Approx(0.5));
    CHECK(ratios_of(cells, "second").vs_fastest_library->value == Approx(0.25));
    return;
  }
  CHECK(impossible.verdict() == fail);
  CHECK(impossible.reason() == "faster than the memory's own clock and width allow");
  CHECK(impossible.outcome.measured() == nullptr);
  CHECK(cells.at("lib_b").verdict() == fail);
  CHECK(!ratios_of(cells, "second").vs_first_rung);
  CHECK(!ratios_of(cells, "second").vs_followed);
  // lib_a: lib_b cannot be
  CHECK(ratios_of(cells, "second").vs_fastest_library->value == Approx(2));
  CHECK(cells.at("second").error()->of_bound == 0.125);
}

TEST_CASE(
    "what is impossible is told from the median of the processes, as it is published, and not from "
    "that of all samples") {
  Bench bench(3, reports::Cache::cold, reports::Backend::cuda);
  bench.set_gpu(5);
  bench.measured(0, "first", {1, 1, 1, 1, 1});  // 4 GB/s
  bench.measured(1, "first", {0.5});            // 8 GB/s
  bench.measured(2, "first", {0.5});
  for (const unsigned p : {0U, 1U, 2U}) bench.done(p);
  CHECK(bench.cells().at("first").verdict() == reports::Verdict::fail);
}

TEST_CASE("without a GPU that is known no time is too fast") {
  Bench bench(1, reports::Cache::cold, reports::Backend::cuda);
  bench.measured(0, "first", {0.001});
  bench.done(0);
  const auto cell = bench.cells().at("first");
  CHECK(cell.verdict() == reports::Verdict::pass);
  CHECK(!cell.timing()->percent_of_datasheet);
}

TEST_CASE("rows stand in the order of the ladder") {
  Bench bench(1);
  for (const char* path : {"lib_a", "third", "second", "first"}) bench.measured(0, path, {1});
  bench.done(0);
  CHECK(names_of(bench.results().cells) ==
        std::vector<std::string>{"first", "none", "second", "third", "lib_a"});
}

TEST_CASE(
    "results describe the operations and rungs that were planned, and no others, and the limits "
    "that were measured") {
  const Bench bench(1);
  const auto results = bench.results();
  REQUIRE(results.operations.size() == 1);
  CHECK(results.operations[0].name == "reduce");
  CHECK(results.operations[0].operators == std::vector<std::string>{"sum"});
  std::vector<std::string> rungs;
  for (const reports::Rung& rung : results.rungs)
    rungs.push_back(rung.rung + " after " + rung.follows);
  CHECK(rungs == std::vector<std::string>{"first after ", "none after first", "second after first",
                                          "third after second", "lib_a after ", "lib_b after "});
  CHECK(results.ceilings.size() == 3);
  REQUIRE(results.overheads.size() == 1);
  CHECK(results.overheads[0].of == "no kernel");
}
