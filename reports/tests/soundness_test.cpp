// Each rule of a sound set, broken once; and files made to harm.
#include "reports/soundness.hpp"

#include <filesystem>
#include <functional>

#include "compare/tests/catch.hpp"
#include "reports/comparison.hpp"
#include "reports/json.hpp"
#include "reports/schema.hpp"
#include "reports/tests/sample.hpp"

using namespace ladder::reports;
using nlohmann::json;

namespace {

Ratio ratio(double value) {
  const double low = value * 0.99, high = value * 1.01;
  return {value, low, high, low > 1 ? "faster" : high < 1 ? "slower" : "no difference shown"};
}

// The cells of sound().
enum : std::size_t { first, second, library, counted, racy, none };

Results sound() {
  Results r = of_gpu();
  r.machine.gpu->datasheet_gbps = 4814.304;
  r.run.samples = "sha256:" + std::string(64, 'a');
  r.cells = {gpu_cell("handwritten", "global_two_pass", 1500, "i32"),
             gpu_cell("handwritten", "shared_two_pass", 400, "i32"),
             gpu_cell("cub", "cub", 261, "i32"),
             emulated_cell("serial", ""),
             emulated_cell("racy", ""),
             emulated_cell("none", "")};
  for (const auto i : {first, second, library}) r.cells[i].percent_of_datasheet = 100 * r.cells[i].bandwidth_gbps->median / 4814.304;
  r.cells[second].improves_on = "global_two_pass";
  r.cells[first].ratios = Ratios{{}, ratio(261. / 1500)};
  r.cells[second].ratios = Ratios{ratio(1500. / 400), ratio(261. / 400)};
  for (const auto i : {racy, none}) r.cells[i].counters.reset(), r.cells[i].error.reset();
  r.cells[racy].verdict = "expected_wrong", r.cells[racy].lost_counts = 7;
  r.cells[none].verdict = "skipped", r.cells[none].reason = "takes minutes";
  return r;
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
    const Soundness found = soundness(read_document(folder.path() / "results.json"));
    INFO(folder.path() << '\n' << all_of(found.errors));
    CHECK(found.sound());
    CHECK(found.warnings.empty());
    ++sets;
  }
  CHECK(sets > 0);
}

TEST_CASE("the schema comes first, and the id is of the content") {
  json d = document(sound());
  d["cells"][0]["n"] = -1;
  const Soundness misshapen = soundness(d);
  REQUIRE(misshapen.errors.size() == 1);
  CHECK_FALSE(misshapen.fits_schema);
  CHECK(says(misshapen.errors, "the schema", "/cells/0/n (-1) does not fit"));

  d = document(sound());
  d["run"]["command"] = "./ladder run --preset full --seed 2";
  const Soundness changed = soundness(d);
  REQUIRE(changed.errors.size() == 1);
  CHECK(says(changed.errors, "/run/id", "it is not that of the content"));
}

TEST_CASE("what makes a set unfit to publish is a warning") {
  Results r = sound();
  r.run.dirty = true, r.run.complete = false, r.run.commit = "unknown";
  r.ceilings.push_back({"cuda", "write", "dram", 1, 4900});
  const Soundness found = soundness(r);
  CHECK(found.sound());
  CHECK(found.warnings.size() == 4);
  for (const char* where : {"/run/dirty", "/run/complete", "/run/commit", "/ceilings/1"}) CHECK(says(found.warnings, where, ""));
  r.cells.clear();
  CHECK(says(soundness(r).warnings, "/cells", "there are none"));
}

TEST_CASE("rules of the run and its machine") {
  check_each({{"/run/samples", "no samples that they are from", [](Results& r) { r.run.samples.reset(); }},
              {"/run/samples", "it is no SHA-256", [](Results& r) { r.run.samples = "sha256:0"; }},
              {"/machine/gpu/datasheet_gbps", "memory clock and bus width make 4814.304", [](Results& r) { r.machine.gpu->datasheet_gbps = 4900; }},
              {"/machine/gpu/datasheet_gbps", "memory clock and bus width make", [](Results& r) { r.machine.gpu->memory_clock_mhz = 1e308; }},
              {"/cells/1 (", "minimum_bytes is 8, and ", [](Results& r) { r.cells[second].minimum_bytes = 8; }},
              {"/cells/6 (", "has the same identity as /cells/0", [](Results& r) { r.cells.push_back(r.cells[first]); }}});
}

TEST_CASE("rules of verdicts: without a pass there is a reason and no number") {
  check_each(
      {cell(none, "the verdict is skipped and nothing says why", [](Cell& c) { c.reason.reset(); }),
       cell(none, "the verdict is skipped and nothing says why", [](Cell& c) { c.reason = ""; }),
       cell(racy, "the verdict is expected_wrong and nothing says why", [](Cell& c) { c.lost_counts.reset(); }),
       cell(racy, "more counts are lost than there are elements", [](Cell& c) { c.lost_counts = c.key.n + 1; }),
       cell(counted, "counts are lost and the verdict is pass", [](Cell& c) { c.lost_counts = 1; }),
       cell(counted, "the verdict is crashed and there are numbers: error, counters", [](Cell& c) { c.verdict = "crashed", c.reason = "killed"; }),
       cell(second, "there are numbers: time_us, bandwidth_gbps, percent_of_ceiling, percent_of_datasheet, ratios, sm_cycles, error",
            [](Cell& c) { c.verdict = "fail", c.reason = "wrong", c.sm_cycles = 1; })});
  Results r = sound();
  r.cells[racy].lost_counts.reset(), r.cells[racy].reason = "the last writer wins";
  CHECK(soundness(r).sound());
}

TEST_CASE("what passed is within its bound") {
  check_each({cell(counted, "the error is 2 times its bound and the verdict is pass",
                   [](Cell& c) {
                     c.error = Error{9.0, 1e-6, 1.0, 2.0};
                   }),
              cell(counted, "the bound is 0, the error is not, and the verdict is pass", [](Cell& c) {
                c.error = Error{9.0, 1e-6, 0.0, {}};
              })});
}

TEST_CASE("rules of times") {
  check_each({cell(first, "there is a time and no state of the cache", [](Cell& c) { c.key.cache.reset(); }),
              cell(first, "has a time without saying what it includes", [](Cell& c) { c.key.contract.reset(); }),
              cell(first, "device_result is GPU time", [](Cell& c) { c.key.backend = "host"; }),
              cell(counted, "claims a time on the emulated backend", [](Cell& c) { c.time_us = sound().cells[first].time_us; }),
              cell(first, "ci95_low is 1600, above median, 1500", [](Cell& c) { c.time_us->ci95_low = 1600; }),
              cell(first, "median is 1500, above ci95_high, 1400", [](Cell& c) { c.time_us->ci95_high = 1400; }),
              cell(first, "min is 1480, above p5, 1470", [](Cell& c) { c.time_us->min = 1480; }),
              cell(first, "p25 is 1600, above p75, 1530", [](Cell& c) { c.time_us->p25 = 1600; }),
              cell(first, "p95 is 9000, above max, 2100", [](Cell& c) { c.time_us->p95 = 9000; }),
              cell(first, "min is 1455, above median, 1", [](Cell& c) { c.time_us->median = c.time_us->ci95_low = 1; }),
              cell(first, "a time of nothing", [](Cell& c) { c.time_us->min = 0; }),
              cell(first, "a time of nothing", [](Cell& c) { c.time_us->ci95_low = 0; }),
              cell(first, "outliers of", [](Cell& c) { c.time_us->outliers = c.time_us->samples + 1; }),
              cell(first, "a mean back to back of nothing", [](Cell& c) { c.time_us->batch_mean = 0; }),
              cell(first, "a time that no process measured", [](Cell& c) { c.time_us->processes = 0; }),
              cell(first, "5 samples in 6 processes", [](Cell& c) { c.time_us->samples = 5; }),
              cell(first, "7 processes, and the run had 6 at most", [](Cell& c) { c.time_us->processes = 7; }),
              cell(first, "301 samples, and the run took 300 at most", [](Cell& c) { c.time_us->samples = 301; })});
}

TEST_CASE("rules of clocks") {
  const auto ticking = [](Cell& c, std::vector<std::string> slowed_by) { c.clocks = Clocks{1500, 1980, std::move(slowed_by)}; };
  check_each({cell(first, "the flag throttled and clocks/slowed_by disagree", [&](Cell& c) { ticking(c, {"power cap"}); }),
              cell(first, "the flag throttled and clocks/slowed_by disagree", [](Cell& c) { c.flags.emplace_back("throttled"); }),
              cell(counted, "claims a time on the emulated backend", [&](Cell& c) { ticking(c, {}); }),
              cell(first, "there are clocks of a GPU, which it did not run on", [&](Cell& c) { c.key.backend = "host", ticking(c, {}); }),
              cell(first, "sm_mhz_min is 1990, above sm_mhz_max, 1980", [&](Cell& c) { ticking(c, {}), c.clocks->sm_mhz_min = 1990; })});
  Results r = sound();
  ticking(r.cells[first], {"power cap"}), r.cells[first].flags.emplace_back("throttled");
  CHECK(soundness(r).sound());
}

TEST_CASE("rules of what follows from a time") {
  check_each({cell(first, "there is a bandwidth and no time", [](Cell& c) { c.time_us.reset(); }),
              cell(first, "there are ratios and no time", [](Cell& c) { c.time_us.reset(); }),
              cell(first, "there is percent_of_ceiling and no bandwidth", [](Cell& c) { c.bandwidth_gbps.reset(); }),
              cell(first, "bandwidth_gbps/median is", [](Cell& c) { c.bandwidth_gbps->median *= 1 + 1e-8; }),
              cell(first, "bandwidth_gbps/ci95_low is", [](Cell& c) { c.bandwidth_gbps->ci95_low *= 1 + 1e-8; }),
              cell(first, "bandwidth_gbps/ci95_high is", [](Cell& c) { c.bandwidth_gbps->ci95_high *= 1 + 1e-8; }),
              cell(first, "percent_of_ceiling is", [](Cell& c) { *c.percent_of_ceiling *= 1.001; }),
              cell(first, "percent_of_datasheet is", [](Cell& c) { *c.percent_of_datasheet *= 1.001; }),
              {"/cells/0 (", "there is percent_of_ceiling and nothing that it is of", [](Results& r) { r.ceilings.clear(); }},
              {"/cells/0 (", "there is percent_of_datasheet and nothing that it is of", [](Results& r) { r.machine.gpu.reset(); }},
              {"/cells/2 (", "without the flag above_ceiling", [](Results& r) { r.ceilings[0].bandwidth_gbps = 4000; }},
              cell(library, "from cold caches is above the datasheet peak", [](Cell& c) { c.bandwidth_gbps->median = 4900; })});
  Results warm = sound();
  warm.cells = {warm.cells[library]};
  warm.cells[0].key.cache = "warm", warm.cells[0].minimum_bytes *= 2, warm.cells[0].flags = {"above_ceiling"};
  for (double* number : {&warm.cells[0].bandwidth_gbps->median, &warm.cells[0].bandwidth_gbps->ci95_low, &warm.cells[0].bandwidth_gbps->ci95_high,
                         &*warm.cells[0].percent_of_ceiling, &*warm.cells[0].percent_of_datasheet})
    *number *= 2;
  CHECK(all_of(soundness(warm).errors).empty());  // from a cache it may be
}

TEST_CASE("rules of ratios") {
  const auto ratios = [](std::size_t which, const std::string& what, const std::function<void(Ratios&)>& change) {
    return cell(which, what, [=](Cell& c) { change(*c.ratios); });
  };
  check_each({ratios(second, "vs_first_rung: its value 9 is not in its interval", [](Ratios& r) { r.vs_first_rung->value = 9; }),
              ratios(second, "it says \"slower\", its interval says \"faster\"", [](Ratios& r) { r.vs_first_rung->verdict = "slower"; }),
              ratios(second, "vs_first_rung: its value is 3.7", [](Ratios& r) { r.vs_first_rung->value *= 1 + 1e-8; }),
              ratios(first, "vs_fastest_library: its value is", [](Ratios& r) { r.vs_fastest_library->value *= 1 + 1e-8; }),
              ratios(first, "vs_first_rung: it is against the row itself", [](Ratios& r) { r.vs_first_rung = ratio(1); }),
              {"/cells/1 (", "vs_first_rung: nothing that it could be against",
               [](Results& r) {
                 r.cells.erase(r.cells.begin());
                 r.cells.insert(r.cells.begin(), r.cells.back());
                 r.cells.pop_back();
               }},
              {"/cells/0 (", "vs_fastest_library: nothing that it could be against", [](Results& r) { r.cells.erase(r.cells.begin() + library); }},
              cell(first, "it takes two processes to pair", [](Cell& c) { c.time_us->processes = 1; })});
}

TEST_CASE("the ratio follows from the middle of the intervals, and where one was stretched to its median, lies within them") {
  Results r = sound();
  r.cells[second].ratios = Ratios{};
  Time& time = *r.cells[first].time_us;
  time.median = 1499, time.ci95_low = 1400, time.ci95_high = 1600;  // not the geometric mean of its processes
  r.cells[first].ratios = Ratios{{}, ratio(261 * std::sqrt(0.99 * 1.01) / std::sqrt(1400. * 1600))};
  CHECK_FALSE(says(soundness(r).errors, "/cells/0", "vs_fastest_library"));
  r.cells[first].ratios = Ratios{{}, ratio(261. / 1499)};
  CHECK(says(soundness(r).errors, "/cells/0", "vs_fastest_library"));
  time.ci95_low = time.median;  // anywhere within now
  r.cells[first].ratios = Ratios{{}, ratio(261. / 1550)};
  CHECK_FALSE(says(soundness(r).errors, "/cells/0", "vs_fastest_library"));
  r.cells[first].ratios = Ratios{{}, ratio(261. / 1700)};
  CHECK(says(soundness(r).errors, "/cells/0", "vs_fastest_library: its value is"));

  // Two libraries equally fast, or other processes than those of the library: the file does not tell what the ratio is of.
  r.cells.push_back(r.cells[library]);
  r.cells.back().key.rung = "cub_other";
  CHECK_FALSE(says(soundness(r).errors, "/cells/0", "vs_fastest_library"));
  r.cells.pop_back();
  time.processes = 5;
  CHECK_FALSE(says(soundness(r).errors, "/cells/0", "vs_fastest_library"));
}

TEST_CASE("rules of counters") {
  const auto counters = [](const std::string& what, const std::function<void(Counters&)>& change) {
    return cell(counted, what, [=](Cell& c) { change(*c.counters); });
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
  r.cells[counted].counters->global_load_bytes = 4 * 65535;  // all but one: enough for an exclusive scan
  CHECK(soundness(r).sound());
  r.cells[counted].key.op = "logical_or", r.cells[counted].counters->global_load_bytes = 4096;  // it may know the answer early
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
  Results r = sound();
  const Cell one = r.cells[second];
  r.cells = {r.cells[library]};
  for (int i = 0; i < 50'000; ++i) {
    r.cells.push_back(one);
    r.cells.back().key.rung = std::to_string(i), r.cells.back().improves_on = std::to_string((i + 1) % 50'000);
  }
  CHECK(says(soundness(r).errors, "/cells/1 (", "vs_first_rung: nothing that it could be against"));
  r.cells.back().improves_on = "";
  CHECK(says(soundness(r).errors, "/cells/1 (", "vs_first_rung: its value is"));
}
