// Counts of the emulated backend beside the GPU's own counters.
#include <utility>

#include "compare/tests/catch.hpp"
#include "reports/tests/sample.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

// The same rung on the same input, counted by the emulated backend, and by a GPU with this done to
// its counters.
template <class Change>
std::pair<Cell, Cell> twice(const char* rung, const Change& change) {
  std::pair<Cell, Cell> both{emulated_cell(rung),
                             for_size(gpu_cell("handwritten", rung, 10), 1 << 16)};
  measured(both.second).counters = *both.first.counters();
  change(counters_of(both.second));
  return both;
}

std::string report_of(const std::vector<std::pair<Cell, Cell>>& pairs) {
  std::vector<Cell> cells;
  for (const auto& [emulated, gpu] : pairs) cells.insert(cells.end(), {emulated, gpu});
  return markdown(with_cells(of_gpu(), cells));
}

void nothing(Counters&) {}

}  // namespace

TEST_CASE("counts that agree are one number, others are both, with how far they are apart") {
  const auto report = report_of(
      {twice("same", nothing),
       twice("apart",
             [](Counters& c) { c.global_load_bytes = *c.global_load_bytes * 1005 / 1000; }),
       twice("far", [](Counters& c) {
         c.global_store_bytes = *c.global_store_bytes / 2;
         c.blocks = 0;
       })});
  CHECK_THAT(report, ContainsSubstring("## Counted twice\n"));
  CHECK_THAT(report,
             ContainsSubstring("Of 21 numbers 18 are equal, and 1 more differ by 1 % or less."));
  CHECK_THAT(report, ContainsSubstring("**sum, i32, n = 2^16, input random**\n"));
  CHECK_THAT(report, ContainsSubstring(
                         "| `same` | 524,288 | 4,096 | 16,384 | 262,144 | 2,048 | 8,192 | 64 |\n"));
  CHECK_THAT(report, ContainsSubstring("| `apart` | 524,288, GPU 526,909 (+0.5 %) |"));
  CHECK_THAT(report_of({twice("near", [](Counters& c) { ++*c.global_load_bytes; })}),
             ContainsSubstring("524,288, GPU 524,289 (+under 0.1 %)"));
  CHECK_THAT(report, ContainsSubstring("| 262,144, GPU 131,072 (−50.0 %) |"));
  CHECK_THAT(report, ContainsSubstring("| 64, GPU 0 (−100.0 %) |"));
}

TEST_CASE(
    "nothing is compared with counters of another input, or of a wrong answer, one where there is "
    "none is said without a percentage") {
  auto other = twice("other", nothing);
  other.second.input.n += 1;
  auto wrong = twice("wrong", nothing);
  wrong.second = without(wrong.second, Verdict::fail, "5 instead of 4");
  CHECK_THAT(report_of({other, wrong}), !ContainsSubstring("Counted twice"));
  const auto report = report_of({twice("one", [](Counters& c) { c.atomic_requests = 3; })});
  // the emulated backend has none to show in this sample
  CHECK_THAT(report, !ContainsSubstring("atomic requests |"));
  auto both = twice("zero", [](Counters& c) { c.atomic_requests = 3; });
  counters_of(both.first).atomic_requests = 0;
  CHECK_THAT(report_of({both}), ContainsSubstring("| 0, GPU 3 |"));
}

TEST_CASE("of rows that a GPU counted cold and warm, one is shown") {
  auto cold = twice("rung", nothing);
  auto warm = cold;
  warm.second.how.cache = Cache::warm;
  const auto report = report_of({cold, {warm.second, warm.second}});
  CHECK_THAT(report, ContainsSubstring("Of 7 numbers 7 are equal"));
}
