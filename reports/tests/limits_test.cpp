// The limit of an input, and the share of it that a rung has.
#include <string>

#include "compare/tests/catch.hpp"
#include "reports/formats/report.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/flat_table.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/soundness/soundness.hpp"
#include "reports/targets/targets.hpp"
#include "reports/tests/sample.hpp"
#include "reports/words/columns.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

Cell limit_cell(double us, std::uint64_t n) {
  Cell cell = for_size(gpu_cell("handwritten", "packed", us), n);
  cell.who = {std::string(limit_provider), "read"};
  measured(cell).timing->ratios = {};
  return cell;
}

// Two inputs: with a limit of 8 us, and without one.
Results with_a_limit() {
  const auto at = [](const char* provider, const char* rung, double us, std::uint64_t n) {
    return for_size(gpu_cell(provider, rung, us), n);
  };
  Results results = with_cells(
      of_gpu(), {at("handwritten", "packed", 10, 1 << 16), at("cub", "cub", 16, 1 << 16),
                 at("handwritten", "packed", 40, 1 << 22), at("cub", "cub", 50, 1 << 22)});
  results.limits = {limit_cell(8, 1 << 16)};
  derive(results);
  return results;
}

const Ratios& row_ratios(const Results& results, std::size_t cell) {
  return results.cells.at(cell).timing()->ratios;
}

std::string errors_in(const Results& results) {
  std::string all;
  for (const Flaw& flaw : soundness(results).errors) all += flaw.where + ": " + flaw.what + '\n';
  return all;
}

}  // namespace

TEST_CASE("each timed row of an input has its share of the limit, the limit itself none") {
  const Results results = with_a_limit();
  REQUIRE(row_ratios(results, 0).vs_limit);
  CHECK(row_ratios(results, 0).vs_limit->value == Approx(0.8));
  CHECK(row_ratios(results, 0).vs_limit->ci95_low <= 0.8);
  CHECK(row_ratios(results, 1).vs_limit->value == Approx(0.5));
  for (const std::size_t other : {2, 3}) CHECK_FALSE(row_ratios(results, other).vs_limit);
  const Ratios& own = results.limits[0].timing()->ratios;
  CHECK_FALSE((own.vs_limit || own.vs_fastest_library || own.vs_first_rung));
  CHECK(results.limits[0].timing()->bandwidth_gbps.median > 0);
}

TEST_CASE("a limit is no library and no row") {
  const Results results = with_a_limit();
  CHECK(row_ratios(results, 0).vs_fastest_library->value == Approx(1.6));
  const ResultSet set(results);
  CHECK(flat(set).size() == results.cells.size());
  CHECK(set.operations.at(0).fastest.library->who.rung == "cub");
}

TEST_CASE("reports show the share with its interval, beside the ratio to the libraries") {
  const Results results = with_a_limit();
  const std::string shown = column("of limit").text(results.cells[0]);
  CHECK_THAT(shown, ContainsSubstring("80.0 % (") && ContainsSubstring(" to "));
  CHECK(column("of limit").text(results.cells[2]).empty());
  const FlatRow row = flat(ResultSet(results))[0];
  CHECK(row[flat_column("vs_limit")] == Approx(0.8));
  CHECK(row[flat_column("vs_limit_low")] <= 0.8);
  Results small = results;
  std::erase_if(small.cells, [](const Cell& cell) { return cell.input.n > 1 << 16; });
  CHECK_THAT(markdown(small), ContainsSubstring("| of limit |") && ContainsSubstring(shown) &&
                                  ContainsSubstring("at 80.0 % of the limit of this input") &&
                                  !ContainsSubstring("| of ceiling |"));
  CHECK_THAT(markdown(of_gpu()),
             ContainsSubstring("| of ceiling |") && !ContainsSubstring("| of limit |"));
  CHECK_THAT(summary_text(small), ContainsSubstring("of limit") && ContainsSubstring(shown) &&
                                      !ContainsSubstring("ceiling"));
  CHECK_THAT(summary_text(of_gpu()), ContainsSubstring("ceiling") && !ContainsSubstring("limit"));
}

TEST_CASE("the targets have the median and the lowest share of each band, where one was measured") {
  const Results results = with_a_limit();
  const auto all = bands(results);
  REQUIRE(all.size() == 2);
  CHECK(all[0].median_of_limit == Approx(0.8));
  CHECK(all[0].farthest == &results.cells[0]);
  CHECK_FALSE(all[1].median_of_limit);
  CHECK(all[1].farthest == nullptr);
  CHECK_THAT(markdown_table(targets_table(all)),
             ContainsSubstring("| median of limit | lowest of limit |") &&
                 ContainsSubstring("| 80.0 % | 80.0 %, sum, i32, n = 2^16 |"));
  Results without = results;
  without.limits.clear();
  derive(without);
  CHECK_THAT(markdown_table(targets_table(bands(without))), !ContainsSubstring("limit"));
}

TEST_CASE("a set is unsound where a limit is not what it says, or a row claims another share") {
  const Results good = with_a_limit();
  const std::string before = errors_in(good);
  const auto broken = [&](const char* what, const std::function<void(Results&)>& change) {
    Results results = good;
    change(results);
    INFO(before);
    CHECK_THAT(errors_in(results), ContainsSubstring(what));
    CHECK_THAT(before, !ContainsSubstring(what));
  };
  broken("ratios/vs_limit/value is",
         [](Results& r) { timing_of(r.cells[0]).ratios.vs_limit->value = 0.9; });
  broken("ratios/vs_limit is null",
         [](Results& r) { timing_of(r.cells[0]).ratios.vs_limit.reset(); });
  broken("/limits/0", [](Results& r) { timing_of(r.limits[0]).bandwidth_gbps.median *= 2; });
  broken("it is no limit", [](Results& r) { r.limits[0].who.provider = "handwritten"; });
  broken("it is a limit, and stands among the rows",
         [](Results& r) { r.cells.push_back(r.limits[0]); });
  broken("there is no row of its input", [](Results& r) { r.limits[0].input.n += 1; });
  broken("/limits/1 (", [](Results& r) { r.limits.push_back(r.limits[0]); });
  broken("minimum_bytes is", [](Results& r) { r.limits[0].minimum_bytes.read += 4; });
}

TEST_CASE("the runtime's own copy may have requests and no bytes, a row may not") {
  Results results = with_a_limit();
  const auto count = [](Cell& cell) {
    Counters& counters = measured(cell).counters.emplace();
    counters.global_load_requests = 64;
    counters.global_load_bytes = 0;
  };
  const char* complaint = "global_load_bytes is 0, below global_load_requests, 64";
  count(results.limits[0]);
  CHECK_THAT(errors_in(results), !ContainsSubstring(complaint));
  count(results.cells[0]);
  CHECK_THAT(errors_in(results), ContainsSubstring(complaint));
}
