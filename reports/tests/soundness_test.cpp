// Each rule of a sound set, broken once; and files made to harm.
#include "reports/soundness.hpp"

#include <filesystem>
#include <functional>

#include "compare/tests/catch.hpp"
#include "reports/comparison.hpp"
#include "reports/derive.hpp"
#include "reports/json.hpp"
#include "reports/schema.hpp"
#include "reports/tests/sample.hpp"

using namespace ladder::reports;
using nlohmann::json;

namespace {

// The cells of sound().
enum : std::size_t { first, second, library, serial, racy, none };

Results sound() {
  Results r = of_gpu();
  r.rungs = {rung_of("global_two_pass"), rung_of("shared_two_pass", "global_two_pass")};
  Cell lost = without(emulated_cell("racy"), Verdict::expected_wrong, "");
  lost.outcome = Failure{Verdict::expected_wrong, "", 7};
  std::vector<Cell> cells{gpu_cell("handwritten", "global_two_pass", 1500),
                          gpu_cell("handwritten", "shared_two_pass", 400),
                          gpu_cell("cub", "cub", 261),
                          emulated_cell("serial"),
                          lost,
                          without(emulated_cell("none"), Verdict::skipped, "takes minutes")};
  for (const auto i : {first, second, library})
    for (ProcessMedian& one : timing_of(cells[i]).processes) one.back_to_back_us = one.time_us * (i == library ? 0.9 : 0.8);
  return with_cells(r, cells);
}

json document(const Results& results) {
  json d = results;
  d["run"]["id"] = content_id(results);
  return d;
}

bool says(const std::vector<Problem>& problems, const std::string& where, const std::string& what) {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const Problem& problem) { return problem.where.starts_with(where) && problem.what.find(what) != std::string::npos; });
}

std::string all_of(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += problem.where + ": " + problem.what + '\n';
  return text;
}

struct Broken {
  std::string where, what;
  std::function<void(Results&)> change;
};

Broken cell(std::size_t which, const std::string& what, const std::function<void(Cell&)>& change) {
  return {"/cells/" + std::to_string(which) + " (", what, [=](Results& r) { change(r.cells[which]); }};
}

void check_each(const std::vector<Broken>& rules) {
  for (const Broken& rule : rules) {
    Results results = sound();
    rule.change(results);
    const Soundness found = soundness(results);
    INFO(rule.what << "\nwas not said, but\n" << all_of(found.errors));
    CHECK(says(found.errors, rule.where, rule.what));
    CHECK_FALSE(found.sound());
  }
}

}  // namespace

TEST_CASE("a sound set has no error and no warning") {
  const Soundness found = soundness(document(sound()));
  INFO(all_of(found.errors) << all_of(found.warnings));
  CHECK(found.sound());
  CHECK(found.warnings.empty());
  CHECK(found.rows == 6);
}

TEST_CASE("what this repository publishes is sound", "[published]") {
  std::size_t sets = 0;
  for (const auto& folder : std::filesystem::directory_iterator(std::filesystem::path(REPOSITORY) / "reports" / "published")) {
    const Soundness found = soundness(read_document(results_in(folder.path())));
    INFO(folder.path() << '\n' << all_of(found.errors));
    CHECK(found.sound());
    CHECK(found.warnings.empty());
    ++sets;
  }
  CHECK(sets > 0);
}

TEST_CASE("the schema comes first, and the id is of the content") {
  json d = document(sound());
  d["cells"][0]["input"]["n"] = -1;
  const Soundness misshapen = soundness(d);
  REQUIRE(misshapen.errors.size() == 1);
  CHECK_FALSE(misshapen.fits_schema);
  CHECK(says(misshapen.errors, "the schema", "/cells/0/input/n (-1) does not fit"));

  d = document(sound());
  d["cells"][none]["measured"] = d["cells"][first]["measured"];
  CHECK(says(soundness(d).errors, "the schema", "/cells/5 has the verdict skipped and there are numbers"));

  d = document(sound());
  d["run"]["command"] = "./ladder run --preset full --seed 2";
  const Soundness changed = soundness(d);
  REQUIRE(changed.errors.size() == 1);
  CHECK(says(changed.errors, "/run/id", "it is not the hash of the content"));
}

TEST_CASE("what makes a set unfit to publish is a warning") {
  Results r = sound();
  r.run.dirty = true, r.run.complete = false, r.run.commit = "unknown";
  r.ceilings.push_back({Backend::cuda, Access::write, Memory::dram, 1, 4900});
  const Soundness found = soundness(r);
  CHECK(found.sound());
  CHECK(found.warnings.size() == 4);
  for (const char* where : {"/run/dirty", "/run/complete", "/run/commit", "/ceilings/1"}) CHECK(says(found.warnings, where, ""));
  r.cells.clear();
  CHECK(says(soundness(r).warnings, "/cells", "there are none"));
}

TEST_CASE("rules of the run and its machine") {
  check_each({{"/run/samples", "no samples of them", [](Results& r) { r.run.samples.reset(); }},
              {"/run/samples", "it is not a SHA-256", [](Results& r) { r.run.samples = "sha256:0"; }},
              {"/machine/gpu/datasheet_gbps", "memory clock and bus width make 4814.304", [](Results& r) { r.machine.gpu->datasheet_gbps = 4900; }},
              {"/machine/gpu/datasheet_gbps", "memory clock and bus width make", [](Results& r) { r.machine.gpu->memory_clock_mhz = 1e308; }},
              {"/cells/1 (", "minimum_bytes is 4 and 4, and 1073741824 and 4 in another row of this input",
               [](Results& r) {
                 r.cells[second].minimum_bytes = {4, 4};
               }},
              {"/cells/6 (", "has the same identity as /cells/0", [](Results& r) { r.cells.push_back(r.cells[first]); }}});
  Results r = sound();
  r.cells[none].minimum_bytes = {};  // it got nowhere
  CHECK(soundness(r).sound());
}

TEST_CASE("every row is of an operation and a rung that the set describes") {
  check_each(
      {{"/cells/0 (", "its operation is not among /operations", [](Results& r) { r.operations.clear(); }},
       {"/cells/3 (", "its operation is not among /operations", [](Results& r) { r.cells[serial].input.operation = "scan"; }},
       {"/cells/3 (", "its rung is not among /rungs", [](Results& r) { r.cells[serial].who.rung = "another"; }},
       {"/cells/2 (", "its rung is not among /rungs", [](Results& r) { r.cells[library].who.provider = "thrust"; }},
       {"/cells/5 (", "its rung is not among /rungs", [](Results& r) { std::erase_if(r.rungs, [](const Rung& c) { return c.rung == "none"; }); }}});
}

TEST_CASE("rules of verdicts: without a pass there is a reason") {
  const auto failed = [](Verdict verdict, const char* reason, std::optional<std::uint64_t> lost_counts) {
    return [=](Cell& c) { c.outcome = Failure{verdict, reason, lost_counts}; };
  };
  check_each({cell(none, "the verdict is skipped and nothing says why", failed(Verdict::skipped, "", {})),
              cell(racy, "the verdict is expected_wrong and nothing says why", failed(Verdict::expected_wrong, "", {})),
              cell(racy, "more counts are lost than there are elements", failed(Verdict::expected_wrong, "", (1 << 16) + 1)),
              cell(serial, "counts are lost and the verdict is fail", failed(Verdict::fail, "wrong", 1))});
  Results r = sound();
  failed(Verdict::expected_wrong, "the last writer wins", {})(r.cells[racy]);
  CHECK(soundness(r).sound());
}

TEST_CASE("what passed is within its bound") {
  check_each({cell(serial, "the error is 2 times its bound and the verdict is pass",
                   [](Cell& c) {
                     measured(c).error = Error{9.0, 1e-6, 1.0, 2.0};
                   }),
              cell(serial, "the bound is 0, the error is not, and the verdict is pass", [](Cell& c) {
                measured(c).error = Error{9.0, 1e-6, 0.0, {}};
              })});
}

TEST_CASE("rules of times") {
  const auto time = [](const std::string& what, const std::function<void(Time&)>& change) {
    return cell(first, what, [=](Cell& c) { change(timing_of(c).time_us); });
  };
  const auto processes = [](const std::string& what, const std::function<void(std::vector<ProcessMedian>&)>& change) {
    return cell(first, what, [=](Cell& c) { change(timing_of(c).processes); });
  };
  check_each({cell(first, "has a time without saying what it includes", [](Cell& c) { c.how.cache.reset(); }),
              cell(first, "has a time without saying what it includes", [](Cell& c) { c.how.contract.reset(); }),
              cell(first, "device_result is GPU time", [](Cell& c) { c.how.backend = Backend::host; }),
              cell(serial, "claims a time on the emulated backend", [](Cell& c) { measured(c).timing = *sound().cells[first].timing(); }),
              time("ci95_low is 1600, above median, 1500", [](Time& t) { t.ci95_low = 1600; }),
              time("median is 1500, above ci95_high, 1400", [](Time& t) { t.ci95_high = 1400; }),
              time("min is 1480, above p5, 1470", [](Time& t) { t.min = 1480; }),
              time("p25 is 1600, above p75, 1530", [](Time& t) { t.p25 = 1600; }),
              time("p95 is 9000, above max, 2100", [](Time& t) { t.p95 = 9000; }),
              time("min is 1455, above median, 1", [](Time& t) { t.median = t.ci95_low = 1; }),
              time("a time of 0 or less", [](Time& t) { t.min = 0; }),
              time("a time of 0 or less", [](Time& t) { t.ci95_low = 0; }),
              time("outliers of", [](Time& t) { t.outliers = t.samples + 1; }),
              time("5 samples in 6 processes", [](Time& t) { t.samples = 5; }),
              time("301 samples, and the run took 300 at most", [](Time& t) { t.samples = 301; }),
              processes("a time that no process measured", [](auto& all) { all.clear(); }),
              processes("7 processes, and the run had 6 at most",
                        [](auto& all) {
                          all.push_back({6, 1500, {}});
                        }),
              processes("process 1 does not come after the one before it", [](auto& all) { all[2].process = 1; }),
              processes("process 2 does not come after the one before it", [](auto& all) { std::swap(all[2], all[3]); }),
              processes("time_us/min is 1455, above time_us, 1400", [](auto& all) { all[2].time_us = 1400; }),
              processes("time_us is 2200, above time_us/max, 2100", [](auto& all) { all[2].time_us = 2200; }),
              processes("a mean back to back of 0 or less", [](auto& all) { all[2].back_to_back_us = 0; })});
}

TEST_CASE("rules of clocks") {
  const auto ticking = [](Cell& c, std::vector<std::string> slowed_by) { timing_of(c).clocks = Clocks{1500, 1980, std::move(slowed_by)}; };
  check_each({cell(first, "the flag throttled and clocks/slowed_by disagree", [&](Cell& c) { ticking(c, {"power cap"}); }),
              cell(first, "the flag throttled and clocks/slowed_by disagree", [](Cell& c) { c.flags.emplace_back("throttled"); }),
              cell(first, "it has clocks of a GPU, but did not run on one", [&](Cell& c) { c.how.backend = Backend::host, ticking(c, {}); }),
              cell(first, "sm_mhz_min is 1990, above sm_mhz_max, 1980", [&](Cell& c) { ticking(c, {}), timing_of(c).clocks->sm_mhz_min = 1990; })});
  Results r = sound();
  ticking(r.cells[first], {"power cap"}), r.cells[first].flags.emplace_back("throttled");
  CHECK(soundness(r).sound());
}

TEST_CASE("every number that follows from the medians of the processes must follow") {
  const auto timing = [](std::size_t which, const std::string& what, const std::function<void(Timing&)>& change) {
    return cell(which, what, [=](Cell& c) { change(timing_of(c)); });
  };
  const auto times = [](double& number, double by = 1 + 1e-8) { number *= by; };
  check_each({timing(first, "time_us/median is", [&](Timing& t) { times(t.time_us.median); }),
              timing(first, "time_us/ci95_low is", [&](Timing& t) { times(t.time_us.ci95_low); }),
              timing(first, "time_us/ci95_high is", [&](Timing& t) { times(t.time_us.ci95_high); }),
              timing(first, "bandwidth_gbps/median is", [&](Timing& t) { times(t.bandwidth_gbps.median); }),
              timing(first, "bandwidth_gbps/ci95_low is", [&](Timing& t) { times(t.bandwidth_gbps.ci95_low); }),
              timing(first, "bandwidth_gbps/ci95_high is", [&](Timing& t) { times(t.bandwidth_gbps.ci95_high); }),
              timing(first, "percent_of_ceiling is", [&](Timing& t) { times(*t.percent_of_ceiling); }),
              timing(first, "percent_of_ceiling is null", [](Timing& t) { t.percent_of_ceiling.reset(); }),
              timing(first, "percent_of_datasheet is", [&](Timing& t) { times(*t.percent_of_datasheet); }),
              timing(second, "ratios/vs_first_rung/value is", [&](Timing& t) { times(t.ratios.vs_first_rung->value); }),
              timing(second, "ratios/vs_followed/value is", [&](Timing& t) { times(t.ratios.vs_followed->value); }),
              timing(first, "ratios/vs_fastest_library/value is", [&](Timing& t) { times(t.ratios.vs_fastest_library->value); }),
              timing(first, "ratios/vs_fastest_library/ci95_low is", [&](Timing& t) { times(t.ratios.vs_fastest_library->ci95_low); }),
              timing(first, "ratios/vs_fastest_library/ci95_high is", [&](Timing& t) { times(t.ratios.vs_fastest_library->ci95_high); }),
              timing(first, "ratios/vs_fastest_library/verdict is \"no difference shown\", the medians of the processes make \"slower\"",
                     [](Timing& t) { t.ratios.vs_fastest_library->verdict = Difference::none_shown; }),
              timing(second, "ratios/vs_first_rung/verdict is \"slower\", the medians of the processes make \"faster\"",
                     [](Timing& t) { t.ratios.vs_first_rung->verdict = Difference::slower; }),
              timing(second, "ratios/vs_first_rung is null", [](Timing& t) { t.ratios.vs_first_rung.reset(); }),
              timing(first, "the medians of the processes make null", [](Timing& t) { t.ratios.vs_first_rung = t.ratios.vs_fastest_library; }),
              timing(library, "ratios/vs_fastest_library is {",
                     [](Timing& t) {
                       t.ratios.vs_fastest_library = Ratio{1, 1, 1, {}};
                     }),
              timing(second, "back_to_back/median_us is", [&](Timing& t) { times(t.back_to_back->median_us); }),
              timing(second, "back_to_back/vs_fastest_library/value is", [&](Timing& t) { times(t.back_to_back->vs_fastest_library->value); }),
              timing(second, "back_to_back is null", [](Timing& t) { t.back_to_back.reset(); }),
              timing(first, "the medians of the processes make", [](Timing& t) { t.processes.pop_back(); }),
              timing(first, "the medians of the processes make", [&](Timing& t) { times(t.processes[2].time_us, 1.0001); }),
              timing(first, "the medians of the processes make", [&](Timing& t) { times(*t.processes[2].back_to_back_us, 1.0001); }),
              {"/cells/0 (", "percent_of_ceiling is", [](Results& r) { r.ceilings.clear(); }},
              {"/cells/0 (", "percent_of_datasheet is", [](Results& r) { r.machine.gpu.reset(); }},
              {"/cells/0 (", "ratios/vs_first_rung is {", [](Results& r) { r.cells.erase(r.cells.begin() + first); }},
              {"/cells/0 (", "vs_fastest_library is {", [](Results& r) { r.cells.erase(r.cells.begin() + library); }}});
}

TEST_CASE("a second library, just as fast or with fewer processes, hides no ratio that was changed by hand") {
  Results r = sound();
  std::vector<Cell> cells = r.cells;
  cells.push_back(cells[library]);
  cells.back().who.rung = "cub_other";
  r = with_cells(r, cells);
  CHECK(soundness(r).sound());
  timing_of(r.cells[first]).ratios.vs_fastest_library->value *= 1.01;
  CHECK(says(soundness(r).errors, "/cells/0 (", "ratios/vs_fastest_library/value is"));

  timing_of(cells.back()).processes.pop_back();
  r = with_cells(r, cells);
  CHECK(soundness(r).sound());
  timing_of(r.cells[second]).ratios.vs_fastest_library->value *= 1.01;
  CHECK(says(soundness(r).errors, "/cells/1 (", "ratios/vs_fastest_library/value is"));
}

TEST_CASE("of a single process the interval is that of its samples, and there is no ratio") {
  Results r = sound();
  std::vector<Cell> cells = r.cells;
  Timing& alone = timing_of(cells[first]);
  alone.processes.resize(1);
  alone.time_us.median = alone.processes[0].time_us, alone.time_us.ci95_low = 1490, alone.time_us.ci95_high = 1520;
  r = with_cells(r, cells);
  CHECK(all_of(soundness(r).errors).empty());
  CHECK(r.cells[first].timing()->time_us.ci95_high == 1520);
  CHECK_FALSE(r.cells[first].timing()->ratios.vs_fastest_library);
  timing_of(r.cells[first]).ratios.vs_fastest_library = Ratio{2, 1.9, 2.1, Difference::faster};
  CHECK(says(soundness(r).errors, "/cells/0 (", "ratios/vs_fastest_library is {"));
}

TEST_CASE("what is above its ceiling says so, and nothing from cold caches is above the peak") {
  Results r = sound();
  r.ceilings[0].bandwidth_gbps = 4000;
  r = with_cells(r, r.cells);
  CHECK(r.cells[library].flags == std::vector<std::string>{"above_ceiling"});
  CHECK(soundness(r).sound());
  r.cells[library].flags.clear();
  CHECK(says(soundness(r).errors, "/cells/2 (", "the flag above_ceiling and percent_of_ceiling disagree"));
  r = sound();
  r.cells[library].flags = {"above_ceiling"};
  CHECK(says(soundness(r).errors, "/cells/2 (", "the flag above_ceiling and percent_of_ceiling disagree"));

  std::vector<Cell> cells{gpu_cell("cub", "cub", 220)};
  CHECK(says(soundness(with_cells(sound(), cells)).errors, "/cells/0 (", "from cold caches is above the datasheet peak"));
  cells[0].how.cache = Cache::warm;
  CHECK(all_of(soundness(with_cells(sound(), cells)).errors).empty());  // from a cache it may be
}

TEST_CASE("rules of counters") {
  const auto counters = [](const std::string& what, const std::function<void(Counters&)>& change) {
    return cell(serial, what, [=](Cell& c) { change(counters_of(c)); });
  };
  check_each({counters("global_load_bytes is 4095, below global_load_requests, 4096", [](Counters& c) { c.global_load_bytes = 4095; }),
              counters("global_load_sectors is 4095, below", [](Counters& c) { c.global_load_sectors = 4095; }),
              counters("global_store_bytes is 1, below", [](Counters& c) { c.global_store_bytes = 1; }),
              counters("global_store_sectors is 1, below", [](Counters& c) { c.global_store_sectors = 1; }),
              counters("shared_wavefronts is 1, below shared_requests, 2", [](Counters& c) { c.shared_requests = 2, c.shared_wavefronts = 1; }),
              counters("blocks is 1, below launches, 2", [](Counters& c) { c.blocks = 1; }),
              counters("atomics is 1, below atomic_requests, 2", [](Counters& c) { c.atomics = 1, c.atomic_requests = 2; }),
              counters("contention of no atomics", [](Counters& c) { c.atomic_requests = 0, c.atomic_contention = 2; }),
              counters("no barriers, and 2 for each thread", [](Counters& c) { c.barriers = 0, c.barriers_per_thread = 2; }),
              counters("counts of a GPU's memory", [](Counters& c) { c.dram_read_bytes = 1; }),
              counters("fewer than one lane", [](Counters& c) { c.active_lanes = 0.5; }),
              counters("262136 bytes loaded cannot be the whole input", [](Counters& c) { c.global_load_bytes = 4 * 65535 - 4; })});
  Results r = sound();
  counters_of(r.cells[serial]).global_load_bytes = 4 * 65535;  // all but one: enough for an exclusive scan
  CHECK(soundness(r).sound());
  r.cells[serial].input.op = "logical_or", counters_of(r.cells[serial]).global_load_bytes = 4096;  // it may know the answer early
  CHECK(soundness(r).sound());
}

TEST_CASE("whatever numbers a file holds, it is judged and compared without harm") {
  const json good = document(sound());
  const auto fields = good.flatten();
  std::size_t judged = 0;
  for (const auto& [place, value] : fields.items()) {
    if (!value.is_number()) continue;
    for (const json& hostile : {json(0), json(1e308), json(5e-324), json(~0ull), json(1e18)}) {
      json d = good;
      d[json::json_pointer(place)] = hostile;
      INFO(place << " = " << hostile);
      CHECK_NOTHROW(soundness(d));
      if (!violation(d).empty()) continue;
      const auto results = d.get<Results>();
      CHECK_NOTHROW(comparison(results, sound()));
      CHECK_NOTHROW(comparison(sound(), results));
      ++judged;
    }
  }
  CHECK(judged > 100);
}

TEST_CASE("long chains and circles of rungs end soon") {
  constexpr int many = 10'000;
  Results r = sound();
  const Cell one = gpu_cell("handwritten", "0", 400);
  r.rungs.clear(), r.cells = {gpu_cell("cub", "cub", 261)};
  r.rungs.push_back(rung_of("cub", "", "cub"));
  for (int i = 0; i < many; ++i) {
    r.cells.push_back(one);
    r.cells.back().who.rung = std::to_string(i);
    r.rungs.push_back(rung_of(std::to_string(i), std::to_string((i + 1) % many)));
  }
  derive(r);
  CHECK(soundness(r).sound());
  CHECK(r.cells[1].timing()->ratios.vs_followed);
  CHECK_FALSE(r.cells[1].timing()->ratios.vs_first_rung);  // they go round
  r.rungs.back().follows = "";
  CHECK(says(soundness(r).errors, "/cells/1 (", "ratios/vs_first_rung is null"));
  derive(r);
  CHECK(soundness(r).sound());
}
