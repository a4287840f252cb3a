// The trees of rungs whose shape is known from a book: how high they are, how much work they are,
// and what follows for the error of a sum.
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compare/driver/plan/catalogue.hpp"
#include "compare/problem/bounds.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/verification/questions.hpp"

using namespace ladder;

namespace {

ProblemSpec sum(const std::string& operation, std::string dtype, std::uint64_t n,
                std::string distribution = "uniform") {
  return {.operation = operation,
          .op = "sum",
          .dtype = std::move(dtype),
          .n = n,
          .distribution = std::move(distribution)};
}

// Of the emulated backend.
class Counted {
 public:
  reports::Counters operator()(const ProblemSpec& problem, const std::string& path) {
    protocol::MeasureRequest request;
    request.problem = problem;
    const auto cell = tests::cell_of(worker_, request, path);
    INFO(path << ": " << cell.reason);
    REQUIRE(cell.verdict == reports::Verdict::pass);
    REQUIRE(cell.counters);
    return *cell.counters;
  }

  void check(const ProblemSpec& problem, const std::string& path, std::uint64_t steps,
             std::uint64_t work) {
    INFO(path << ", " << problem.operation << " of " << problem.dtype << ", n = " << problem.n);
    const auto counters = (*this)(problem, path);
    CHECK(counters.steps == steps);
    CHECK(counters.work == work);
  }

 private:
  WorkerProcess worker_{workers_folder() / "worker_emulated"};
};

std::uint64_t log2(std::uint64_t n) {
  return std::bit_width(n) - 1;
}

}  // namespace

TEST_CASE("emulated: serial takes n - 1 steps, a tree log2 n, and both are n - 1 operations",
          "[emulated][trees]") {
  Counted counted;
  for (const char* dtype : {"i32", "f32", "f64"}) {
    for (const std::uint64_t n : {1, 2, 512}) {
      counted.check(sum("reduce", dtype, n), "handwritten/reduce/serial", n - 1, n - 1);
      for (const char* tree :
           {"global_two_pass", "shared_two_pass", "neighbored", "neighbored_less", "interleaved"})
        counted.check(sum("reduce", dtype, n), std::string("handwritten/reduce/") + tree, log2(n),
                      n - 1);
    }
  }
  constexpr std::uint64_t n = 1 << 16;
  counted.check(sum("reduce", "i32", n), "handwritten/reduce/neighbored", log2(n), n - 1);
  // a chain of 8, 512 threads, 16 blocks
  counted.check(sum("reduce", "i32", n), "handwritten/reduce/unroll_warps8", (8 - 1) + 9 + 4,
                n - 1);
}

TEST_CASE("emulated: a scan by the book takes its steps and its work", "[emulated][trees]") {
  Counted counted;
  constexpr std::uint64_t n = 1024;  // one whole block
  for (const char* dtype : {"i32", "f64"}) {
    counted.check(sum("inclusive_scan", dtype, n), "handwritten/scan/serial", n - 1, n - 1);
    counted.check(sum("inclusive_scan", dtype, n), "handwritten/scan/hillis_steele", log2(n),
                  n * log2(n) - (n - 1));
    // Up and down n - 1 each, but for the log2 n of the leftmost path down, where nothing comes
    // before; the chain of a result begins a step late and ends a step early for the same reason.
    for (const char* rung :
         {"handwritten/scan/blelloch", "handwritten/scan/blelloch_conflict_free"}) {
      counted.check(sum("exclusive_scan", dtype, n), rung, 2 * log2(n) - 2, 2 * (n - 1) - log2(n));
      // and each its own element
      counted.check(sum("inclusive_scan", dtype, n), rung, 2 * log2(n) - 1,
                    2 * (n - 1) - log2(n) + (n - 1));
    }
  }
}

TEST_CASE("emulated: the result that the host folds has a tree of its own", "[emulated][trees]") {
  WorkerProcess worker(workers_folder() / "worker_emulated");
  constexpr std::uint64_t n = 1 << 16;
  protocol::VerifyRequest request;
  request.problem = sum("reduce", "f64", n);
  const auto on_device = tests::answer_of(worker, request, "handwritten/reduce/neighbored");
  request.contract = Contract::host_result;
  const auto on_host = tests::answer_of(worker, request, "handwritten/reduce/neighbored");
  CHECK(on_device.pass);
  CHECK(on_host.pass);
  // 128 blocks of 512
  CHECK(on_host.bound / on_device.bound == Approx((9.0 + 127) / 16).epsilon(0.1));
}

TEST_CASE("host: a library's sum is held to the height of its tree, where that does not vary",
          "[host][trees]") {
  WorkerProcess worker(workers_folder() / "worker_host");
  protocol::VerifyRequest request;
  request.problem = sum("reduce", "f64", 1000);
  const auto serial = tests::answer_of(worker, request, "vendor/reduce/std_serial"),
             parallel = tests::answer_of(worker, request, "vendor/reduce/std_parallel");
  CHECK(serial.pass);
  CHECK(parallel.pass);
  CHECK(serial.bound == parallel.bound);  // a chain in the one, and whatever order in the other
}

TEST_CASE("emulated: heights are nobody's operator", "[emulated][trees]") {
  const Catalogue catalogue = read_catalogue(workers_folder());
  for (const Backend& backend : catalogue.backends) {
    for (const auto& one : backend.implementations)
      CHECK(std::ranges::count(one.operators, "height") == 0);
    for (const auto& one : backend.kinds) CHECK(one.op != "height");
  }
}
