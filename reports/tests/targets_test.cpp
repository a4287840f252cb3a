// The table of targets, over result sets made by hand.
#include "reports/targets/targets.hpp"

#include <string>

#include "compare/tests/catch.hpp"
#include "reports/formats/report.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/tests/formats.hpp"
#include "reports/tests/sample.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::uint64_t small = 1 << 16;

Cell kernel(const char* rung, double us, std::uint64_t n = small, const char* dtype = "i32") {
  Cell cell = gpu_cell("handwritten", rung, us, dtype);
  cell.input.distribution = "uniform";
  return for_size(cell, n);
}
Cell call(const char* rung, double us, std::uint64_t n = small, const char* dtype = "i32") {
  Cell cell = kernel(rung, us, n, dtype);
  cell.who.provider = "cub";
  return cell;
}

Results set_of(std::vector<Cell> cells) {
  Results results = with_cells(of_gpu(), std::move(cells));
  derive(results);
  return results;
}

}  // namespace

TEST_CASE(
    "on each input the fastest rung is held against the fastest library, and the lowest ratio of a "
    "band is named") {
  const Results set = set_of({kernel("other", 20), kernel("packed", 10), call("cub", 20),
                              call("slow_call", 30), kernel("packed", 10, small, "f32"),
                              call("cub", 9, small, "f32"), kernel("other", 10, 1 << 18),
                              kernel("packed", 11, 1 << 18), call("cub", 15, 1 << 18)});
  const auto all = bands(set);
  REQUIRE(all.size() == 1);
  const Band& band = all[0];
  CHECK(band.operation == "reduce");
  CHECK(band.sizes == "2^14 to 2^20");
  CHECK(band.inputs.faster == 2);
  CHECK(band.inputs.slower == 1);
  CHECK(band.inputs.compared() == 3);
  CHECK(band.median == Approx(1.5).epsilon(0.01));
  CHECK(band.worst->input.dtype == "f32");
  CHECK(band.worst->who.rung == "packed");
  CHECK(band.library->who.rung == "cub");
  CHECK(targets_in_short(all) == "faster on 2 of 3 inputs, slower on 1, no difference shown on 0");
  CHECK_THAT(markdown_table(targets_table(all)),
             ContainsSubstring("| `reduce` | 2^14 to 2^20 | 3 | 1 | 1.5") &&
                 ContainsSubstring("| 0.900x (0.900 to 0.900) |") &&
                 ContainsSubstring(" | sum, f32, n = 2^16, uniform: `packed` against `cub` |"));
}

TEST_CASE("a tie is no difference, and counts among the inputs") {
  const auto all = bands(set_of({kernel("packed", 10), call("cub", 10)}));
  REQUIRE(all.size() == 1);
  CHECK(all[0].inputs.no_difference == 1);
  CHECK(all[0].inputs.compared() == 1);
}

TEST_CASE("a band ends before the size that the next one begins with") {
  std::vector<Cell> cells;
  for (const std::uint64_t n : {1ULL, (1ULL << 14) - 1, 1ULL << 14, (1ULL << 20) - 1, 1ULL << 20,
                                (1ULL << 24) - 1, 1ULL << 24, 1ULL << 30})
    cells.push_back(kernel("packed", 10, n)), cells.push_back(call("cub", 20, n));
  const Results set = set_of(cells);
  const auto all = bands(set);
  REQUIRE(all.size() == 4);
  std::vector<std::string> sizes;
  for (const Band& band : all) {
    sizes.push_back(band.sizes);
    CHECK(band.inputs.compared() == 2);
  }
  CHECK(sizes ==
        std::vector<std::string>{"below 2^14", "2^14 to 2^20", "2^20 to 2^24", "2^24 and more"});
}

TEST_CASE("only times from cold caches until the result is in the GPU's memory count") {
  Cell mine = kernel("packed", 10), other = call("cub", 20);
  mine.how.contract = other.how.contract = Contract::host_result;
  CHECK(bands(set_of({mine, other})).empty());
  mine = kernel("packed", 10), other = call("cub", 20);
  mine.how.cache = other.how.cache = Cache::warm;
  CHECK(bands(set_of({mine, other})).empty());
}

TEST_CASE("an input without a library, or without an answer of a rung, is in no band") {
  CHECK(bands(set_of({kernel("packed", 10)})).empty());
  CHECK(bands(set_of({call("cub", 10), call("slow_call", 20)})).empty());
  CHECK(bands(set_of({without(kernel("packed", 10), Verdict::fail, "5 instead of 4"),
                      call("cub", 20)}))
            .empty());
}

TEST_CASE("an input with the rungs of a note alone is in no band") {
  CHECK(bands(set_of({kernel("other", 10), call("cub", 5)})).empty());
  CHECK(bands(set_of({kernel("other", 10), kernel("packed", 20), call("cub", 5)})).size() == 1);
}

TEST_CASE("displaced arrays count as inputs of their own") {
  const auto displaced = [](Cell cell) {
    cell.input.offset = 1;
    return cell;
  };
  const Results set = set_of({kernel("packed", 10), call("cub", 20),
                              displaced(kernel("packed", 30)), displaced(call("cub", 20))});
  const auto all = bands(set);
  REQUIRE(all.size() == 1);
  CHECK(all[0].inputs.compared() == 2);
  CHECK(all[0].worst->input.offset == 1);
}

TEST_CASE(
    "the rung for every size of an operation is told by its name, and for bytes by the type") {
  const auto holds = [](const char* operation, const char* dtype, const char* rung,
                        const char* provider = "handwritten") {
    return holds_a_line(operation, dtype, {provider, rung});
  };
  CHECK(holds("reduce", "i32", "packed"));
  CHECK(holds("dot", "f64", "compensated_gather"));
  CHECK(holds("histogram", "i32", "by_size"));
  CHECK(holds("histogram", "u8", "bytes"));
  CHECK_FALSE(holds("histogram", "i32", "bytes"));
  CHECK_FALSE(holds("histogram", "u8", "by_size"));
  CHECK_FALSE(holds("reduce", "i32", "base"));
  CHECK_FALSE(holds("reduce", "i32", "packed", "cub"));
  CHECK_FALSE(holds("none", "i32", "packed"));
}

TEST_CASE(
    "the report has the table where a rung was timed beside a library, and nothing elsewhere") {
  const Results set = set_of({kernel("packed", 10), call("cub", 12)});
  CHECK_THAT(markdown(set), ContainsSubstring("\n## Targets\n\n") &&
                                ContainsSubstring("[Targets](#targets)") &&
                                ContainsSubstring(": faster on 1 of 1 input, slower on 0") &&
                                ContainsSubstring(markdown_table(targets_table(bands(set)))));
  Results counted = set;
  for (Cell& cell : counted.cells) cell = without(cell, Verdict::skipped, "no GPU");
  CHECK_THAT(markdown(counted), !ContainsSubstring("## Targets"));
}
