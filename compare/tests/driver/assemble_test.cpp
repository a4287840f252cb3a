// From records to cells: verdicts, times, bandwidths and ratios.
#include "compare/driver/assemble.hpp"

#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/json.hpp"

using namespace ladder;

namespace {

protocol::Listing rung_on_ladder(const std::string& name, const std::string& follows, const std::string& provider = "handwritten") {
  protocol::Listing one;
  one.operation = "reduce";
  one.provider = provider;
  one.path = one.rung = name;
  one.follows = follows;
  return one;
}

// One group of a fake study, with what its processes measured.
class Bench {
 public:
  explicit Bench(unsigned processes, const std::string& cache = "cold", const std::string& backend = "host") {
    Group group;
    group.backend = backend;
    group.problem = {.operation = "reduce", .op = "sum", .dtype = "i32", .n = 1000, .distribution = "random"};
    group.contract = "host_result";
    group.cache = cache;
    group.effort.processes = processes;
    group.rungs = {rung_on_ladder("first", ""), rung_on_ladder("second", "first"), rung_on_ladder("third", "second"), rung_on_ladder("lib_a", "", "std"), rung_on_ladder("lib_b", "", "thrust")};
    group.skipped = {{rung_on_ladder("none", "first"), "not for this"}};
    plan_.groups = {group};
    record_.emplace(plan_, journal_);
    const std::vector<reports::Ceiling> ceilings{{backend, "read", "dram", 1, 2}, {backend, "read", "cache", 1, 8}, {backend, "copy", "dram", 1, 1}};
    const std::vector<reports::Overhead> overheads{{backend, "host_result", "no kernel", 0.5}};
    record_->backend(backend, {{"ceilings", ceilings}, {"overheads", overheads}});
  }

  void measured(unsigned process, const std::string& path, const std::vector<double>& times, const std::string& verdict = "pass",
                const std::vector<std::string>& flags = {}, std::optional<double> sm_cycles = {}, std::optional<std::uint64_t> lost_counts = {},
                protocol::MeasuredCell cell = {}) {
    for (const double us : times) record_->sample(0, process, {path, us, 0, process});
    cell.path = path;
    cell.verdict = verdict;
    cell.flags = flags;
    cell.bytes_read = 4000;
    cell.converged = true;
    cell.error = reports::Error{3, 1e-7, 0.5, 0.125};
    cell.sm_cycles = sm_cycles;
    cell.lost_counts = lost_counts;
    record_->cell(0, process, cell);
  }
  Record& record() { return *record_; }
  void done(unsigned process) { record_->done(0, process); }

  std::map<std::string, reports::Cell> cells(const Catalogue& catalogue = {}) {
    std::map<std::string, reports::Cell> found;
    for (const auto& cell : assemble(catalogue, *record_, {}).cells) found[cell.key.rung] = cell;
    return found;
  }

 private:
  Workshop workshop_;
  Plan plan_;
  Journal journal_{workshop_.results(), {{"identity", 1}}, Journal::Mode::fresh};
  std::optional<Record> record_;
};

// A machine with a GPU of this bandwidth by its datasheet.
Catalogue with_gpu(double gbps) {
  reports::Gpu gpu;
  gpu.datasheet_gbps = gbps;
  Backend cuda;
  cuda.name = "cuda";
  cuda.machine = reports::Machine{"A CPU", 1, 1, 1, gpu};
  cuda.software = reports::Software{};
  return {{cuda}};
}

}  // namespace

TEST_CASE("the headline is the median of process medians, the rest is of all samples") {
  Bench bench(3);
  bench.measured(0, "first", {1, 2, 9});
  bench.measured(1, "first", {3, 3, 3});
  bench.measured(2, "first", {7, 8, 8});
  for (const unsigned p : {0U, 1U, 2U}) bench.done(p);
  const auto cell = bench.cells().at("first");
  REQUIRE(cell.time_us);
  CHECK(cell.time_us->median == Approx(3));
  CHECK(cell.time_us->ci95_low < 3);
  CHECK(cell.time_us->ci95_high > 8);  // three processes as far apart as these say little
  CHECK(cell.time_us->min == 1);
  CHECK(cell.time_us->p25 == 3);
  CHECK(cell.time_us->max == 9);
  CHECK(cell.time_us->samples == 9);
  CHECK(cell.time_us->processes == 3);
  CHECK(cell.time_us->converged);
  CHECK(cell.bandwidth_gbps->median == Approx(4000 / 3.0 / 1000));
  CHECK(cell.bandwidth_gbps->ci95_low == Approx(4 / cell.time_us->ci95_high));
  CHECK(cell.bandwidth_gbps->ci95_high == Approx(4 / cell.time_us->ci95_low));
  CHECK(cell.percent_of_ceiling.value() == Approx(100 * (4 / 3.0) / 2));
}

TEST_CASE("clock cycles are the median of what the processes found, and only of a right answer") {
  Bench bench(3);
  for (const unsigned p : {0U, 1U, 2U}) {
    bench.measured(p, "first", {1}, "pass", {}, 10.0 * (p + 1));
    bench.measured(p, "second", {1}, "fail", {}, 10.0);
    bench.measured(p, "third", {1});
    bench.done(p);
  }
  CHECK(bench.cells().at("first").sm_cycles == 20.0);
  CHECK(!bench.cells().at("second").sm_cycles);
  CHECK(!bench.cells().at("third").sm_cycles);
}

TEST_CASE("the time in a row is the median of the processes', and the clocks are those of all of them") {
  Bench bench(3);
  for (const unsigned p : {0U, 1U, 2U}) {
    protocol::MeasuredCell cell;
    cell.back_to_back_us = 1.5 + p;
    cell.clocks = reports::Clocks{1900.0 + p, 1950.0 + p, {p == 1 ? "power cap" : "power brake"}};
    bench.measured(p, "first", {1}, "pass", {}, {}, {}, cell);
    bench.measured(p, "second", {1}, "fail", {}, {}, {}, cell);
    bench.measured(p, "third", {1});
    bench.done(p);
  }
  const auto cells = bench.cells();
  CHECK(cells.at("first").time_us->batch_mean == 2.5);
  REQUIRE(cells.at("first").clocks);
  CHECK(cells.at("first").clocks->sm_mhz_min == 1900);
  CHECK(cells.at("first").clocks->sm_mhz_max == 1952);
  CHECK(cells.at("first").clocks->slowed_by == std::vector<std::string>{"power brake", "power cap"});
  CHECK(!cells.at("second").clocks);
  CHECK(!cells.at("third").clocks);
  CHECK(!cells.at("third").time_us->batch_mean);
}

TEST_CASE("a single process has the interval of its own samples, and no ratio") {
  Bench bench(1);
  bench.measured(0, "first", {5, 1, 2, 3, 4});
  bench.measured(0, "second", {1, 1, 1});
  bench.done(0);
  const auto cells = bench.cells();
  CHECK(cells.at("first").time_us->median == 3);
  CHECK(cells.at("first").time_us->ci95_low == 1);
  CHECK(cells.at("first").time_us->ci95_high == 5);
  CHECK(!cells.at("second").ratios);
}

TEST_CASE("ratios are against the first rung of the chain and the fastest library, paired by process") {
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
  const auto third = cells.at("third").ratios.value();
  CHECK(third.vs_first_rung->value == Approx(4));
  CHECK(third.vs_first_rung->ci95_low == Approx(4));
  CHECK(third.vs_first_rung->verdict == "faster");
  CHECK(third.vs_fastest_library->value == Approx(0.5));
  CHECK(third.vs_fastest_library->verdict == "slower");
  CHECK(cells.at("second").ratios->vs_first_rung->verdict == "no difference shown");
  CHECK(!cells.at("first").ratios->vs_first_rung);
  CHECK(cells.at("first").ratios->vs_fastest_library->value == Approx(0.125));
  CHECK(cells.at("lib_a").ratios->vs_fastest_library->value == Approx(0.25));
  CHECK(!cells.at("lib_a").ratios->vs_first_rung);
  CHECK(!cells.at("lib_b").ratios);
}

TEST_CASE("only right answers compete: a wrong library is not the fastest, a wrong first rung is no base") {
  Bench bench(2);
  for (const unsigned p : {0U, 1U}) {
    bench.measured(p, "first", {8}, p == 1 ? "fail" : "pass");
    bench.measured(p, "second", {4});
    bench.measured(p, "lib_a", {4});
    bench.measured(p, "lib_b", {1}, "fail");
    bench.done(p);
  }
  const auto cells = bench.cells();
  CHECK(cells.at("first").verdict == "fail");  // wrong in one process is wrong
  CHECK(!cells.at("first").time_us);
  CHECK(!cells.at("first").bandwidth_gbps);
  CHECK(!cells.at("lib_b").time_us);
  CHECK(!cells.at("second").ratios->vs_first_rung);
  CHECK(cells.at("second").ratios->vs_fastest_library->value == Approx(1));
  CHECK(cells.at("second").ratios->vs_fastest_library->verdict == "no difference shown");
}

TEST_CASE("a rung that was lost in one process has no time, whatever the others say") {
  Bench bench(2);
  bench.measured(0, "first", {8});
  bench.done(0);
  bench.record().lost(0, "first", {"crashed", "killed by signal 11"});
  bench.done(1);
  const auto cell = bench.cells().at("first");
  CHECK(cell.verdict == "crashed");
  CHECK(cell.reason == "killed by signal 11");
  CHECK(!cell.time_us);
  CHECK(!cell.error);
}

TEST_CASE("no room in one process is no verdict on the others, which keep their times") {
  Bench bench(3);
  for (unsigned process = 0; process < 3; ++process) {
    if (process == 1) bench.measured(process, "first", {}, "skipped");
    else bench.measured(process, "first", {10, 11, 12});
    bench.done(process);
  }
  const auto cells = bench.cells();
  CHECK(cells.at("first").verdict == "pass");
  REQUIRE(cells.at("first").time_us);
  CHECK(cells.at("first").time_us->processes == 2);
}

TEST_CASE("what was cut short is left out, what was skipped is there") {
  Bench bench(2);
  bench.measured(0, "first", {8});
  bench.measured(0, "second", {4});
  bench.done(0);
  bench.measured(1, "first", {80});  // this race never ended
  const auto cells = bench.cells();
  CHECK(cells.at("first").time_us->median == 8);
  CHECK(cells.at("first").time_us->processes == 1);
  CHECK(!cells.contains("third"));
  CHECK(cells.at("none").verdict == "skipped");
  CHECK(cells.at("none").reason == "not for this");
  CHECK(cells.at("none").minimum_bytes == 4000);
}

TEST_CASE("the ceiling fits the cache: what is warm and fits is held against the cache's") {
  struct Case {
    std::string cache;
    std::vector<std::string> flags;
    double ceiling;
  };
  const auto given = GENERATE(values<Case>({{"warm", {"fits_in_cache"}, 8}, {"warm", {}, 2}, {"cold", {"fits_in_cache"}, 2}}));
  Bench bench(2, given.cache);
  for (const unsigned p : {0U, 1U}) {
    bench.measured(p, "first", {1}, "pass", given.flags);
    bench.done(p);
  }
  const auto cell = bench.cells().at("first");
  CHECK(cell.percent_of_ceiling.value() == Approx(100 * 4 / given.ceiling));
  const bool above = std::ranges::find(cell.flags, "above_ceiling") != cell.flags.end();
  CHECK(above == (given.ceiling < 4));
  CHECK(cell.flags.size() == given.flags.size() + (above ? 1 : 0));  // a flag of two processes is one flag
}

TEST_CASE("lost counts are told of a rung that loses them on purpose, and of no other") {
  Bench bench(1);
  bench.measured(0, "first", {1}, "expected_wrong", {}, {}, 7);
  bench.measured(0, "second", {1}, "pass", {}, {}, 0);
  bench.measured(0, "third", {1}, "fail", {}, {}, 7);
  bench.measured(0, "lib_a", {1}, "expected_wrong", {}, {}, 7);
  bench.done(0);
  bench.record().lost(0, "lib_a", {"timeout", "did not end"});
  const auto cells = bench.cells();
  CHECK(cells.at("first").lost_counts == 7U);
  CHECK(!cells.at("second").lost_counts);
  CHECK(!cells.at("third").lost_counts);
  CHECK(!cells.at("lib_a").lost_counts);
}

TEST_CASE("a cold time that the memory of the GPU does not allow is rejected, and no other is compared with it") {
  const std::string cache = GENERATE("cold", "warm");
  Bench bench(2, cache, "cuda");
  protocol::MeasuredCell with_counters;
  with_counters.counters.emplace().blocks = 1;
  for (const unsigned p : {0U, 1U}) {
    bench.measured(p, "first", {0.5}, "pass", {}, 900, {}, with_counters);  // 8 GB/s
    bench.measured(p, "second", {1}, "pass", {}, 900);                      // 4 GB/s
    bench.measured(p, "lib_a", {2});
    bench.measured(p, "lib_b", {0.25});
    bench.done(p);
  }
  const auto cells = bench.cells(with_gpu(5));
  CHECK(cells.at("second").verdict == "pass");
  CHECK(cells.at("second").percent_of_datasheet.value() == Approx(80));
  const auto& impossible = cells.at("first");
  if (cache == "warm") {  // from a cache it may be
    CHECK(impossible.verdict == "pass");
    CHECK(impossible.percent_of_datasheet.value() == Approx(160));
    CHECK(cells.at("second").ratios->vs_first_rung->value == Approx(0.5));
    CHECK(cells.at("second").ratios->vs_fastest_library->value == Approx(0.25));
    return;
  }
  CHECK(impossible.verdict == "fail");
  CHECK(impossible.reason == "faster than the memory's own clock and width allow");
  CHECK(!impossible.time_us);
  CHECK(!impossible.bandwidth_gbps);
  CHECK(!impossible.percent_of_ceiling);
  CHECK(!impossible.percent_of_datasheet);
  CHECK(!impossible.sm_cycles);
  CHECK(!impossible.error);
  CHECK(!impossible.counters);
  CHECK(!impossible.ratios);
  CHECK(cells.at("lib_b").verdict == "fail");
  CHECK(!cells.at("second").ratios->vs_first_rung);
  CHECK(cells.at("second").ratios->vs_fastest_library->value == Approx(2));  // lib_a: lib_b cannot be
  CHECK(cells.at("second").error->of_bound == 0.125);
}

TEST_CASE("without a GPU that is known no time is too fast") {
  Bench bench(1, "cold", "cuda");
  bench.measured(0, "first", {0.001});
  bench.done(0);
  CHECK(bench.cells().at("first").verdict == "pass");
  CHECK(!bench.cells().at("first").percent_of_datasheet);
}

TEST_CASE("rows stand in the order of the ladder") {
  Bench bench(1);
  for (const char* path : {"lib_a", "third", "second", "first"}) bench.measured(0, path, {1});
  bench.done(0);
  std::vector<std::string> order;
  for (const auto& cell : assemble({}, bench.record(), {}).cells) order.push_back(cell.key.rung);
  CHECK(order == std::vector<std::string>{"first", "none", "second", "third", "lib_a"});
}
