// What N3 gives as steps and work, beside what was counted.
#include "reports/notes/formulas.hpp"

#include "compare/tests/catch.hpp"
#include "reports/tests/notes_cells.hpp"
#include "reports/text/lists.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

Cell counted(const char* operation, const char* rung, std::uint64_t n, std::uint64_t steps,
             std::uint64_t work) {
  return with_counts(input_of(operation, "i32", n), rung,
                     [=](Counters& c) { c.steps = steps, c.work = work; });
}

Cells scans(std::uint64_t n) {
  return {counted("inclusive_scan", "serial", n, 1, 2),
          counted("inclusive_scan", "reduce_per_output", n, 3, 4),
          counted("inclusive_scan", "hillis_steele", n, 5, 6),
          counted("inclusive_scan", "blelloch", n, 7, 8)};
}

double value(const Experiment& experiment, std::string_view rung, Formula Complexity::*what,
             double n) {
  for (const Complexity& one : complexities())
    if (one.experiment.operation == experiment.operation && one.rung == rung)
      return (one.*what).of(n);
  FAIL("no formula for " << rung);
  return 0;
}

}  // namespace

TEST_CASE("the formulas are those of the note") {
  const auto scan_steps = [](const char* rung, double n) {
    return value(n3_scan, rung, &Complexity::steps, n);
  };
  const auto scan_work = [](const char* rung, double n) {
    return value(n3_scan, rung, &Complexity::work, n);
  };
  CHECK(scan_steps("serial", 1024) == 1024);
  CHECK(scan_work("serial", 1024) == 1024);
  CHECK(scan_steps("reduce_per_output", 1024) == 10);
  CHECK(scan_work("reduce_per_output", 1024) == 1024.0 * 1024);
  CHECK(scan_steps("hillis_steele", 1024) == 10);
  CHECK(scan_work("hillis_steele", 1024) == 10'240);
  CHECK(scan_steps("blelloch", 1024) == 20);
  CHECK(scan_work("blelloch", 1024) == 1024);
  CHECK(value(n3_reduce, "serial", &Complexity::steps, 1000) == 1000);
  // the tree that the note draws
  CHECK(value(n3_reduce, "shared_two_pass", &Complexity::steps, 7) == 3);
  CHECK(value(n3_reduce, "shared_two_pass", &Complexity::work, 7) == 6);
  for (const Complexity& one : complexities())
    for (const double n : {0.0, 1.0})
      CHECK((one.steps.of(n) >= 0 && one.steps.of(n) <= n && one.work.of(n) >= 0 &&
             one.work.of(n) <= n));
}

TEST_CASE(
    "each rung has its formulas beside its counts, for the largest input that has all of them") {
  Cells cells = scans(1024);
  for (const Cell& cell : scans(512)) cells.push_back(cell);
  for (const Cell& cell : {counted("inclusive_scan", "hillis_steele", 1 << 16, 50, 60),
                           counted("reduce", "interleaved", 1000, 9, 999)})
    cells.push_back(cell);
  Results results = results_of(cells);
  results.operations = {{.name = "reduce"}, {.name = "inclusive_scan", .place = 1}};
  const auto text = formulas_section(results);
  CHECK_THAT(text, ContainsSubstring("| input | rung | steps by the note | steps counted | work by "
                                     "the note | work counted |\n"));
  CHECK_THAT(text,
             ContainsSubstring("| `reduce` by sum, i32, n = 1,000, input random | `interleaved` | "
                               "log n = 10 | 9 | n - 1 = 999 | 999 |\n"
                               "| `inclusive_scan` by sum, i32, n = 2^10 (1,024), input random | "
                               "`serial` | n = 1,024 | 1 | n = 1,024 | 2 |\n"
                               "|  | `reduce_per_output` | log n = 10 | 3 | n^2 = 1,048,576 | 4 |\n"
                               "|  | `hillis_steele` | log n = 10 | 5 | n log n = 10,240 | 6 |\n"
                               "|  | `blelloch` | 2 log n = 20 | 7 | n = 1,024 | 8 |\n\n"));
}

TEST_CASE("where no input has all rungs, each says its own") {
  const auto text =
      formulas_section(results_of({counted("exclusive_scan", "serial", 2048, 1, 2),
                                   counted("exclusive_scan", "blelloch", 4096, 3, 4)}));
  CHECK_THAT(text, ContainsSubstring("n = 2^11 (2,048), input random | `serial` |"));
  CHECK_THAT(
      text,
      ContainsSubstring(
          "n = 2^12 (4,096), input random | `blelloch` | 2 log n = 24 | 3 | n = 4,096 | 4 |"));
}

TEST_CASE("what was not counted has no row, and the report no table without one") {
  const Cell counted_here = counted("reduce", "serial", 8, 7, 7);
  const Cell uncounted = with_counts(input_of("reduce"), "serial", [](Counters&) {});
  Cell on_gpu = counted_here, wrong = counted_here, ours = counted_here, library = counted_here;
  on_gpu.how.backend = Backend::cuda, wrong.outcome = Failure{Verdict::fail, "5 instead of 4"},
  ours.who.rung = "single_pass", library.who.provider = "cub";
  CHECK_FALSE(formulas_section(results_of({counted_here})).empty());
  CHECK(formulas_section(results_of({uncounted, on_gpu, wrong, ours, library,
                                     counted("histogram", "serial", 8, 7, 7)}))
            .empty());
  CHECK(formulas_section({}).empty());

  CHECK_THAT(markdown(results_of({uncounted})), !ContainsSubstring("by N3's formulas"));
  const auto report = markdown(results_of(scans(1024)));
  CHECK(report.find("## The notes' claims") < report.find("### Steps and work, by N3's formulas"));
  CHECK(report.find("# The study notes\n") < report.find("## The notes' claims"));
}
