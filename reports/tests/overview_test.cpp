// The study notes at a glance.
#include "reports/notes/overview.hpp"

#include "compare/tests/catch.hpp"
#include "reports/tests/notes_cells.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

Rung rung(const char* operation, const char* provider, const char* name,
          std::vector<std::string> notes) {
  Rung card;
  card.operation = operation, card.provider = provider, card.rung = name,
  card.notes = std::move(notes);
  return card;
}

}  // namespace

TEST_CASE("each note has its rungs, the library calls beside them and its claims") {
  Cell library = timed(input_of("reduce"), "cub", 90);
  library.who.provider = "cub";
  Results results = results_of({timed(input_of("reduce"), "interleaved", 200),
                                timed(input_of("reduce"), "unrolling2", 100), library,
                                timed(input_of("sum_of_cubes"), "chunked", 90),
                                with_counts(input_of("reduce"), "interleaved",
                                            [](Counters& c) { c.blocks = 1, c.barriers = 9; }),
                                with_counts(input_of("reduce"), "unroll_warps8",
                                            [](Counters& c) { c.blocks = 1, c.barriers = 4; })});
  results.rungs = {rung("reduce", "handwritten", "interleaved", {"N1"}),
                   rung("reduce", "handwritten", "unrolling2", {"N1"}),
                   rung("reduce", "handwritten", "single_pass", {}),
                   rung("reduce", "cub", "cub", {}),
                   rung("reduce", "cub", "not_run", {}),
                   rung("sum_of_cubes", "handwritten", "chunked", {"N2"})};
  const auto text = notes_overview(results);
  CHECK_THAT(text,
             ContainsSubstring(
                 "| N1: branch divergence and unrolling | `interleaved`, `unrolling2` | `cub` | "));
  CHECK_THAT(text, ContainsSubstring("A block that sums two slices is faster, although half as "
                                     "many blocks run. **holds**<br>"));
  CHECK_THAT(text, ContainsSubstring(
                       "The last warp needs no barriers of the block. **holds**, as repaired<br>"));
  CHECK_THAT(
      text,
      ContainsSubstring(
          "| N2: the access pattern | `chunked` |  | Reading side by side, with nothing else "
          "changed, is faster. not "
          "testable here<br>Reading side by side is 7.26 times as fast. not testable here |"));
  CHECK_THAT(text, !ContainsSubstring("N3") && !ContainsSubstring("N4"));
}

TEST_CASE("without a rung of a note there is nothing to show") {
  Results results = results_of({timed(input_of("reduce"), "single_pass", 80)});
  results.rungs = {rung("reduce", "handwritten", "single_pass", {}),
                   rung("reduce", "cub", "cub", {"N1"})};
  CHECK(notes_overview(results).empty());
}
