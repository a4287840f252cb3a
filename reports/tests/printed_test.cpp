// What the notes print, beside what a run measured.
#include "reports/notes/printed.hpp"

#include <fmt/format.h>

#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "compare/tests/catch.hpp"
#include "reports/tests/notes_cells.hpp"
#include "reports/text/lists.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

Cell neighbored(const char* rung, double us, const char* distribution = "random") {
  return timed(input_of("reduce", "i32", 1 << 24, distribution), rung, us);
}

std::string printed(const Cells& cells) {
  return printed_section(results_of(cells).cells, "A GPU <b>");
}

std::string listed(const std::vector<int>& numbers) {
  std::vector<std::string> parts;
  for (const int number : numbers) parts.push_back(std::to_string(number));
  return joined(parts);
}

}  // namespace

TEST_CASE("printed figures stand beside what was measured for the note's size and type") {
  const auto text = printed({neighbored("neighbored", 200), neighbored("unrolling2", 100)});
  CHECK_THAT(text, ContainsSubstring("## As printed in the notes, and measured here"));
  CHECK_THAT(text, ContainsSubstring(
                       "**N4**, on an RTX 3090; labelled as milliseconds, but the values can only "
                       "be seconds. Here: `reduce` by sum, i32, "
                       "n = 2^24 (16,777,216), input random, cold cache, on A GPU &#60;b&#62;"));
  CHECK_THAT(text, ContainsSubstring("| rung | as printed | in this report's units | printed, "
                                     "relative to `neighbored` | measured here | here, relative "
                                     "to `neighbored` |"));
  CHECK_THAT(text,
             ContainsSubstring("| `neighbored` | 0.001532 | 1.53 ms |  | 205 us (201 to 209), "));
  CHECK_THAT(text, ContainsSubstring("| `interleaved` | 0.001371 | 1.37 ms | 1.12x |  |  |"));
  CHECK_THAT(text, ContainsSubstring(
                       "| `unrolling2` | 0.001357 | 1.36 ms | 1.13x | 103 us (101 to 104), "));
  // paired: the intervals of the times are wider
  CHECK_THAT(text, ContainsSubstring("| 2.00x (2.00 to 2.00) |"));
  CHECK_THAT(text, !ContainsSubstring("**N2**") && !ContainsSubstring("**N3**") &&
                       !ContainsSubstring("**N5**"));
}

TEST_CASE("figures are as printed, in the units that the note has") {
  CHECK_THAT(printed({neighbored("neighbored", 200)}),
             ContainsSubstring("| warm-up on the GPU | 0.003663 | 3.66 ms | 0.418x |  |") &&
                 ContainsSubstring("| loop on the CPU | 0.039772 | 39.8 ms | 0.0385x |  |") &&
                 ContainsSubstring("The note prints the sum 2,139,353,471."));
  const Input digits = input_of("sum_of_cubes", "i32", 1 << 20, "digits");
  Cell chunked = timed(digits, "chunked", 700);
  chunked.outcome.measured()->timing->sm_cycles = 7'000'000;
  const auto text = printed({chunked, timed(digits, "strided", 100)});
  CHECK_THAT(text, ContainsSubstring("| `chunked` | 6,489,302 cycles, 491 MB/s | 8.14 ms, 0.515 "
                                     "GB/s |  | 7,000,000 cycles, 718 us") &&
                       ContainsSubstring("| `strided` | 894,297 cycles, 0.0011221 s, 3.48 GB/s | "
                                         "1.12 ms, 3.74 GB/s | 7.26x | 103 us") &&
                       ContainsSubstring("The note's MB and GB are 2^20 and 2^30 bytes."));
  const double seconds = 894'297 / 797e6, bytes = 4 << 20, mebibyte = 1 << 20;
  CHECK(fmt::format("{:.3g}", seconds * 1e3) == "1.12");
  CHECK(fmt::format("{:.3g} {:.3g}", bytes / seconds / 1e9, bytes / seconds / mebibyte / 1024) ==
        "3.74 3.48");
  CHECK(fmt::format("{:.3g} {:.3g} {:.3g}", 6'489'302 / 797e3, bytes * 797 / 6'489'302 / 1e3,
                    bytes * 797e6 / 6'489'302 / mebibyte) == "8.14 0.515 491");
}

TEST_CASE("N3's worked examples come out as printed") {
  const auto text = printed({timed(input_of("inclusive_scan"), "hillis_steele", 1)});
  CHECK_THAT(text, ContainsSubstring("**N3** prints no times."));
  CHECK(printed({timed(input_of("histogram"), "racy", 1)}) == text);

  std::vector<int> scanned{1, 2, 3, 4};
  std::partial_sum(scanned.begin(), scanned.end(), scanned.begin());
  CHECK_THAT(text, ContainsSubstring("| 1, 2, 3, 4 | " + listed(scanned) + " |"));

  std::vector<int> tree{1, 2, 3, 4, 5, 6, 7, 8};
  const int n = 8;
  for (int stride = 1; stride < n; stride *= 2)
    for (int right = 2 * stride - 1; right < n; right += 2 * stride)
      tree[right] += tree[right - stride];
  // what each step of the up-sweep wrote last
  std::map<int, std::vector<int>, std::greater<>> levels;
  for (int i = 0; i < n; ++i)
    levels[std::countr_zero(static_cast<unsigned>(i + 1))].push_back(tree[i]);
  std::vector<std::string> from_the_root;
  for (const auto& [level, values] : levels) from_the_root.push_back(listed(values));
  CHECK_THAT(text,
             ContainsSubstring("| 1, 2, 3, 4, 5, 6, 7, 8 | " + joined(from_the_root, "; ") + " |"));

  const int left = tree[5], parent = 10;
  CHECK_THAT(text, ContainsSubstring("| " + listed({left, parent}) + " | " +
                                     listed({parent, parent + left}) + " |"));

  std::map<int, int> bins;
  for (const int key : {2, 1, 1, 2, 1, 0, 2, 2}) ++bins[key];
  CHECK_THAT(text, ContainsSubstring("| 2, 1, 1, 2, 1, 0, 2, 2 | " +
                                     listed({bins[0], bins[1], bins[2]}) + " |"));
}

TEST_CASE(
    "cells of another size, type, backend, contract, cache or operator are no measurement of the "
    "note's") {
  const auto change = GENERATE(0, 1, 2, 3, 4, 5, 6);
  Cell cell = neighbored("neighbored", 200);
  if (change == 0) cell.input.n = 1 << 26;
  if (change == 1) cell.input.dtype = "i64";
  if (change == 2) cell.how.backend = Backend::host;
  if (change == 3) cell.how.contract = Contract::host_result;
  if (change == 4) cell.how.cache = Cache::warm;
  if (change == 5) cell.input.op = "min";
  if (change == 6) cell.who.provider = "cub";
  const auto text = printed({cell});
  CHECK_THAT(text, !ContainsSubstring("205 us") && !ContainsSubstring("measured here |"));
  CHECK_THAT(text, ContainsSubstring("Not measured here: `./ladder run --preset notes` measures "
                                     "it, for i32 and n = 2^24, on an NVIDIA GPU."));
  CHECK_THAT(text, ContainsSubstring("| `unrolling2` | 0.001357 | 1.36 ms | 1.13x |\n"));
}

TEST_CASE("the note's own values go before others, and only one input is shown") {
  Cell failed = neighbored("interleaved", 1, "glibc_bytes");
  failed.outcome = Failure{Verdict::fail, "5 instead of 4"};
  const auto text = printed(
      {neighbored("neighbored", 200), neighbored("neighbored", 300, "glibc_bytes"), failed});
  CHECK_THAT(text, ContainsSubstring("| 308 us") && !ContainsSubstring("| 205 us"));
  CHECK_THAT(text, ContainsSubstring(
                       "| `interleaved` | 0.001371 | 1.37 ms | 1.12x | none: wrong answer |"));
}

TEST_CASE("times without a process in common have no ratio") {
  Cell later = neighbored("unrolling2", 100);
  for (ProcessMedian& one : later.outcome.measured()->timing->processes) one.process += 6;
  CHECK_THAT(printed({neighbored("neighbored", 200), later}),
             !ContainsSubstring("here, relative to"));
}

TEST_CASE("the dot product of N5 is measured for a size of ours, and its 34.3x is commented") {
  const auto text = printed({timed(input_of("dot", "f32", 1 << 24), "dot0_serial", 5)});
  CHECK_THAT(text,
             ContainsSubstring("for a number of elements that the note does not name") &&
                 ContainsSubstring("| `dot5_last_warp` | 49,489.856 us | 49.5 ms | 34.3x |") &&
                 ContainsSubstring("Most of the printed 34.3x is `dot0_serial`"));
}
