// That a report is made in one pass, however large the results are: by counting what it allocates,
// which is the same on a machine of any speed.
#include <cstdlib>
#include <functional>
#include <new>
#include <string>

#include "compare/tests/catch.hpp"
#include "reports/formats/report.hpp"
#include "reports/tests/sample.hpp"

namespace {

std::size_t allocations = 0;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
// As any other, for a sanitizer that compares them.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace ladder::reports {
namespace {

TEST_CASE("twice the results are at most about twice the work of a report", "[many]") {
  struct Case {
    const char* what;
    std::function<void(Cell& cell, std::size_t i)> change;
  };
  const auto given = GENERATE(values<Case>(
      {{"operations", [](Cell& c, std::size_t i) { c.input.operation += std::to_string(i); }},
       {"rungs", [](Cell& c, std::size_t i) { c.who.rung += std::to_string(i); }},
       {"operators", [](Cell& c, std::size_t i) { c.input.op = "op" + std::to_string(i); }},
       {"inputs", [](Cell& c, std::size_t i) { c.input.distribution += std::to_string(i); }},
       {"sizes", [](Cell& c, std::size_t i) { c = for_size(c, 1000 + i); }}}));
  const auto work = [&](std::size_t n) {
    Results results = of_gpu();
    std::vector<Cell> cells;
    std::vector<Rung> rungs = results.rungs;
    for (std::size_t i = 0; i < n; ++i) {
      for (Cell cell : {gpu_cell("handwritten", "shared_two_pass", 400),
                        gpu_cell("cub", "cub", 261), emulated_cell("shared_two_pass")}) {
        given.change(cell, i);
        rungs.push_back(rung_of(cell.who.rung, ""));
        rungs.back().operation = cell.input.operation;
        cells.push_back(cell);
      }
    }
    results.rungs = rungs;
    results = with_cells(results, cells);
    const std::size_t before = allocations;
    report_files(results);
    return allocations - before;
  };
  const std::size_t none = work(1), some = work(100) - none, twice = work(200) - none;
  INFO(given.what << ": " << none << ", " << some << " and " << twice << " allocations");
  CHECK(some > 100);
  CHECK(static_cast<double>(twice) < 2.1 * static_cast<double>(some));
}

}  // namespace
}  // namespace ladder::reports
