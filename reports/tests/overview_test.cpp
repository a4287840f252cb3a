// The study notes at a glance.
#include "reports/notes/overview.hpp"

#include "compare/tests/catch.hpp"
#include "reports/tests/sample.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

Cell of_note(const char* note, const char* operation, Cell cell) {
  cell.key.operation = operation;
  cell.notes = {note};
  return cell;
}

}  // namespace

TEST_CASE("each note has its rungs, the library calls beside them and its claims") {
  Results results;
  results.cells = {of_note("N1", "reduce", gpu_cell("handwritten", "interleaved", 200)),
                   of_note("N1", "reduce", gpu_cell("handwritten", "unrolling2", 100)),
                   of_note("N1", "reduce", gpu_cell("handwritten", "unrolling2", 100, "f64")), gpu_cell("cub", "cub", 90),
                   of_note("N2", "sum_of_cubes", gpu_cell("handwritten", "chunked", 90))};
  for (Cell& cell : results.cells)
    if (cell.key.provider == "cub") cell.key.operation = "reduce";
  const auto text = notes_overview(results);
  CHECK_THAT(text, ContainsSubstring("| N1: branch divergence and unrolling | `interleaved`, `unrolling2` | `cub` | "));
  CHECK_THAT(text, ContainsSubstring("A block that sums two slices is faster, although half as many blocks run. **holds**<br>"));
  CHECK_THAT(text, ContainsSubstring("| N2: the access pattern | `chunked` |  | Reading side by side, with nothing else changed, is 7.26 times as "
                                     "fast. not testable here |"));
  CHECK_THAT(text, !ContainsSubstring("N3") && !ContainsSubstring("N4"));
}

TEST_CASE("without a rung of a note there is nothing to show") {
  Results results;
  results.cells = {gpu_cell("cub", "cub", 90), gpu_cell("handwritten", "single_pass", 80)};
  for (Cell& cell : results.cells) cell.notes.clear();
  CHECK(notes_overview(results).empty());
}
