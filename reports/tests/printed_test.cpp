// What the notes print, beside what a run measured.
#include "reports/notes/printed.hpp"

#include "compare/tests/catch.hpp"
#include "reports/tests/sample.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

Cell neighbored(const char* rung, double us, std::uint64_t n = 1 << 24) {
  Cell cell = gpu_cell("handwritten", rung, us);
  cell.key.n = n;
  return cell;
}

Cell cubes(const char* rung, const char* improves_on, double us) {
  Cell cell = neighbored(rung, us, 1 << 20);
  cell.key.operation = "sum_of_cubes", cell.key.op.reset(), cell.improves_on = improves_on;
  return cell;
}

}  // namespace

TEST_CASE("printed figures stand beside what was measured for the note's size and type") {
  const auto text = printed_section({neighbored("neighbored", 200), neighbored("unrolling2", 100)}, "A GPU <b>");
  CHECK_THAT(text, ContainsSubstring("## As printed in the notes, and measured here"));
  CHECK_THAT(text, ContainsSubstring("**N4**, on an RTX 3090; labelled as milliseconds, which the values cannot be. Here: `reduce` by sum, i32, n = "
                                     "2^24 (16,777,216), input random, cold cache, on A GPU &#60;b&#62;"));
  CHECK_THAT(text, ContainsSubstring("| rung | printed | printed, relative to `neighbored` | measured here | here, relative to `neighbored` |"));
  CHECK_THAT(text, ContainsSubstring("| `neighbored` | 0.001532 s |  | 200 us (198 to 202), "));
  CHECK_THAT(text, ContainsSubstring("| `interleaved` | 0.001371 s | 1.12x |  |  |"));
  CHECK_THAT(text,
             ContainsSubstring("| `unrolling2` | 0.001357 s | 1.13x | 100 us (99.0 to 101), ") && ContainsSubstring("| 2.00x (1.960 to 2.04) |"));
  CHECK_THAT(text, !ContainsSubstring("**N2**") && !ContainsSubstring("**N5**"));
}

TEST_CASE("a ratio to the first rung of the ladder is the paired one") {
  Cell chunked = cubes("chunked", "", 700), strided = cubes("strided", "chunked", 100);
  chunked.sm_cycles = 7'000'000;
  strided.ratios = Ratios{Ratio{7.11, 7.09, 7.12, "faster"}, {}};
  const auto text = printed_section({chunked, strided}, "A GPU");
  CHECK_THAT(text, ContainsSubstring("| `chunked` | 6,489,302 cycles, 515 MB/s |  | 7,000,000 cycles, 700 us"));
  CHECK_THAT(text, ContainsSubstring("| `strided` | 894,297 cycles, 3.74 GB/s | 7.26x | 100 us") && ContainsSubstring("| 7.11x (7.09 to 7.12) |"));
}

TEST_CASE("cells of another size, type, backend, contract, cache or operator are no measurement of the note's") {
  const auto change = GENERATE(0, 1, 2, 3, 4, 5, 6);
  Cell cell = neighbored("neighbored", 200);
  if (change == 0) cell.key.n = 1 << 26;
  if (change == 1) cell.key.dtype = "i64";
  if (change == 2) cell.key.backend = "host";
  if (change == 3) cell.key.contract = "host_result";
  if (change == 4) cell.key.cache = "warm";
  if (change == 5) cell.key.op = "min";
  if (change == 6) cell.key.provider = "cub";
  const auto text = printed_section({cell}, "A GPU");
  CHECK_THAT(text, !ContainsSubstring("200 us") && !ContainsSubstring("measured here |"));
  CHECK_THAT(text, ContainsSubstring("Not measured here: `./ladder run --preset notes` does, for i32 and n = 2^24, where there is an NVIDIA GPU."));
  CHECK_THAT(text, ContainsSubstring("| `unrolling2` | 0.001357 s | 1.13x |\n"));
}

TEST_CASE("the note's own values go before others, and only one input is shown") {
  Cell other = neighbored("neighbored", 200), own = other, failed = neighbored("interleaved", 1);
  own.key.distribution = failed.key.distribution = "glibc_bytes", own.time_us->median = 300;
  failed.verdict = "fail", failed.time_us.reset(), failed.bandwidth_gbps.reset();
  const auto text = printed_section({other, own, failed}, "A GPU");
  CHECK_THAT(text, ContainsSubstring("| 300 us") && !ContainsSubstring("| 200 us"));
  CHECK_THAT(text, ContainsSubstring("| `interleaved` | 0.001371 s | 1.12x | none: wrong answer |"));
}

TEST_CASE("the dot product of N5 is measured for a size of ours") {
  Cell cell = neighbored("dot0_serial", 5);
  cell.key.operation = "dot", cell.key.dtype = "f32", cell.key.op.reset();
  const auto text = printed_section({cell}, "A GPU");
  CHECK_THAT(
      text, ContainsSubstring("for a number of elements that it does not name") && ContainsSubstring("| `dot5_last_warp` | 49,489.856 us | 34.3x |"));
}
