// Every claim of the notes where it holds, where it does not, and where a run cannot tell.
#include "reports/notes/claims.hpp"

#include <map>
#include <string>

#include "compare/tests/catch.hpp"
#include "reports/tests/notes_cells.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

const Claim& claim_of(std::string_view id) {
  for (const Claim& claim : claims())
    if (claim.id == id) return claim;
  throw std::invalid_argument(std::string(id));
}

std::optional<Ruling> judged(std::string_view id, const Cells& cells) {
  const Claim& claim = claim_of(id);
  return evidence_of(claim, results_of(cells).cells).ruling;
}

std::string told_of(std::string_view id, const Cells& cells) {
  const Claim& claim = claim_of(id);
  return in_words(evidence_of(claim, results_of(cells).cells));
}

constexpr std::optional<Ruling> holds = Ruling::holds, partly = Ruling::partly,
                                fails = Ruling::does_not_hold, not_shown = Ruling::not_shown,
                                untold = {};

constexpr double noisy = 0.2;  // so much that 10 % do not show

// Two rungs on one input.
Cells pair(const Input& input, const char* rung, double us, const char* than, double its,
           double own_noise = 0) {
  return {timed(input, rung, us, own_noise), timed(input, than, its)};
}

Cells barriers(const char* operation, const char* rung, unsigned count, const char* than,
               unsigned its, std::uint64_t n = 1 << 16) {
  const auto with = [](unsigned k) {
    return [k](Counters& c) { c.blocks = 10, c.barriers = 10 * k; };
  };
  return {with_counts(input_of(operation, "i32", n), rung, with(count)),
          with_counts(input_of(operation, "i32", n), than, with(its))};
}

const Failure wrong{Verdict::fail, "5 instead of 4"}, not_run{Verdict::skipped, "it takes minutes"};

// N5a on one input.
Cells trees(const char* dtype, std::uint64_t n, double us, double own_noise = 0,
            const char* distribution = "uniform") {
  return pair(input_of("dot", dtype, n, distribution), "dot1_tree", us, "dot0_serial", 100,
              own_noise);
}

}  // namespace

TEST_CASE("claims that one rung is faster than another hold by time alone") {
  struct Faster {
    const char *id, *operation, *rung, *than;
  };
  const auto claim =
      GENERATE(values<Faster>({{"N1b", "reduce", "unrolling2", "interleaved"},
                               {"N2a", "sum_of_cubes", "strided", "chunked"},
                               {"N4", "reduce", "unrolling2", "interleaved"},
                               {"N5a", "dot", "dot1_tree", "dot0_serial"},
                               {"N5e", "dot", "dot4_unrolled", "dot3_conflict_free"}}));
  INFO(claim.id);
  const auto at = [&](double us, double own_noise = 0) {
    return pair(input_of(claim.operation), claim.rung, us, claim.than, 100, own_noise);
  };
  CHECK(judged(claim.id, at(90)) == holds);
  // the intervals of the two overlap, that of their paired ratio leaves 1 out
  CHECK(judged(claim.id, at(99.5)) == holds);
  CHECK(judged(claim.id, at(90, noisy)) == not_shown);
  CHECK(judged(claim.id, at(110)) == fails);
  CHECK(judged(claim.id, {}) == untold);
  CHECK_THAT(told_of(claim.id, at(90)),
             ContainsSubstring("On the GPU, for `" + std::string(claim.operation)) &&
                 ContainsSubstring("`" + std::string(claim.rung) + "` 92.2 us (90.5 to 94.0), `") &&
                 ContainsSubstring(": 1.111x (1.111 to 1.111)"));
  CHECK_THAT(told_of(claim.id, at(90, noisy)), ContainsSubstring("no difference shown"));
  CHECK_THAT(told_of(claim.id, {}),
             ContainsSubstring("No GPU times of `" + std::string(claim.rung) + "` and `" +
                               claim.than + "` for one input"));

  const auto cannot_tell = [&](const auto& change) {
    Cells one = at(90), both = at(90);
    change(one[0]);
    for (Cell& cell : both) change(cell);
    return judged(claim.id, one) == untold && judged(claim.id, both) == untold;
  };
  CHECK(cannot_tell([](Cell& c) { c.how.cache = Cache::warm; }));
  CHECK(cannot_tell([](Cell& c) { c.how.contract = Contract::host_result; }));
  CHECK(cannot_tell([](Cell& c) { c.how.backend = Backend::host; }));
  CHECK(cannot_tell([](Cell& c) { c.who.provider = "cub"; }));
  CHECK(cannot_tell([](Cell& c) { c.outcome = wrong; }));
  CHECK(cannot_tell([](Cell& c) { measured(c).timing.reset(); }));
  // one process says nothing of the next
  CHECK(cannot_tell([](Cell& c) { measured(c).timing->processes.resize(1); }));
  Cells two_inputs = at(90);
  two_inputs[0].input.n *= 2;
  CHECK(judged(claim.id, two_inputs) == untold);
}

TEST_CASE("every input of the note's size or more decides, of any type and operator") {
  const Cells own = trees("f32", 1 << 24, 90), unsure = trees("f32", 1 << 24, 90, noisy);
  CHECK(judged("N5a", own + trees("i32", 1 << 24, 80)) == holds);
  CHECK(judged("N5a", own + trees("i32", 1 << 26, 90, noisy)) == holds);  // no contradiction
  CHECK(judged("N5a", own + trees("i32", 1 << 26, 110)) == partly);
  CHECK(judged("N5a", trees("f32", 1 << 24, 110) + trees("i32", 1 << 26, 90)) == partly);
  // the note's own input shows nothing
  CHECK(judged("N5a", unsure + trees("i32", 1 << 26, 90)) == partly);
  CHECK(judged("N5a", unsure + trees("i32", 1 << 26, 110)) == fails);
  CHECK(judged("N5a", unsure + trees("i32", 1 << 26, 90, noisy)) == not_shown);

  const auto text = told_of("N5a", own + trees("i32", 1 << 24, 110) + trees("i32", 1 << 26, 125) +
                                       trees("f64", 1 << 24, 50) + trees("f64", 1 << 26, 40));
  CHECK_THAT(text, ContainsSubstring("; of 5 inputs with n >= 2^24: 3 faster (1.111x to 2.5x), 2 "
                                     "slower (0.8x to 0.9091x: i32 at n = 2^24 and 2^26)."));
  CHECK_THAT(told_of("N5a", own + trees("i32", 1 << 24, 80)),
             ContainsSubstring("; all 2 inputs with n >= 2^24: faster (1.111x to 1.25x)."));
  CHECK_THAT(
      told_of("N5a", unsure + trees("i32", 1 << 24, 110) + trees("i64", 1 << 24, 110) +
                         trees("i64", 1 << 26, 80)),
      // the smaller side has its names
      ContainsSubstring(
          ": 1 faster (1.25x: i64 at n = 2^26), 2 slower (0.9091x), 1 no difference shown ("));
}

TEST_CASE("smaller inputs are told, and do not decide") {
  const Cells own = trees("f32", 1 << 24, 90),
              smaller = trees("f32", 1 << 20, 125) + trees("f32", 1 << 22, 90);
  CHECK(judged("N5a", own + smaller) == holds);
  CHECK_THAT(
      told_of("N5a", own + smaller),
      ContainsSubstring(
          "; of 2 smaller inputs, which do not decide: 1 faster (1.111x), 1 slower (0.8x).") &&
          !ContainsSubstring("with n >="));
  CHECK(judged("N5a", smaller) == untold);
  CHECK_THAT(told_of("N5a", smaller),
             ContainsSubstring("No GPU times of `dot1_tree` and `dot0_serial` for one input with n "
                               ">= 2^24 in this run; of 2"));
}

TEST_CASE(
    "inputs are told apart by what differs among them, and by their type alone where there are "
    "many") {
  const auto scans = [](const char* op, const char* dtype, const char* distribution, double us) {
    Input input = input_of("inclusive_scan", dtype, 1 << 26, distribution);
    input.op = op;
    return pair(input, "blelloch", us, "hillis_steele", 100);
  };
  const Cells some = scans("sum", "f32", "dyadic", 90) + scans("sum", "i32", "uniform", 90) +
                     scans("sum", "i32", "zipf", 90) + scans("product", "i32", "uniform", 125);
  const auto text = [](const Cells& cells) {
    return in_words(faster("blelloch", "hillis_steele")({results_of(cells).cells, n3_scan}));
  };
  CHECK_THAT(text(some), ContainsSubstring("1 slower (0.8x: product i32 at n = 2^26)"));
  CHECK_THAT(text(some + scans("sum", "i32", "zeros", 125)),
             ContainsSubstring("product i32 at n = 2^26; sum i32 input zeros at n = 2^26)"));
  Cells many = some;
  for (const char* op : {"a", "b", "c", "d"})
    many = many + scans(op, "i32", "uniform", 125) + scans(op, "f32", "uniform", 90);
  CHECK_THAT(text(many), ContainsSubstring("5 slower (0.8x: i32 at n = 2^26)"));
}

TEST_CASE("the note's own input is told, else the nearest one") {
  const auto reduce = [](std::uint64_t n, const char* distribution, double us) {
    return pair(input_of("reduce", "i32", n, distribution), "unrolling2", us, "interleaved",
                us + 1);
  };
  Cells cells = reduce(1 << 28, "random", 90) + reduce(1 << 26, "random", 80);
  CHECK_THAT(told_of("N4", cells), ContainsSubstring("`unrolling2` 92.2 us"));
  CHECK_THAT(told_of("N4", cells = cells + reduce(1 << 24, "random", 300)),
             ContainsSubstring("`unrolling2` 308 us"));
  CHECK_THAT(told_of("N4", cells = cells + reduce(1 << 24, "glibc_bytes", 400)),
             ContainsSubstring("`unrolling2` 410 us"));
  CHECK_THAT(told_of("N1b", cells), ContainsSubstring("`unrolling2` 92.2 us"));
}

TEST_CASE("N1a: packing is seen in lanes and requests, on every input that was counted") {
  const auto cells = [](double less, double interleaved, unsigned requests,
                        const char* dtype = "i32") {
    const auto with = [](double lanes, unsigned count) {
      return [=](Counters& c) {
        c.active_lanes = lanes, c.global_load_requests = count, c.global_store_requests = 0;
      };
    };
    const Input input = input_of("reduce", dtype, 1 << 16);
    return Cells{with_counts(input, "neighbored", with(5, 1000)),
                 with_counts(input, "neighbored_less", with(less, requests)),
                 with_counts(input, "interleaved", with(interleaved, requests))};
  };
  CHECK(judged("N1a", cells(24, 25, 100)) == holds);
  CHECK(judged("N1a", cells(24, 4, 100)) == partly);
  CHECK(judged("N1a", cells(24, 25, 2000)) == partly);
  CHECK(judged("N1a", cells(5, 5, 1000)) == fails);
  CHECK(judged("N1a", {}) == untold);
  CHECK(judged("N1a", cells(24, 25, 100) + cells(24, 25, 100, "f32")) == holds);
  CHECK(judged("N1a", cells(24, 25, 100) + cells(5, 5, 1000, "f32")) == partly);
  CHECK_THAT(told_of("N1a", cells(24, 25, 100) + cells(5, 5, 1000, "f64")),
             ContainsSubstring("`neighbored` 5, `neighbored_less` 24, `interleaved` 25 (of 2 "
                               "counted inputs: 1 so, 1 not so); memory requests: "));

  const Cells with_times =
      cells(24, 25, 100) + pair(input_of("reduce"), "neighbored_less", 100, "neighbored", 90) +
      pair(input_of("reduce", "i32", 1 << 20), "neighbored_less", 100, "neighbored", 90);
  CHECK(judged("N1a", with_times) == holds);  // a time is told, and no evidence on divergence
  CHECK_THAT(told_of("N1a", with_times), ContainsSubstring(".<br>On the GPU, for `reduce`") &&
                                             ContainsSubstring("`neighbored_less` 103 us") &&
                                             !ContainsSubstring("smaller inputs"));
}

TEST_CASE("N1c and N5f: fewer barriers, and the answer is right all the same") {
  struct Fewer {
    const char *id, *operation, *rung, *than;
  };
  const auto claim = GENERATE(values<Fewer>({{"N1c", "reduce", "unroll_warps8", "interleaved"},
                                             {"N5f", "dot", "dot5_last_warp", "dot4_unrolled"}}));
  INFO(claim.id);
  const auto with = [&](unsigned count, std::uint64_t n = 1 << 16) {
    return barriers(claim.operation, claim.rung, count, claim.than, 9, n);
  };
  CHECK(judged(claim.id, with(4)) == holds);
  CHECK(judged(claim.id, with(9)) == partly);
  CHECK_THAT(told_of(claim.id, with(4)),
             ContainsSubstring("a factor of 2.25.<br>`" + std::string(claim.rung) +
                               "` gives the right answer in all 1 row"));
  Cells one_wrong = with(4) + with(4, 1000);
  one_wrong[2].outcome = wrong;
  CHECK(judged(claim.id, one_wrong) == fails);
  CHECK_THAT(told_of(claim.id, one_wrong), ContainsSubstring("the right answer in 1 of 2 rows"));
  // right, and no barrier was counted
  CHECK(judged(claim.id, {timed(input_of(claim.operation), claim.rung, 1)}) == untold);

  const Cells cells = results_of(with(4)).cells;
  CHECK(verdict_on(claim_of(claim.id), cells) == "**holds**, as repaired");
  CHECK_THAT(
      claims_section(cells),
      ContainsSubstring("which is undefined since Volta. Here `__syncwarp` separates the steps"));
}

TEST_CASE("N1d: the note says that the loop can be written out, and not that this is faster") {
  const Cells slower =
      pair(input_of("reduce"), "complete_unroll_warps8", 110, "unroll_warps8", 100);
  CHECK(judged("N1d", slower) == holds);
  CHECK_THAT(told_of("N1d", slower),
             ContainsSubstring(
                 "`complete_unroll_warps8` gives the right answer in all 1 row.<br>On the GPU") &&
                 ContainsSubstring("0.909x (0.909 to 0.909)."));
  Cells cells = slower;
  cells[0].outcome = wrong;
  CHECK(judged("N1d", cells) == fails);
  cells[0].outcome = not_run;
  CHECK(judged("N1d", cells) == untold);
  CHECK(judged("N1d", barriers("reduce", "complete_unroll_warps8", 5, "unroll_warps8", 4)) ==
        holds);
  CHECK_THAT(told_of("N1d", barriers("reduce", "complete_unroll_warps8", 5, "unroll_warps8", 4)),
             ContainsSubstring(": barriers per block: `complete_unroll_warps8` 5, `unroll_warps8` "
                               "4, a factor of 1.25."));
}

TEST_CASE(
    "N2b and N5c: a printed factor holds from half to twice its size on a logarithmic scale") {
  const auto strided = [](double factor, double own_noise = 0) {
    return judged("N2b", pair(input_of("sum_of_cubes"), "strided", 1000 / factor, "chunked", 1000,
                              own_noise));
  };
  CHECK(strided(7.26) == holds);
  CHECK(strided(2.8) == holds);
  CHECK(strided(50) == holds);
  CHECK(strided(2.6) == fails);
  CHECK(strided(55) == fails);
  CHECK(strided(1.01) == fails);
  CHECK(strided(0.5) == fails);
  CHECK(strided(1.5, 3) == not_shown);  // an interval with both 1 and 7.26 in it
  CHECK(strided(2.6, 0.2) == holds);    // with 2.7 in it, and not 1
  CHECK(judged("N2b", {}) == untold);

  const auto kahan = [](double us, double own_noise = 0) {
    return judged("N5c", pair(input_of("dot"), "dot2_kahan", us, "dot1_tree", 1000, own_noise));
  };
  CHECK(kahan(1054) == holds);
  CHECK(kahan(1030) == holds);
  CHECK(kahan(1100) == holds);
  CHECK(kahan(1020) == fails);
  CHECK(kahan(1120) == fails);
  CHECK(kahan(1000) == fails);  // sure to cost nothing
  CHECK(kahan(900) == fails);
  CHECK(kahan(1030, noisy) == not_shown);
  CHECK(judged("N5c", {}) == untold);
}

TEST_CASE("N3a: three times the bytes, as they are issued") {
  const auto cells = [](std::uint64_t global, std::uint64_t n = 1 << 20) {
    const auto bytes = [](std::uint64_t loaded) {
      return [=](Counters& c) { c.global_load_bytes = loaded, c.global_store_bytes = 0; };
    };
    return Cells{with_counts(input_of("reduce", "f32", n), "global_two_pass", bytes(global)),
                 with_counts(input_of("reduce", "f32", n), "shared_two_pass", bytes(1000))};
  };
  CHECK(judged("N3a", cells(2996)) == holds);
  CHECK_THAT(told_of("N3a", cells(2996)), ContainsSubstring("a factor of 2.996"));
  CHECK(judged("N3a", cells(2000)) == partly);
  CHECK(judged("N3a", cells(4000)) == partly);
  CHECK(judged("N3a", cells(1000)) == fails);
  CHECK(judged("N3a", cells(2996) + cells(2000, 1000)) == partly);
  CHECK(judged("N3a", {}) == untold);
}

TEST_CASE("N3b: by steps the one, by work the other") {
  const auto outcome = [](std::optional<std::uint64_t> steps, std::optional<std::uint64_t> work) {
    const auto with = [](auto s, auto w) { return [=](Counters& c) { c.steps = s, c.work = w; }; };
    const Input input = input_of("exclusive_scan", "f32", 1 << 16);
    return judged(
        "N3b",
        {with_counts(input, "hillis_steele", with(steps, work)),
         with_counts(input, "blelloch",
                     with(std::optional<std::uint64_t>(20), std::optional<std::uint64_t>(2000)))});
  };
  CHECK(outcome(10, 10'000) == holds);
  CHECK(outcome(10, 1000) == partly);
  CHECK(outcome(20, 2000) == fails);
  CHECK(outcome({}, {}) == untold);
  CHECK(outcome(10, {}) == untold);  // half of it is not it
}

TEST_CASE(
    "N3c: few elements and many have to be there, and both rungs with Blelloch's algorithm are "
    "heard") {
  const auto at = [](std::uint64_t n, double us, const char* blelloch = "blelloch") {
    return pair(input_of("inclusive_scan", "f32", n, "dyadic"), "hillis_steele", us, blelloch, 100);
  };
  constexpr std::uint64_t few = 512, between = 1 << 16, many = 1 << 20;
  CHECK(judged("N3c", at(few, 50) + at(many, 200)) == holds);
  // neither few nor many
  CHECK(judged("N3c", at(few, 50) + at(between, 50) + at(many, 200)) == holds);
  CHECK(judged("N3c", at(few, 50) + at(many, 50)) == partly);
  CHECK(judged("N3c", at(few, 200) + at(many, 50)) == fails);
  CHECK(judged("N3c", at(few, 50)) == untold);
  CHECK_THAT(told_of("N3c", at(few, 50)),
             ContainsSubstring("No GPU times of `blelloch` and `hillis_steele` for one input with "
                               "n >= 2^20 in this run"));

  Cells with_and_without = at(few, 50) + at(many, 50);
  with_and_without.push_back(
      timed(input_of("inclusive_scan", "f32", many, "dyadic"), "blelloch_conflict_free", 40));
  CHECK(judged("N3c", with_and_without) == partly);
  CHECK_THAT(told_of("N3c", with_and_without),
             ContainsSubstring("`blelloch_conflict_free` 41.0 us") && ContainsSubstring("1.250x"));
  Cells contradicted = at(few, 50) + at(many, 200);
  contradicted.push_back(
      timed(input_of("inclusive_scan", "f32", many, "dyadic"), "blelloch_conflict_free", 300));
  CHECK(judged("N3c", contradicted) == partly);
  // the note has the other one
  CHECK(judged("N3c", at(few, 50, "blelloch_conflict_free") +
                          at(many, 200, "blelloch_conflict_free")) == untold);
}

TEST_CASE("N3d: what a racy kernel lost") {
  const auto racy = [](Outcome outcome, std::uint64_t n = 1 << 16) {
    Cell cell = with_counts(input_of("histogram", "i32", n), "racy", [](Counters&) {});
    cell.input.bins = 256, cell.outcome = std::move(outcome);
    return cell;
  };
  const auto lost = [](std::optional<std::uint64_t> count) {
    return Failure{Verdict::expected_wrong, "wrong", count};
  };
  CHECK(judged("N3d", {racy(lost(6554))}) == holds);
  CHECK_THAT(told_of("N3d", {racy(lost(6554))}),
             ContainsSubstring("lost 6,554 (10.0 %) of the elements"));
  CHECK(judged("N3d", {racy(lost(0))}) == fails);  // wrong in some other way
  CHECK(judged("N3d", {racy(lost({}))}) == untold);
  CHECK(judged("N3d", {racy(Measured{})}) == fails);
  CHECK(judged("N3d", {racy(not_run)}) == untold);
  CHECK(judged("N3d", {racy(lost(6554)), racy(Measured{}, 1 << 12)}) == partly);
  CHECK_THAT(told_of("N3d", {racy(lost(6554)), racy(Measured{}, 1 << 12), racy(lost(1), 1 << 14)}),
             ContainsSubstring("; of 3 rows: 2 lost some, 1 lost none (n = 2^12)."));
  // each element may have a bin of its own
  CHECK(judged("N3d", {racy(lost(6554)), racy(Measured{}, 256)}) == holds);
}

TEST_CASE("N3e: the same elements into few and into many bins") {
  const auto with = [](unsigned bins, double us, const char* distribution = "uniform",
                       std::uint64_t n = 1 << 20) {
    Cell cell = timed(input_of("histogram", "i32", n, distribution), "global_atomics", us);
    cell.input.bins = bins;
    return cell;
  };
  const auto few = [&](double us) { return Cells{with(10, us), with(65'536, 100)}; };
  CHECK(judged("N3e", few(500)) == holds);
  CHECK_THAT(told_of("N3e", few(500)),
             ContainsSubstring("513 us (503 to 522) with 10 bins, 103 us (101 to 104) with 65,536 "
                               "bins; most bins against fewest: 5.00x"));
  CHECK(judged("N3e", few(100)) == not_shown);
  CHECK(judged("N3e", few(50)) == fails);
  CHECK(judged("N3e", few(500) + Cells{with(64, 300)}) == holds);
  // no difference between two steps is no reversal
  CHECK(judged("N3e", few(500) + Cells{with(64, 500)}) == holds);
  CHECK(judged("N3e", few(500) + Cells{with(64, 600)}) == partly);  // more bins and slower
  // more than those again, and slower
  CHECK(judged("N3e", few(500) + Cells{with(64, 50)}) == partly);
  CHECK(judged("N3e", {with(10, 500), with(65'536, 100, "zipf")}) == untold);
  CHECK(judged("N3e", few(500) + Cells{with(10, 50, "zipf"), with(64, 100, "zipf")}) == partly);
  CHECK_THAT(
      told_of("N3e", few(500) + Cells{with(10, 50, "zipf"), with(64, 100, "zipf")}),
      ContainsSubstring("; of 2 inputs: 1 slower with fewer bins, 1 faster with fewer bins."));
  // one busy bin each
  CHECK(judged("N3e", few(500) + Cells{with(10, 50, "constant"), with(64, 100, "constant")}) ==
        holds);
  CHECK(judged("N3e", few(500) + Cells{with(10, 50, "uniform", 1 << 10),
                                       with(64, 100, "uniform", 1 << 10)}) == holds);
  CHECK(judged("N3e", {}) == untold);
}

TEST_CASE("N3f: no atomics at all") {
  const auto cells = [](std::uint64_t count) {
    const Input input = input_of("histogram", "i32", 1 << 16);
    return Cells{with_counts(input, "private_then_reduce", [=](Counters& c) { c.atomics = count; }),
                 with_counts(input, "global_atomics", [](Counters& c) { c.atomics = 65'536; })};
  };
  CHECK(judged("N3f", cells(0)) == holds);
  CHECK(judged("N3f", cells(1)) == fails);
  CHECK(judged("N3f", {}) == untold);
}

TEST_CASE("N5b: errors on every input that has one, and the one that cancels first") {
  const auto cells = [](const char* distribution, double kahan, double tree,
                        How how = {Backend::emulated, {}, {}}) {
    const auto with = [&](const char* rung, double ulp) {
      Measured measured;
      measured.error = Error{.ulp_max = ulp};
      return cell_of(input_of("dot", "f32", 1 << 16, distribution), rung, how, measured);
    };
    return Cells{with("dot2_kahan", kahan), with("dot1_tree", tree)};
  };
  CHECK(judged("N5b", cells("uniform", 1, 3)) == holds);
  CHECK(judged("N5b", cells("uniform", 3, 3)) == fails);
  CHECK(judged("N5b", cells("uniform", 4, 3)) == fails);
  CHECK(judged("N5b", cells("uniform", 0, 0)) == untold);
  CHECK(judged("N5b", {}) == untold);
  // an exact one tells nothing
  CHECK(judged("N5b", cells("uniform", 0, 0) + cells("ill_conditioned", 500, 501)) == holds);
  const Cells both = cells("another", 1, 3) + cells("ill_conditioned", 500, 500);
  CHECK(judged("N5b", both) == partly);
  CHECK_THAT(told_of("N5b", both),
             ContainsSubstring("`dot2_kahan` 500, `dot1_tree` 500; of 2 inputs with an error: 1 "
                               "smaller with the step, 1 not"));
  CHECK(judged("N5b", cells("uniform", 1, 3,
                            {Backend::cuda, Contract::device_result, Cache::cold})) == holds);
  // the same answer again
  CHECK(judged("N5b", cells("uniform", 1, 3,
                            {Backend::cuda, Contract::device_result, Cache::warm})) == untold);
  // in double by dot2_kahan alone
  CHECK(judged("N5b", cells("uniform", 1, 3,
                            {Backend::cuda, Contract::host_result, Cache::cold})) == untold);
}

TEST_CASE("N5d: there must have been conflicts, and fewer are left") {
  const auto cells = [](unsigned before, unsigned after, const char* dtype = "f32") {
    const auto passes = [](unsigned k) {
      return [k](Counters& c) { c.shared_requests = 100, c.shared_wavefronts = 100 * k; };
    };
    const Input input = input_of("dot", dtype, 1 << 16);
    return Cells{with_counts(input, "dot2_kahan", passes(before)),
                 with_counts(input, "dot3_conflict_free", passes(after))};
  };
  CHECK(judged("N5d", cells(4, 1)) == holds);
  CHECK(judged("N5d", cells(1, 1)) == fails);
  CHECK(judged("N5d", cells(2, 2)) == fails);
  // two passes for 8-byte elements are no conflict
  CHECK(judged("N5d", cells(1, 1) + cells(3, 2, "f64")) == fails);
  CHECK(judged("N5d", cells(4, 1) + cells(1, 1, "i32")) == partly);
  const auto uncounted = [](Counters&) {};
  const Input input = input_of("dot", "f32", 1 << 16);
  CHECK(judged("N5d", {with_counts(input, "dot2_kahan", uncounted),
                       with_counts(input, "dot3_conflict_free", uncounted)}) == untold);
}

TEST_CASE("the section has the claims on the operations there are, each with a verdict") {
  Cells cells = barriers("dot", "dot5_last_warp", 4, "dot4_unrolled", 9);
  for (Cell& cell : cells) cell.input.distribution = "<b>|x";
  const auto text = claims_section(cells);
  CHECK_THAT(text, ContainsSubstring("## The notes' claims"));
  CHECK_THAT(text,
             ContainsSubstring("| N5f | Where 32 threads or fewer are left, no barrier of the "
                               "block is needed. | **holds**, as repaired | On the "
                               "emulated backend, for `dot`, i32, n = 2^16 (65,536), input "
                               "&#60;b&#62;&#124;x: barriers per block: "
                               "`dot5_last_warp` 4, `dot4_unrolled` 9, a factor of "
                               "2.25.<br>`dot5_last_warp` gives the right answer in all 1 row. "
                               "| The note has neither"));
  CHECK_THAT(text, ContainsSubstring("| N5e | Writing out the steps is faster. | not testable here "
                                     "| No GPU times of `dot4_unrolled`"));
  CHECK_THAT(text, !ContainsSubstring("| N1a |") && !ContainsSubstring("<b>|"));
  cells[0].outcome = wrong;
  CHECK_THAT(claims_section(cells), ContainsSubstring("| **does not hold here** |"));
  CHECK(claims_section({with_counts(input_of("sort"), "serial", [](Counters&) {})}).empty());
}

TEST_CASE("every claim has an id of its own") {
  std::map<std::string_view, int> ids;
  for (const Claim& claim : claims()) CHECK(++ids[claim.id] == 1);
  CHECK(ids.size() == 19);
}
