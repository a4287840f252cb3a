// The targets, judged over result sets made by hand.
#include "reports/targets/targets.hpp"

#include <cmath>
#include <string>

#include "compare/tests/catch.hpp"
#include "reports/formats/report.hpp"
#include "reports/targets/odd_sizes.hpp"
#include "reports/tests/formats.hpp"
#include "reports/tests/sample.hpp"
#include "reports/words/names.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring, Catch::Matchers::StartsWith;

namespace {

constexpr std::uint64_t small = 1 << 16;

Cell cell_of(Cell cell, const char* operation, std::uint64_t n,
             const char* distribution = "uniform", std::optional<unsigned> bins = {}) {
  cell.input.operation = operation, cell.input.distribution = distribution, cell.input.bins = bins;
  return for_size(cell, n);
}

Cell packed(double us, std::uint64_t n = small, const char* dtype = "i32") {
  return cell_of(gpu_cell("handwritten", "packed", us, dtype), "reduce", n);
}
Cell call(const char* rung, double us, std::uint64_t n = small, const char* dtype = "i32") {
  return cell_of(gpu_cell("cub", rung, us, dtype), "reduce", n);
}

Cell back_to_back(Cell cell, double us) {
  for (ProcessMedian& one : timing_of(cell).processes)
    one.back_to_back_us = us * one.time_us / timing_of(cell).time_us.median;
  return cell;
}

// All give the same bits in every run, but those whose name says otherwise.
Results with_promises(Results results) {
  results.rungs.clear();
  for (const Cell& cell : results.cells) {
    Rung& card = results.rungs.emplace_back();
    card.operation = cell.input.operation, card.provider = cell.who.provider,
    card.rung = cell.who.rung;
    card.promise = card.rung == "cub_any_order" ? Promise::any_order : Promise::same_bits;
  }
  return results;
}

// The results of a line's text and a column's first size.
struct TargetsOf {
  explicit TargetsOf(std::vector<Cell> cells)
      : results(with_promises(with_cells(of_gpu(), std::move(cells)))),
        all(judged_targets(results)) {}

  const TargetResult& at(std::string_view text, std::uint64_t first_size) const {
    for (const TargetResult& one : all)
      if (target_columns[one.column] == first_size &&
          target_text(one).find(text) != std::string::npos)
        return one;
    FAIL("there is no such target: " << text);
    return all.front();
  }

  Results results;
  std::vector<TargetResult> all;
};

const std::string same_promise =
                      "reduce and sum_of_cubes, every operator, 4 bytes, against the same promise",
                  all_libraries =
                      "reduce and sum_of_cubes, every operator, 4 bytes, against all libraries";

}  // namespace

TEST_CASE("a target is judged by the lower end of the interval, not by the ratio") {
  // samples: the interval of a ratio is a little over 1 % to each side
  const TargetsOf good({packed(10), call("cub", 14)}), wide({packed(10), call("cub", 13.6)});
  CHECK(good.at(same_promise, 1 << 14).reach == Reach::reached);
  const TargetResult& missed = wide.at(same_promise, 1 << 14);
  REQUIRE(missed.ratio);
  CHECK(missed.ratio->value > 1.35);
  CHECK(missed.ratio->ci95_low < 1.35);
  CHECK(missed.reach == Reach::missed);
  CHECK(wide.at(all_libraries, 1 << 14).reach == Reach::reached);
  CHECK(wide.at(same_promise, 1 << 20).reach == Reach::not_measured);
}

TEST_CASE(
    "the worst of all operators, types, inputs and sizes of a column decides, against the fastest "
    "library of its own input") {
  Cell min = packed(10), min_library = call("thrust", 12);
  min.input.op = min_library.input.op = "min";
  const TargetsOf judged({packed(10), call("cub", 20), call("slow", 30), min, min_library,
                          packed(10, 1 << 18), call("cub", 15, 1 << 18), packed(1, 1 << 28),
                          call("cub", 9, 1 << 28)});
  const TargetResult& found = judged.at(all_libraries, 1 << 14);
  CHECK(found.cell->input.op == "min");
  CHECK(found.rival->who.rung == "thrust");
  CHECK(found.ratio->value == Approx(1.2).epsilon(0.01));
  CHECK(found.reach == Reach::reached);
  CHECK(judged.at(same_promise, 1 << 14).reach == Reach::missed);
}

TEST_CASE("a size between two columns belongs to the left one, and one below the first to none") {
  const TargetsOf judged({packed(10, (1 << 20) - 1), call("cub", 20, (1 << 20) - 1),
                          packed(10, 512), call("cub", 1, 512)});
  CHECK(judged.at(same_promise, 1 << 14).reach == Reach::reached);
  CHECK(judged.at(same_promise, 1 << 20).reach == Reach::not_measured);
  CHECK(judged.at(same_promise, 1 << 10).reach == Reach::not_measured);
}

TEST_CASE("types are told apart by their size") {
  const TargetsOf judged({packed(10, small, "f64"), call("cub", 20, small, "f64")});
  CHECK(judged.at(same_promise, 1 << 14).reach == Reach::not_measured);
  CHECK(judged.at("8 bytes, against the same promise", 1 << 14).reach == Reach::reached);
}

TEST_CASE("a call with another promise counts among all libraries alone") {
  const TargetsOf judged({packed(10), call("cub", 20), call("cub_any_order", 11)});
  CHECK(judged.at(same_promise, 1 << 14).reach == Reach::reached);
  CHECK(judged.at(all_libraries, 1 << 14).reach == Reach::missed);
}

TEST_CASE(
    "not shown slower: a tie is a tie, faster is reached, and slower is missed even where another "
    "cell has the lower lower end") {
  const std::uint64_t n = 1 << 10;
  CHECK(TargetsOf({packed(10, n), call("cub", 10, n)}).at(same_promise, n).reach == Reach::tie);
  CHECK(TargetsOf({packed(10, n), call("cub", 11, n)}).at(same_promise, n).reach == Reach::reached);
  CHECK(TargetsOf({packed(10, n), call("cub", 9, n)}).at(same_promise, n).reach == Reach::missed);
  Cell vague = packed(10, n, "f32");  // from far below 1 to far above
  for (std::size_t p = 0; p < 6; ++p) timing_of(vague).processes[p].time_us *= p % 2 == 0 ? 2 : 0.5;
  const TargetsOf both({packed(10, n), call("cub", 9.5, n), vague, call("cub", 10, n, "f32")});
  CHECK(both.at(same_promise, n).cell->input.dtype == "i32");
  CHECK(both.at(same_promise, n).reach == Reach::missed);
}

TEST_CASE("the last column also asks for a share of the bandwidth that memory gives") {
  const std::uint64_t n = 1 << 28;  // 1 GiB: at 4,300 GB/s 250 us
  const TargetsOf judged({packed(260, n), call("cub", 300, n)}),
      slow({packed(270, n), call("cub", 300, n)});
  CHECK(judged.at(same_promise, n).reach == Reach::reached);
  CHECK(*judged.at(same_promise, n).percent_of_ceiling == Approx(96.0).epsilon(0.01));
  CHECK(slow.at(same_promise, n).reach == Reach::missed);
  CHECK(slow.at(all_libraries, n).reach == Reach::reached);  // this line asks for none
  Results unknown = slow.results;
  for (Cell& cell : unknown.cells) timing_of(cell).percent_of_ceiling.reset();
  CHECK(judged_targets(unknown)[6].reach == Reach::not_measured);
}

TEST_CASE(
    "back to back is compared with what is fastest back to back, and until the host holds the "
    "result with whoever does that") {
  const TargetsOf judged({back_to_back(packed(10), 5), back_to_back(call("cub", 11), 9),
                          back_to_back(call("thrust", 30), 5.1)});
  const TargetResult& found = judged.at("back to back, against the same promise", 1 << 14);
  CHECK(found.rival->who.rung == "thrust");
  CHECK(found.reach == Reach::missed);
  Cell mine = packed(10), other = call("thrust", 30);
  mine.how.contract = other.how.contract = Contract::host_result;
  CHECK(TargetsOf({mine, other}).at("until the host holds the result", 1 << 14).reach ==
        Reach::reached);
  CHECK(TargetsOf({mine, other}).at(same_promise, 1 << 14).reach == Reach::not_measured);
  CHECK(judged.at("until the host holds the result", 1 << 14).reach == Reach::not_measured);
}

TEST_CASE("the compensated dot is held against the plain one, from 2^18") {
  const auto dot = [](const char* rung, double us, std::uint64_t n) {
    return cell_of(gpu_cell("handwritten", rung, us, "f64"), "dot", n);
  };
  const std::uint64_t large = 1 << 26;
  const TargetsOf judged({dot("packed", 10, 1 << 18), dot("compensated_gather", 10.7, 1 << 18),
                          dot("packed", 10, large), dot("compensated_gather", 10.7, large),
                          dot("packed", 10, 1 << 14), dot("compensated_gather", 90, 1 << 14)});
  CHECK(judged.at("compensated dot, against the plain one, n = 2^18: at most 10 % slower", 1 << 14)
            .reach == Reach::reached);
  CHECK(judged.at("compensated dot, against the plain one, n = 2^26: at most 3 % slower", large)
            .reach == Reach::missed);
}

TEST_CASE("lines of a histogram hold their bins and inputs") {
  const auto histogram = [](const char* provider, std::string_view rung, double us,
                            const char* distribution, unsigned bins, const char* dtype) {
    return cell_of(gpu_cell(provider, std::string(rung).c_str(), us, dtype), "histogram", 1 << 24,
                   distribution, bins);
  };
  const std::string_view rung = rung_of_targets("histogram", "i32");
  const TargetsOf judged({histogram("handwritten", rung, 10, "constant", 4096, "i32"),
                          histogram("cub", "cub", 17, "constant", 4096, "i32"),
                          histogram("handwritten", rung, 10, "zipf", 4096, "i32"),
                          histogram("cub", "cub", 14, "zipf", 4096, "i32"),
                          histogram("handwritten", rung, 50, "uniform", 256, "u8"),
                          histogram("handwritten", "bytes", 10, "uniform", 256, "u8"),
                          histogram("cub", "cub", 16, "uniform", 256, "u8")});
  CHECK(judged.at("bins, constant", 1 << 24).reach == Reach::reached);
  CHECK(judged.at("bins, uniform, zipf and sorted", 1 << 24).reach == Reach::missed);
  CHECK(judged.at("10 to 1,024 bins", 1 << 24).reach == Reach::not_measured);
  CHECK(judged.at("histogram of u8", 1 << 24).reach == Reach::reached);
}

TEST_CASE(
    "a wrong answer of a rung that holds a line misses it, a rung that was not run leaves it") {
  const TargetsOf wrong({without(packed(10, small, "f32"), Verdict::fail, "5 instead of 4"),
                         packed(10), call("cub", 20)});
  CHECK(wrong.at(same_promise, 1 << 14).reach == Reach::missed);
  CHECK_THAT(targets_table({wrong.at(same_promise, 1 << 14)}),
             ContainsSubstring("| none: wrong answer by `reduce`, sum, f32, n = 2^16, uniform |"));
  const TargetsOf skipped({without(packed(10, small, "f32"), Verdict::skipped, "too large"),
                           packed(10), call("cub", 20)});
  CHECK(skipped.at(same_promise, 1 << 14).reach == Reach::reached);
}

TEST_CASE(
    "the report has the table where a rung that holds a line was timed on a GPU, and nothing "
    "elsewhere") {
  const TargetsOf judged({packed(10), call("cub", 12)});
  const Files files = markdown_files(judged.results);
  CHECK_THAT(files.at("report.md"),
             ContainsSubstring("\n## Targets\n\nTargets: 1 reached, 0 tied, 1 missed and ") &&
                 ContainsSubstring("[every target](report/targets.md)") &&
                 ContainsSubstring("[Targets](#targets)"));
  CHECK_THAT(files.at("report.md"),
             ContainsSubstring("| reduce and sum_of_cubes, every operator, 4 bytes, against the "
                               "same promise, n = 2^14 to 2^18: 1.35x | 1.200x: "
                               "`reduce`, sum, i32, n = 2^16, uniform, against `cub` | 1.1") &&
                 ContainsSubstring("| missed |"));
  CHECK_THAT(files.at("report/targets.md"),
             ContainsSubstring(targets_table(judged.all)) && ContainsSubstring("| not measured |"));
  CHECK_FALSE(markdown_files(of_gpu()).contains("report/targets.md"));
  CHECK_THAT(markdown(of_gpu()), !ContainsSubstring("## Targets"));
  Results counted = judged.results;
  for (Cell& cell : counted.cells) cell = without(cell, Verdict::skipped, "no GPU");
  CHECK_FALSE(markdown_files(counted).contains("report/targets.md"));
}

TEST_CASE("a size that is no power of two is held against the line between those beside it") {
  const std::uint64_t low = 1 << 20, high = 1 << 22, odd = 3 << 20;
  const TargetsOf judged({packed(1.048576, low), packed(2 * 4.194304, high),
                          packed(2 * 3.145728, odd), packed(99, 3 << 22), packed(99, 1000),
                          packed(1, odd, "f32"), call("cub", 99, odd)});
  const auto all = odd_sizes(judged.results);
  REQUIRE(all.size() == 1);  // the others have a power of two on one side, or on none
  CHECK(all[0].cell->input.n == odd);
  const double trend = 1 + (std::log2(3.0) / 2);  // 1 ps at 2^20, 2 at 2^22
  CHECK(all[0].above_trend == Approx(2 / trend - 1));
  CHECK_THAT(
      odd_sizes_text(judged.results),
      ContainsSubstring(
          "Of 1 time at a size that is not a power of two, 0 are more than 15 % above the trend") &&
          ContainsSubstring(
              "| `reduce`, sum, i32, n = 3,145,728 | uniform | `packed` | +11.6 % | yes |"));
  const TargetsOf slow(
      {packed(1.048576, low), packed(2 * 4.194304, high), packed(3 * 3.145728, odd)});
  CHECK_THAT(odd_sizes_text(slow.results),
             ContainsSubstring(", 1 is more than 15 % above the trend") &&
                 ContainsSubstring("| +67.4 % | no |"));
  CHECK(odd_sizes_text(of_gpu()).empty());
}

TEST_CASE("displaced arrays are held against the time on aligned ones, and decide no target") {
  const auto displaced = [](Cell cell) {
    cell.input.offset = 1;
    return cell;
  };
  const TargetsOf judged({packed(10), call("cub", 20), displaced(packed(12)),
                          displaced(call("cub", 5)), packed(10, small, "f32"),
                          displaced(packed(11.4, small, "f32")),
                          displaced(packed(99, small, "i64"))});
  CHECK(judged.at(same_promise, 1 << 14).reach == Reach::reached);
  const auto all = odd_sizes(judged.results);
  REQUIRE(all.size() == 2);  // i64 has no aligned time
  CHECK(all[0].above_trend == Approx(0.2));
  CHECK(all[1].above_trend == Approx(0.14));
  CHECK_THAT(odd_sizes_text(judged.results),
             StartsWith("Of 2 times on displaced arrays, 1 is more than 15 % above the time of the "
                        "same size on aligned arrays. The worst:\n") &&
                 ContainsSubstring("| `reduce`, sum, i32, n = 2^16, displaced by 1 | uniform | "
                                   "`packed` | +20.0 % | no |") &&
                 ContainsSubstring("| +14.0 % | yes |"));
}
