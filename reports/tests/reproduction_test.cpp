// When the ratios of a set are those of another run of it.
#include "reports/formats/terminal/reproduction.hpp"

#include "compare/tests/catch.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/tests/sample.hpp"

using namespace ladder::reports;

namespace {

bool agree(std::size_t faster, std::size_t slower, std::size_t no_difference) {
  Reproduction found;
  found.ratios = {faster, slower, no_difference};
  return found.ratios_agree();
}

Results of_cells(std::vector<Cell> cells) {
  Results r = of_gpu();
  r.cells = std::move(cells);
  return r;
}

// A row whose ratio to the fastest library is known within 1 %.
Cell ahead(double ratio, Contract contract) {
  Cell cell = gpu_cell("handwritten", "one", 100);
  cell.how.contract = contract;
  timing_of(cell).ratios.vs_fastest_library =
      Ratio{ratio, ratio * 0.99, ratio * 1.01, Difference::faster};
  return cell;
}

}  // namespace

TEST_CASE("at least so many of n events") {
  CHECK(ladder::statistics::at_least(0, 3, 0.05) == 1);
  CHECK(ladder::statistics::at_least(1, 1, 0.05) == Approx(0.05));
  CHECK(ladder::statistics::at_least(1, 2, 0.05) == Approx(1 - 0.95 * 0.95));
  CHECK(ladder::statistics::at_least(2, 2, 0.05) == Approx(0.0025));
}

TEST_CASE("ratios agree where no more of them differ than chance makes") {
  CHECK(agree(0, 0, 0));
  CHECK(agree(0, 0, 6));
  CHECK_FALSE(agree(1, 0, 0));
  CHECK(agree(1, 0, 1));
  CHECK_FALSE(agree(1, 1, 0));
  CHECK(agree(3, 4, 93));
  CHECK_FALSE(agree(7, 8, 85));
  CHECK(agree(114, 135, 4585));    // two runs of one program on two cards of one model
  CHECK_FALSE(agree(12, 0, 400));  // fewer than chance makes, and all of them one way
}

TEST_CASE("a ratio until the host holds the result does not decide, unless there is no other") {
  const auto device = Contract::device_result, host = Contract::host_result;
  const auto both = reproduction(of_cells({ahead(2, device), ahead(2, host)}),
                                 of_cells({ahead(2, device), ahead(3, host)}), {});
  CHECK(both.ratios.compared() == 1);
  CHECK(both.reproduced());
  CHECK_FALSE(reproduction(of_cells({ahead(2, device), ahead(2, host)}),
                           of_cells({ahead(3, device), ahead(2, host)}), {})
                  .reproduced());
  CHECK_FALSE(
      reproduction(of_cells({ahead(2, host)}), of_cells({ahead(3, host)}), {}).reproduced());
}
