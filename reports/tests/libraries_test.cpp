// What a report says of libraries of several versions and promises: the ratio against those that
// promise as much, and what an upgrade brings.
#include <unistd.h>

#include "compare/tests/catch.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/markdown/library_upgrade.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/tests/sample.hpp"
#include "reports/words/lead_sentences.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

Rung card(const char* provider, const char* rung, const char* follows, const char* library,
          std::optional<Promise> promise) {
  Rung card = rung_of(rung, follows, provider);
  card.library = library, card.promise = promise;
  return card;
}

Cell with_back_to_back(Cell cell, double us) {
  for (ProcessMedian& one : timing_of(cell).processes) one.back_to_back_us = us;
  return cell;
}

// A rung of ours of each promise, CUB of two versions, and CUB in any order, which is the fastest
// alone and the slowest back to back.
Results of_two_promises() {
  Results results = of_gpu();
  results.rungs = {card("handwritten", "fixed", "", "", Promise::same_bits),
                   card("handwritten", "loose", "", "", Promise::any_order),
                   card("cub", "cub", "", "CUB 3.0.1", Promise::same_bits),
                   card("cub", "cub_3_5", "cub", "CUB 3.5.0", Promise::same_bits),
                   card("cub", "cub_any_order", "cub_3_5", "CUB 3.5.0", Promise::any_order)};
  return with_cells(std::move(results),
                    {with_back_to_back(gpu_cell("handwritten", "fixed", 10), 5),
                     with_back_to_back(gpu_cell("handwritten", "loose", 9), 6),
                     with_back_to_back(gpu_cell("cub", "cub", 15), 12),
                     with_back_to_back(gpu_cell("cub", "cub_3_5", 12), 10),
                     with_back_to_back(gpu_cell("cub", "cub_any_order", 8), 20)});
}

const Timing& timing(const Results& results, const std::string& rung) {
  for (const Cell& cell : results.cells)
    if (cell.who.rung == rung) return *cell.timing();
  throw std::out_of_range(rung);
}

}  // namespace

TEST_CASE(
    "a rung that gives the same bits is compared with the libraries that do, and with all, any "
    "other with all") {
  const Results results = of_two_promises();
  CHECK(timing(results, "fixed").ratios.vs_fastest_library->value == Approx(0.8));
  CHECK(timing(results, "fixed").ratios.vs_same_promise->value == Approx(1.2));
  CHECK(timing(results, "fixed").ratios.vs_same_promise->verdict == Difference::faster);
  CHECK(timing(results, "loose").ratios.vs_same_promise->value == Approx(8.0 / 9));
  CHECK(timing(results, "fixed").back_to_back->vs_same_promise->value == Approx(2));
  CHECK(timing(results, "loose").back_to_back->vs_same_promise->value == Approx(10.0 / 6));
  for (const char* library : {"cub", "cub_3_5", "cub_any_order"})
    CHECK_FALSE(timing(results, library).ratios.vs_same_promise);
}

TEST_CASE(
    "where no promise is known, or no library gives it, there is no ratio against those that do") {
  Results results = of_two_promises();
  for (Rung& rung : results.rungs)
    if (rung.library != "") rung.promise = Promise::any_order;
  derive(results);
  CHECK(timing(results, "fixed").ratios.vs_fastest_library);
  CHECK_FALSE(timing(results, "fixed").ratios.vs_same_promise);
  CHECK_FALSE(timing(results, "fixed").back_to_back->vs_same_promise);
  for (Rung& rung : results.rungs) rung.promise = {};
  derive(results);
  CHECK_FALSE(timing(results, "loose").ratios.vs_same_promise);
  CHECK_THAT(markdown(results), !ContainsSubstring("same promise |"));
}

TEST_CASE(
    "a file holds the promise and the library of a rung, and no ratio that follows from them, who "
    "reads it has that too") {
  Results results = of_two_promises();
  const std::string text = file_text(results);
  CHECK_THAT(text, ContainsSubstring(R"("promise":"any order")") &&
                       ContainsSubstring(R"("promise":"same bits on one GPU")") &&
                       ContainsSubstring(R"("library":"CUB 3.5.0")") &&
                       !ContainsSubstring("same_promise"));
  CHECK(timing(results, "fixed").ratios.vs_same_promise->value == Approx(1.2));
  const auto file = std::filesystem::temp_directory_path() /
                    ("libraries_test_" + std::to_string(getpid()) + ".json");
  write_text(file, text);
  CHECK(timing(read(file), "fixed").ratios.vs_same_promise->value == Approx(1.2));
  CHECK(nlohmann::json(results.rungs).get<std::vector<Rung>>() == results.rungs);
  std::filesystem::remove(file);
}

TEST_CASE("a report names the fastest library, and beside it the fastest that promises the same") {
  const Results results = of_two_promises();
  const Fastest best = ResultSet(results).operations[0].fastest;
  CHECK(best.by_hand->who.rung == "loose");
  CHECK(best.same_promise->who.rung == "cub_any_order");
  Results without_loose = results;
  std::erase_if(without_loose.cells, [](const Cell& cell) { return cell.who.rung == "loose"; });
  derive(without_loose);
  // integers have the same bits in any order
  CHECK_THAT(markdown(without_loose), ContainsSubstring("the fastest library, `cub_any_order`.") &&
                                          !ContainsSubstring("promises the same bits on one GPU,"));
  for (Cell& cell : without_loose.cells) cell.input.dtype = "f32";
  CHECK_THAT(markdown(without_loose),
             ContainsSubstring("the fastest library, `cub_any_order`. Against the fastest library "
                               "that promises the same bits on one "
                               "GPU, `cub_3_5`: 1.200x (") &&
                 ContainsSubstring("| vs same promise |"));
}

TEST_CASE("what an upgrade brings is counted for each call of two versions") {
  Results results = of_two_promises();
  std::vector<Cell> cells = results.cells;
  for (const Cell& cell : results.cells)
    if (cell.who.rung.starts_with("cub")) cells.push_back(for_size(cell, cell.input.n / 2));
  // of cub_any_order, which is no other version of what it follows
  timing_of(cells.back()).processes = timing_of(cells[0]).processes;
  results = with_cells(std::move(results), std::move(cells));
  for (Cell& cell : results.cells)
    if (cell.who.rung == "cub_3_5" && cell.input.n < results.cells[0].input.n)
      for (ProcessMedian& one : timing_of(cell).processes) one.time_us *= 2;
  derive(results);
  CHECK_THAT(upgrade_section(results),
             ContainsSubstring("## What an upgrade brings\n\n- CUB 3.5.0 in place of CUB 3.0.1, in "
                               "2 timed rows: faster in 1, "
                               "slower in 1, no difference shown in 0.\n") &&
                 ContainsSubstring("| `reduce` | `cub` | `cub_3_5` | 1 | 1 | 0 |"));
  CHECK_THAT(markdown(results), ContainsSubstring(upgrade_section(results)));
}

TEST_CASE("a set without two versions of a library says nothing of an upgrade") {
  CHECK(upgrade_section(of_gpu()).empty());
  const Results results = of_gpu();
}
