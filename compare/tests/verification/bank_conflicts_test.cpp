// What rung files say of their bank conflicts, held to the counts of the emulated backend.
#include "compare/driver/plan/catalogue.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/verification/questions.hpp"

using namespace ladder;

namespace {

reports::Counters counters_of(const ProblemSpec& problem, const std::string& path) {
  INFO(path << " of " << problem.dtype);
  WorkerProcess worker(workers_folder() / "worker_emulated");
  protocol::MeasureRequest request;
  request.problem = problem;
  const auto cell = tests::cell_of(worker, request, path);
  REQUIRE(cell.verdict == reports::Verdict::pass);
  REQUIRE(cell.counters);
  REQUIRE(cell.counters->shared_requests.value_or(0) > 0);
  return *cell.counters;
}

// Passes through shared memory beyond the one that each request takes anyway.
std::uint64_t conflicts(const ProblemSpec& problem, const std::string& path) {
  const auto counters = counters_of(problem, path);
  REQUIRE(*counters.shared_wavefronts >= *counters.shared_requests);
  return *counters.shared_wavefronts - *counters.shared_requests;
}

constexpr unsigned blocks = 32;  // of dot, 512 elements each
ProblemSpec dot(const char* dtype) {
  return {
      .operation = "dot", .op = "", .dtype = dtype, .n = 512 * blocks, .distribution = "constant"};
}
ProblemSpec scan(const char* operation, const char* dtype) {  // of one block
  return {
      .operation = operation, .op = "sum", .dtype = dtype, .n = 1024, .distribution = "constant"};
}

}  // namespace

TEST_CASE("dot1 to dot5 have no bank conflicts with 4-byte elements, though note N5 says so",
          "[emulated][dot]") {
  for (const char* dtype : {"i32", "f32"}) {
    for (const char* rung :
         {"dot1_tree", "dot2_kahan", "dot3_conflict_free", "dot4_unrolled", "dot5_last_warp"}) {
      CHECK(conflicts(dot(dtype), std::string("handwritten/dot/") + rung) == 0);
    }
  }
}

TEST_CASE("bank_conflicts has those of its header", "[emulated][dot][bank_conflicts]") {
  // Two loads and a store at each step. In a bank meet 2 lanes of 8 warps, 4 of 4, 8 of 2, 16 of
  // one; then 16 lanes are left, 8, 4 and 2.
  constexpr unsigned of_a_block = 3 * (8 * (2 - 1) + 4 * (4 - 1) + 2 * (8 - 1) + (16 - 1) +
                                       (16 - 1) + (8 - 1) + (4 - 1) + (2 - 1));
  for (const char* dtype : {"i32", "f32"})
    CHECK(conflicts(dot(dtype), "handwritten/dot/bank_conflicts") == blocks * of_a_block);
  const auto requests = [](const char* path) {
    return counters_of(dot("f32"), path).shared_requests;
  };
  // the packing is in both
  CHECK(requests("handwritten/dot/bank_conflicts") ==
        requests("handwritten/dot/dot3_conflict_free"));
}

TEST_CASE("blelloch has bank conflicts of up to 32 lanes, blelloch_conflict_free none",
          "[emulated][inclusive_scan][exclusive_scan][blelloch]") {
  // Three accesses at each step up and four at each step down. In a bank meet 2 lanes of 16 warps,
  // 4 of 8, .. 32 of one; then 16 lanes are left, .. 2.
  constexpr unsigned expected = 7 * (16 * (2 - 1) + 8 * (4 - 1) + 4 * (8 - 1) + 2 * (16 - 1) +
                                     (32 - 1) + (16 - 1) + (8 - 1) + (4 - 1) + (2 - 1));
  for (const char* operation : {"inclusive_scan", "exclusive_scan"}) {
    for (const char* dtype : {"i32", "f32"}) {
      CHECK(conflicts(scan(operation, dtype), "handwritten/scan/blelloch") == expected);
      CHECK(conflicts(scan(operation, dtype), "handwritten/scan/blelloch_conflict_free") == 0);
    }
  }
}

TEST_CASE("blelloch_conflict_free has none with 8-byte elements either",
          "[emulated][inclusive_scan][blelloch_conflict_free]") {
  // Half warps with a lane that works: 32 at the first step up and the last one down, then 16, 8,
  // 4, 2, and one at each of the five smallest. Before and after, all of the block's 32 half warps
  // store two elements and load two; one lane loads the total and clears it.
  constexpr unsigned half_warps = 7 * (32 + 16 + 8 + 4 + 2 + 5) + 4 * 32 + 2;
  for (const char* dtype : {"i64", "f64"}) {
    CHECK(counters_of(scan("inclusive_scan", dtype), "handwritten/scan/blelloch_conflict_free")
              .shared_wavefronts == half_warps);
    CHECK(
        *counters_of(scan("inclusive_scan", dtype), "handwritten/scan/blelloch").shared_wavefronts >
        2 * half_warps);
  }
}

TEST_CASE("shared_privatised with 32 copies: no two lanes meet in a bank",
          "[emulated][histogram]") {
  const ProblemSpec histogram{.operation = "histogram",
                              .op = "",
                              .dtype = "i32",
                              .n = 1024,
                              .distribution = "uniform",
                              .bins = 256};
  CHECK(conflicts(histogram, "handwritten/histogram/shared_privatised") == 0);
  CHECK(counters_of(histogram, "handwritten/histogram/shared_privatised").atomics == 1024);
}
