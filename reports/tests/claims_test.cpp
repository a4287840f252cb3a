// Every claim of the notes where it holds, where it does not, and where a run cannot tell.
#include "reports/notes/claims.hpp"

#include <map>
#include <string>

#include "compare/tests/catch.hpp"
#include "reports/markdown.hpp"
#include "reports/tests/sample.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

Finding judged(std::string_view id, const Cells& cells) {
  for (const Claim& claim : claims())
    if (claim.id == id) return weighed({claim.test(cells)});  // as the report shows it
  FAIL("no claim " << id);
  return {};
}

constexpr std::optional<Outcome> holds = Outcome::holds, partly = Outcome::partly, fails = Outcome::does_not_hold, not_shown = Outcome::not_shown,
                                 untold = {};

Cell of(const char* operation, Cell cell) {
  cell.key.operation = operation;
  return cell;
}

Cell timed(const char* operation, const char* rung, double us) {
  return of(operation, gpu_cell("handwritten", rung, us));
}

Cell counts(const char* operation, const char* rung, const auto& set) {
  Cell cell = of(operation, emulated_cell(rung, ""));
  set(*cell.counters);
  return cell;
}

// Times of two rungs, within 1 % each.
Cells two_times(const char* operation, const char* rung, double us, const char* than, double its) {
  return {timed(operation, rung, us), timed(operation, than, its)};
}

Cells barriers_per_block(const char* operation, const char* rung, unsigned count, const char* than, unsigned its) {
  const auto with = [](unsigned k) { return [k](Counters& c) { c.blocks = 10, c.barriers = 10 * k; }; };
  return {counts(operation, rung, with(count)), counts(operation, than, with(its))};
}

}  // namespace

TEST_CASE("claims that one rung is faster than another hold by time alone") {
  struct Faster {
    const char *id, *operation, *rung, *than;
  };
  const auto claim = GENERATE(values<Faster>({{"N1b", "reduce", "unrolling2", "interleaved"},
                                              {"N1d", "reduce", "complete_unroll_warps8", "unroll_warps8"},
                                              {"N4", "reduce", "unrolling2", "interleaved"},
                                              {"N5a", "dot", "dot1_tree", "dot0_serial"},
                                              {"N5e", "dot", "dot4_unrolled", "dot3_conflict_free"}}));
  INFO(claim.id);
  const auto at = [&](double us) { return two_times(claim.operation, claim.rung, us, claim.than, 100); };
  CHECK(judged(claim.id, at(90)).outcome == holds);
  CHECK(judged(claim.id, at(99)).outcome == not_shown);  // the intervals overlap
  CHECK(judged(claim.id, at(110)).outcome == fails);
  CHECK(judged(claim.id, {}).outcome == untold);
  CHECK_THAT(judged(claim.id, at(90)).what, ContainsSubstring("90.0 us (89.1 to 90.9)") && ContainsSubstring("1.111x (1.089 to 1.134)"));
  CHECK_THAT(judged(claim.id, at(99)).what, ContainsSubstring("no difference shown"));
  CHECK_THAT(judged(claim.id, {}).what, ContainsSubstring("No GPU times of `" + std::string(claim.rung) + "` and `" + claim.than + '`'));

  const auto cannot_tell = [&](const auto& change) {
    Cells one = at(90), both = at(90);
    change(one[0]);
    for (Cell& cell : both) change(cell);
    return judged(claim.id, one).outcome == untold && judged(claim.id, both).outcome == untold;
  };
  CHECK(cannot_tell([](Cell& c) { c.key.cache = "warm"; }));
  CHECK(cannot_tell([](Cell& c) { c.key.contract = "host_result"; }));
  CHECK(cannot_tell([](Cell& c) { c.key.backend = "host"; }));
  CHECK(cannot_tell([](Cell& c) { c.key.provider = "cub"; }));
  CHECK(cannot_tell([](Cell& c) { c.verdict = "fail"; }));
  CHECK(cannot_tell([](Cell& c) { c.time_us.reset(); }));
  CHECK(cannot_tell([](Cell& c) { c.time_us->ci95_low = 0; }));
  Cells two_inputs = at(90);
  two_inputs[0].key.n /= 2;
  CHECK(judged(claim.id, two_inputs).outcome == untold);
}

TEST_CASE("counts are told beside the times that decide, and decide nothing") {
  auto cells = barriers_per_block("reduce", "complete_unroll_warps8", 5, "unroll_warps8", 4);
  CHECK(judged("N1d", cells).outcome == untold);
  for (const Cell& cell : two_times("reduce", "complete_unroll_warps8", 90, "unroll_warps8", 100)) cells.push_back(cell);
  const auto finding = judged("N1d", cells);
  CHECK(finding.outcome == holds);
  CHECK_THAT(
      finding.what,
      ContainsSubstring("1.111x (1.089 to 1.134), on the GPU, for `reduce` by sum, i32, n = 2^28 (268,435,456), input random, cold cache. Barriers "
                        "per block: `complete_unroll_warps8` 5, `unroll_warps8` 4, a factor of 1.25, on the emulated backend, for `reduce` by sum, "
                        "i32, n = 2^16 (65,536), input random"));
}

TEST_CASE("the ratio to the rung that begins the ladder is the paired one") {
  auto cells = two_times("dot", "dot1_tree", 99, "dot0_serial", 100);
  cells[0].ratios = Ratios{Ratio{1.01, 1.005, 1.015, "faster"}, {}};
  CHECK(judged("N5a", cells).outcome == not_shown);  // nothing says that the ladder begins with dot0_serial
  cells[0].improves_on = "dot0_serial";
  CHECK(judged("N5a", cells).outcome == holds);
  CHECK_THAT(judged("N5a", cells).what, ContainsSubstring("1.010x (1.005 to 1.015)"));
  cells[1].improves_on = "another";
  CHECK(judged("N5a", cells).outcome == not_shown);
}

TEST_CASE("the input of the note goes before longer ones, and those before shorter ones") {
  auto cells = two_times("reduce", "unrolling2", 90, "interleaved", 100);  // 2^28 elements
  const auto add = [&](std::uint64_t n, const char* distribution, double us) {
    for (Cell cell : two_times("reduce", "unrolling2", us, "interleaved", 100))
      cell.key.n = n, cell.key.distribution = distribution, cells.push_back(cell);
  };
  add(1 << 20, "random", 200);
  CHECK(judged("N4", cells).outcome == holds);
  add(1 << 24, "random", 300);
  CHECK_THAT(judged("N4", cells).what, ContainsSubstring("300 us"));
  add(1 << 24, "glibc_bytes", 400);
  CHECK_THAT(judged("N4", cells).what, ContainsSubstring("400 us"));
  CHECK_THAT(judged("N1b", cells).what, ContainsSubstring("90.0 us"));
}

TEST_CASE("N1a: packing is seen in lanes and requests") {
  const auto cells = [](double less, double interleaved, unsigned requests) {
    const auto with = [](double lanes, unsigned count) { return [=](Counters& c) { c.active_lanes = lanes, c.global_load_requests = count; }; };
    return Cells{counts("reduce", "neighbored", with(5, 1000)), counts("reduce", "neighbored_less", with(less, requests)),
                 counts("reduce", "interleaved", with(interleaved, requests))};
  };
  CHECK(judged("N1a", cells(24, 25, 100)).outcome == holds);
  CHECK(judged("N1a", cells(24, 4, 100)).outcome == partly);
  CHECK(judged("N1a", cells(24, 25, 2000)).outcome == partly);
  CHECK(judged("N1a", cells(5, 5, 1000)).outcome == fails);
  CHECK(judged("N1a", {}).outcome == untold);
  auto with_times = cells(24, 25, 100);
  for (const Cell& cell : two_times("reduce", "neighbored_less", 100, "neighbored", 90)) with_times.push_back(cell);
  CHECK(judged("N1a", with_times).outcome == holds);  // a time is told, and no evidence on divergence
  CHECK_THAT(judged("N1a", with_times).what,
             ContainsSubstring("`neighbored` 5, `neighbored_less` 24, `interleaved` 25") && ContainsSubstring("`neighbored_less` 100 us"));
}

TEST_CASE("N1c and N5f: fewer barriers, and the answer is right all the same") {
  struct Fewer {
    const char *id, *operation, *rung, *than;
  };
  const auto claim = GENERATE(values<Fewer>({{"N1c", "reduce", "unroll_warps8", "interleaved"}, {"N5f", "dot", "dot5_last_warp", "dot4_unrolled"}}));
  INFO(claim.id);
  const auto with = [&](unsigned count) { return barriers_per_block(claim.operation, claim.rung, count, claim.than, 9); };
  CHECK(judged(claim.id, with(4)).outcome == holds);
  CHECK(judged(claim.id, with(9)).outcome == fails);
  Cells wrong = with(4);
  wrong[0].verdict = "fail";
  CHECK(judged(claim.id, wrong).outcome == untold);
  CHECK_THAT(judged(claim.id, wrong).what, ContainsSubstring("No counts of barriers per block"));
}

TEST_CASE("N2 and N5c: by as much as printed, by another factor, or not at all") {
  const auto strided = [](double us) { return judged("N2", two_times("sum_of_cubes", "strided", us, "chunked", 1000)).outcome; };
  CHECK(strided(100) == holds);
  CHECK(strided(138) == holds);  // 7.25, and 7.39 is in the interval
  CHECK(strided(200) == partly);
  CHECK(strided(1000) == not_shown);
  CHECK(strided(2000) == fails);
  CHECK(judged("N2", {}).outcome == untold);

  const auto kahan = [](double us) { return judged("N5c", two_times("dot", "dot2_kahan", us, "dot1_tree", 1000)).outcome; };
  CHECK(kahan(1054) == holds);
  CHECK(kahan(1200) == partly);  // costs more
  CHECK(kahan(1030) == partly);
  CHECK(kahan(1000) == not_shown);
  CHECK(kahan(900) == fails);
  CHECK(judged("N5c", {}).outcome == untold);
}

TEST_CASE("N3a: three times the bytes, as they are issued") {
  const auto cells = [](std::uint64_t global) {
    const auto bytes = [](std::uint64_t loaded) { return [=](Counters& c) { c.global_load_bytes = loaded, c.global_store_bytes = 0; }; };
    return Cells{counts("reduce", "global_two_pass", bytes(global)), counts("reduce", "shared_two_pass", bytes(1000))};
  };
  CHECK(judged("N3a", cells(2996)).outcome == holds);
  CHECK_THAT(judged("N3a", cells(2996)).what, ContainsSubstring("a factor of 2.996"));
  CHECK(judged("N3a", cells(2000)).outcome == partly);
  CHECK(judged("N3a", cells(4000)).outcome == partly);
  CHECK(judged("N3a", cells(1000)).outcome == fails);
  CHECK(judged("N3a", {}).outcome == untold);
}

TEST_CASE("N3b: by steps the one, by work the other") {
  const auto outcome = [](std::optional<std::uint64_t> steps, std::optional<std::uint64_t> work) {
    const auto with = [](auto s, auto w) { return [=](Counters& c) { c.steps = s, c.work = w; }; };
    return judged("N3b", {counts("exclusive_scan", "hillis_steele", with(steps, work)),
                          counts("exclusive_scan", "blelloch", with(std::optional<std::uint64_t>(20), std::optional<std::uint64_t>(2000)))})
        .outcome;
  };
  CHECK(outcome(10, 10'000) == holds);
  CHECK(outcome(10, 1000) == partly);
  CHECK(outcome(20, 2000) == fails);
  CHECK(outcome({}, {}) == untold);
  CHECK(outcome(10, {}) == untold);  // half of it is not it
}

TEST_CASE("N3c: few elements and many have to be there") {
  const auto at = [](std::uint64_t n, double us) {
    Cells cells = two_times("inclusive_scan", "hillis_steele", us, "blelloch", 100);
    for (Cell& cell : cells) cell.key.n = n;
    return cells;
  };
  const auto outcome = [&](double few, double many) {
    Cells cells = at(512, few);
    for (const Cell& cell : at(1 << 20, many)) cells.push_back(cell);
    return judged("N3c", cells).outcome;
  };
  CHECK(outcome(50, 200) == holds);
  CHECK(outcome(50, 50) == partly);
  CHECK(outcome(200, 50) == fails);
  CHECK(judged("N3c", at(512, 50)).outcome == untold);
  CHECK_THAT(judged("N3c", at(512, 50)).what,
             ContainsSubstring("No GPU times of `blelloch` and `hillis_steele` for one input in this run at n = 2^20"));
}

TEST_CASE("N3d: what a racy kernel lost") {
  Cell racy = of("histogram", emulated_cell("racy", ""));
  racy.verdict = "expected_wrong", racy.lost_counts = 6554, racy.counters.reset();
  CHECK(judged("N3d", {racy}).outcome == holds);
  CHECK_THAT(judged("N3d", {racy}).what, ContainsSubstring("6,554 (10.0 %)"));
  racy.lost_counts = 0;  // wrong in some other way
  CHECK(judged("N3d", {racy}).outcome == fails);
  racy.lost_counts.reset();
  CHECK(judged("N3d", {racy}).outcome == untold);
  racy.verdict = "pass";
  CHECK(judged("N3d", {racy}).outcome == fails);
  racy.verdict = "skipped";
  CHECK(judged("N3d", {racy}).outcome == untold);
}

TEST_CASE("times of one process decide nothing") {
  Cells pair = two_times("dot", "dot4_unrolled", 50, "dot3_conflict_free", 100);
  CHECK(judged("N5e", pair).outcome == holds);
  pair[0].time_us->processes = 1;
  CHECK(judged("N5e", pair).outcome == untold);
}

TEST_CASE("N3e: the same elements into few and into many bins") {
  const auto cells = [](double few_us) {
    Cells all = {timed("histogram", "global_atomics", few_us), timed("histogram", "global_atomics", 100)};
    all[0].key.bins = 10, all[1].key.bins = 65'536;
    return all;
  };
  CHECK(judged("N3e", cells(500)).outcome == holds);
  CHECK_THAT(judged("N3e", cells(500)).what,
             ContainsSubstring("500 us (495 to 505) with 10 bins, 100 us (99.0 to 101) with 65,536 bins; most bins against fewest: 5.00x"));
  CHECK(judged("N3e", cells(100)).outcome == not_shown);
  CHECK(judged("N3e", cells(50)).outcome == fails);
  Cells three = cells(500);
  three.push_back(three[0]);
  three[2].key.bins = 64;
  const auto with_64 = [&](double us) {
    three[2].time_us = timed("histogram", "global_atomics", us).time_us;
    return judged("N3e", three).outcome;
  };
  CHECK(with_64(300) == holds);
  CHECK(with_64(500) == holds);   // no difference between two steps is no reversal
  CHECK(with_64(600) == partly);  // more bins and slower
  CHECK(with_64(50) == partly);   // more than those again, and slower
  Cells other_input = cells(500);
  other_input[0].key.distribution = "constant";
  CHECK(judged("N3e", other_input).outcome == untold);
  CHECK(judged("N3e", {}).outcome == untold);
}

TEST_CASE("N3f: no atomics at all") {
  const auto cells = [](std::uint64_t count) {
    return Cells{counts("histogram", "private_then_reduce", [=](Counters& c) { c.atomics = count; }),
                 counts("histogram", "global_atomics", [](Counters& c) { c.atomics = 65'536; })};
  };
  CHECK(judged("N3f", cells(0)).outcome == holds);
  CHECK(judged("N3f", cells(1)).outcome == fails);
  CHECK(judged("N3f", {}).outcome == untold);
}

TEST_CASE("N5b: errors on one input, and the one that cancels first") {
  const auto cells = [](const char* distribution, double kahan, double tree) {
    Cells pair = {of("dot", emulated_cell("dot2_kahan", "dot1_tree", "f32")), of("dot", emulated_cell("dot1_tree", "dot0_serial", "f32"))};
    for (Cell& cell : pair) cell.key.distribution = distribution;
    pair[0].error->ulp_max = kahan, pair[1].error->ulp_max = tree;
    return pair;
  };
  CHECK(judged("N5b", cells("uniform", 1, 3)).outcome == holds);
  CHECK(judged("N5b", cells("uniform", 3, 3)).outcome == fails);
  CHECK(judged("N5b", cells("uniform", 4, 3)).outcome == fails);
  CHECK(judged("N5b", cells("uniform", 0, 0)).outcome == untold);
  CHECK(judged("N5b", {}).outcome == untold);
  Cells both = cells("another", 1, 3);
  for (const Cell& cell : cells("ill_conditioned", 500, 500)) both.push_back(cell);
  CHECK(judged("N5b", both).outcome == fails);
  CHECK_THAT(judged("N5b", both).what, ContainsSubstring("`dot2_kahan` 500, `dot1_tree` 500"));
  for (Cell& cell : both) cell.key.backend = "cuda", cell.key.contract = "host_result";  // added up in double by dot2_kahan alone
  CHECK(judged("N5b", both).outcome == untold);
}

TEST_CASE("N5d: there must have been conflicts, and fewer are left") {
  const auto outcome = [](unsigned before, unsigned after) {
    const auto passes = [](unsigned k) { return [k](Counters& c) { c.shared_requests = 100, c.shared_wavefronts = 100 * k; }; };
    return judged("N5d", {counts("dot", "dot2_kahan", passes(before)), counts("dot", "dot3_conflict_free", passes(after))}).outcome;
  };
  CHECK(outcome(4, 1) == holds);
  CHECK(outcome(1, 1) == fails);
  CHECK(outcome(2, 2) == fails);
  const auto uncounted = [](Counters& c) { c.shared_requests.reset(), c.shared_wavefronts.reset(); };
  CHECK(judged("N5d", {counts("dot", "dot2_kahan", uncounted), counts("dot", "dot3_conflict_free", uncounted)}).outcome == untold);
}

TEST_CASE("the report holds the claims on its operations, each with a verdict") {
  Results results = example();
  results.cells = barriers_per_block("dot", "dot5_last_warp", 4, "dot4_unrolled", 9);
  results.cells[0].key.distribution = results.cells[1].key.distribution = "<b>|x";
  const auto report = markdown(results);
  CHECK_THAT(report, ContainsSubstring("## The notes' claims"));
  CHECK_THAT(report, ContainsSubstring("| N5f | Where 32 threads or fewer are left, no barrier of the block is needed. | **holds** | Barriers per "
                                       "block: `dot5_last_warp` 4, `dot4_unrolled` 9, a factor of 2.25, on the emulated backend, for `dot` by sum"));
  CHECK_THAT(report, ContainsSubstring("| N5e | Writing out the steps is faster. | not testable here | No GPU times of `dot4_unrolled`"));
  CHECK_THAT(report, !ContainsSubstring("| N1a |") && !ContainsSubstring("<b>|"));
  results.cells[1].counters->barriers = 40;
  CHECK_THAT(markdown(results), ContainsSubstring("| **does not hold here** |"));

  results.cells = {of("sort", emulated_cell("serial", ""))};
  CHECK_THAT(markdown(results), !ContainsSubstring("The notes' claims") && !ContainsSubstring("printed in the notes"));
}

TEST_CASE("every claim has an id of its own") {
  std::map<std::string_view, int> ids;
  for (const Claim& claim : claims()) CHECK(++ids[claim.id] == 1);
  CHECK(ids.size() == 18);
}
