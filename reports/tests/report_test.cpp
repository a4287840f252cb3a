#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <locale>

#include "compare/tests/catch.hpp"
#include "reports/columns.hpp"
#include "reports/json.hpp"
#include "reports/ladder.hpp"
#include "reports/markdown.hpp"
#include "reports/summary.hpp"
#include "reports/tests/sample.hpp"
#include "reports/text.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::filesystem::path examples = EXAMPLE_FOLDER;

Results only(std::vector<Cell> cells) {
  Results results = example();
  results.cells = std::move(cells);
  return results;
}

// The lines of the report that hold this text.
std::string lines_with(const std::string& report, const std::string& text) {
  std::istringstream in(report);
  std::string found;
  for (std::string line; std::getline(in, line);) {
    if (line.find(text) != std::string::npos) found += line + '\n';
  }
  return found;
}

}  // namespace

TEST_CASE("a report begins with links to its sections") {
  const auto text = markdown(example());
  CHECK_THAT(text, ContainsSubstring("\n\n[Machine and software](#machine-and-software) · ") && ContainsSubstring(" · [reduce](#reduce) · ") &&
                       ContainsSubstring(" · [Reproduce](#reproduce) · [Cite](#cite)\n\n"));
  CHECK(text.find("[reduce](#reduce)") < text.find("\n## reduce\n"));
}

TEST_CASE("the example is reported as committed", "[example]") {
  if (std::getenv("LADDER_WRITE_EXAMPLE") != nullptr) {
    write(example(), examples / "example.results.json");
    std::ofstream(examples / "example.report.md") << markdown(read(examples / "example.results.json"));
  }
  CHECK(markdown(read(examples / "example.results.json")) == text_of(examples / "example.report.md"));
}

TEST_CASE("the same results give the same report, in any locale") {
  struct German : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const auto before = markdown(full()) + summary(full());
  const auto old = std::locale::global(std::locale(std::locale(), new German));
  const auto after = markdown(full()) + summary(full());
  std::locale::global(old);
  CHECK(before == after);
}

TEST_CASE("a row without a pass shows no number") {
  for (const char* verdict : {"fail", "expected_wrong", "skipped", "crashed", "timeout"}) {
    INFO(verdict);
    Cell bad = timed_cell("std", "std_serial", 1234.5), good = timed_cell("std", "std_parallel", 777.7);
    bad.verdict = verdict;
    bad.reason = "because";
    bad.ratios = Ratios{{}, Ratio{5.55, 5.5, 5.6, "faster"}};
    bad.sm_cycles = 12345;
    for (const auto& text : {markdown(only({bad, good})), summary(only({bad, good}))}) {
      for (const char* number : {"1.23", "1,23", "54.4", "5.55", "272 %", "12,345"}) CHECK_THAT(text, !ContainsSubstring(number));
      CHECK_THAT(text, ContainsSubstring("778 us"));
    }
    const auto report = markdown(only({bad, good}));
    CHECK_THAT(lines_with(report, "| `std_serial` | std |"), ContainsSubstring(std::string(verdict) == "skipped" ? "not run" : "none: "));
    CHECK_THAT(lines_with(report, "- `std_serial`"), ContainsSubstring("because. sum of i32 at n = 2^24"));
  }
}

TEST_CASE("a row without a pass shows no count") {
  Cell bad = emulated_cell("serial", ""), good = emulated_cell("neighbored", "");
  bad.counters->launches = 98'765, bad.error->ulp_max = 43'210;
  bad.verdict = "fail";
  for (const auto& text : {markdown(only({bad, good})), summary(only({bad, good}))}) {
    CHECK_THAT(text, !ContainsSubstring("98,765") && !ContainsSubstring("43,210"));
    CHECK_THAT(text, ContainsSubstring("3.00x"));
  }
}

TEST_CASE("the emulated backend is never shown with a time") {
  Cell cell = emulated_cell("serial", "");
  const Cell timed = timed_cell("std", "std_serial", 1234.5);
  cell.time_us = timed.time_us, cell.bandwidth_gbps = timed.bandwidth_gbps, cell.percent_of_ceiling = timed.percent_of_ceiling;
  for (const auto& text : {markdown(only({cell})), summary(only({cell}))}) {
    for (const char* number : {"1.23", "54.4", "272", "time (95 %"}) CHECK_THAT(text, !ContainsSubstring(number));
    CHECK_THAT(text, ContainsSubstring("3.00x"));
  }
}

TEST_CASE("what a file says is never markup") {
  Cell cell = emulated_cell("a|b`c", "");
  cell.idea = "fast | <script>alert(1)</script> **bold** [x](y)\n# heading";
  cell.verdict = "fail";
  cell.reason = "`|<b>\n- item";
  Results results = only({cell});
  results.machine.cpu = "</td><img src=x>|";
  results.run.command = "x\n```\n# out";
  results.run.commit = "a`b|";
  results.run.date = "2026}\n@evil{";
  results.run.dirty = true;
  const auto report = markdown(results);
  for (const char* markup : {"<script", "<img", "<b>", "**bold**", "[x](y)", "\n# heading", "\n# out", "\n- item", "\n@evil"}) {
    INFO(markup);
    CHECK_THAT(report, !ContainsSubstring(markup));
  }
  CHECK_THAT(report,
             ContainsSubstring("fast &#124; &#60;script&#62;alert(1)&#60;/script&#62; &#42;&#42;bold&#42;&#42; &#91;x&#93;(y) &#35; heading"));
}

TEST_CASE("a code block ends where the report ends it") {
  Results results = only({});
  results.run.command = "```";
  CHECK_THAT(markdown(results), ContainsSubstring("\n````sh\ngit checkout 0123456789abcdef0123456789abcdef01234567\n```\n````\n"));
}

TEST_CASE("types and operators that read the same are shown once") {
  std::vector<Cell> cells;
  for (const char* op : {"min", "sum", "max"}) {
    for (const char* dtype : {"f32", "i32", "i64"}) cells.push_back(emulated_cell("serial", "", dtype, op));
  }
  auto report = markdown(only(cells));
  CHECK_THAT(report, ContainsSubstring("**all operators, n = 2^16 (65,536), input random**"));
  CHECK_THAT(report, ContainsSubstring("| **i32, f32** | `serial`"));
  CHECK_THAT(report, ContainsSubstring("| **i64** | `serial`"));
  CHECK_THAT(report, !ContainsSubstring("<summary>min"));

  cells[0].counters->launches = 3;  // min of f32
  report = markdown(only(cells));
  CHECK_THAT(report, ContainsSubstring("**sum, max, n = 2^16"));
  CHECK_THAT(report, ContainsSubstring("<summary>min, n = 2^16"));
}

TEST_CASE("counts explain the ladder") {
  Cell global = emulated_cell("global_two_pass", ""), shared = emulated_cell("shared_two_pass", "global_two_pass"),
       same = emulated_cell("same", "shared_two_pass"), slower = emulated_cell("slower", "same"), unknown = emulated_cell("unknown", "slower");
  shared.counters->global_load_bytes = shared.minimum_bytes, shared.counters->global_load_sectors = shared.minimum_bytes / 32;
  shared.counters->global_store_bytes = shared.counters->global_store_sectors = 0;
  same.counters = slower.counters = shared.counters;
  slower.counters->atomics = 7, slower.counters->active_lanes = 1;
  unknown.counters.reset();
  const auto report = markdown(only({same, unknown, slower, global, shared}));
  CHECK_THAT(
      report,
      ContainsSubstring(
          "- **`shared_two_pass`** after `global_two_pass`: moves 1.00x instead of 3.00x the minimum bytes (`global_two_pass` moves 3.00 times "
          "the bytes of `shared_two_pass`).\n"));
  CHECK_THAT(report, ContainsSubstring("- **`same`** after `shared_two_pass`: no count differs by more than 10 %"));
  CHECK_THAT(report,
             ContainsSubstring(
                 "- **`slower`** after `same`: no count is better, and it has 1 lanes active in a memory request instead of 29.3 and does 7 atomic "
                 "operations instead of none.\n"));
  CHECK_THAT(report, !ContainsSubstring("**`unknown`** after"));
  CHECK(report.find("| `global_two_pass`") < report.find("| `shared_two_pass`"));
  CHECK(report.find("| `shared_two_pass`") < report.find("| `same`"));
}

TEST_CASE("bank conflicts are shown and explained where shared memory is used") {
  Cell global = emulated_cell("global", ""), conflicts = emulated_cell("conflicts", "global"), free = emulated_cell("free", "conflicts"),
       less = emulated_cell("less", "free");
  global.counters->shared_requests = global.counters->shared_wavefronts = 0;
  CHECK_THAT(markdown(only({global})), !ContainsSubstring("wavefronts"));

  conflicts.counters->shared_requests = free.counters->shared_requests = 2000, less.counters->shared_requests = 1000;
  conflicts.counters->shared_wavefronts = 7500, free.counters->shared_wavefronts = 2000, less.counters->shared_wavefronts = 1250;
  const auto report = markdown(only({global, conflicts, free, less}));
  CHECK_THAT(report, ContainsSubstring("| shared wavefronts | wavefronts per shared request |"));
  CHECK_THAT(report, ContainsSubstring("| 7,500 | 3.75 |\n"));
  CHECK_THAT(report, ContainsSubstring("|  |  |\n"));
  CHECK_THAT(report, ContainsSubstring(
                         "- **`conflicts`** after `global`: no count is better, and it makes 2,000 requests to shared memory instead of none.\n"));
  CHECK_THAT(report, ContainsSubstring("- **`free`** after `conflicts`: takes one wavefront for a request to shared memory instead of 3.75: no bank "
                                       "conflict is left.\n"));
  CHECK_THAT(report, ContainsSubstring("- **`less`** after `free`: makes 1,000 requests to shared memory instead of 2,000; but takes 1.25 wavefronts "
                                       "for a request to shared memory instead of 1.00.\n"));
}

TEST_CASE("the error of a float and its share of the bound stand beside its time, and nothing where the exact bits are due") {
  Cell tree = timed_cell("handwritten", "tree", 100, "f32"), compensated = timed_cell("handwritten", "compensated", 125, "f32"),
       unbounded = timed_cell("handwritten", "unbounded", 150, "f32");
  tree.error = Error{2'648'612, 0.3, 0.5, 0.0425}, compensated.error = Error{0, 0, 1e-7, 0}, unbounded.error = Error{37.5, 3e-6};
  const auto report = markdown(only({tree, compensated, unbounded}));
  CHECK_THAT(lines_with(report, "| type | rung"), ContainsSubstring("| of ceiling | error (ULP) | of bound |"));
  CHECK_THAT(lines_with(report, "`tree` | handwritten | pass | 100 us"), ContainsSubstring("| 2,648,612 | 4.25 % |"));
  CHECK_THAT(lines_with(report, "`compensated` | handwritten | pass | 125 us"), ContainsSubstring("| 0 | 0 % |"));
  CHECK_THAT(lines_with(report, "`unbounded` | handwritten | pass | 150 us"), ContainsSubstring("| 37.5 |  |"));
  CHECK_THAT(report, ContainsSubstring("- **of bound**: "));
  CHECK_THAT(markdown(only({timed_cell("std", "std_serial", 5, "i32"), timed_cell("std", "std_serial", 5, "f32", "min")})),
             !ContainsSubstring("of bound") && !ContainsSubstring("ULP"));
}

TEST_CASE("errors stand beside counts where there is no operator, and do not part what else is shown once") {
  Cell whole = emulated_cell("tree", "", "i32"), real = emulated_cell("tree", "", "f32");
  real.counters = whole.counters, real.error = Error{3, 1e-7, 0.5, 0.125};
  CHECK_THAT(markdown(only({whole, real})), ContainsSubstring("| **i32, f32** | `tree`") && !ContainsSubstring("ULP"));
  whole.key.op.reset(), real.key.op.reset();
  whole.key.operation = real.key.operation = "dot";
  const auto report = markdown(only({whole, real}));
  CHECK_THAT(lines_with(report, "| **f32** | `tree`"), ContainsSubstring("| 3 | 12.5 % |"));
  CHECK_THAT(lines_with(report, "| **i32** | `tree`"), ContainsSubstring("|  |  |"));
}

TEST_CASE("errors take no other column's place in the summary") {
  Cell exact = timed_cell("handwritten", "tree", 100, "f32"), off = exact;
  exact.ratios = off.ratios = Ratios{Ratio{1.8, 1.79, 1.81, "faster"}, {}};
  off.error = Error{3, 1e-7, 0.5, 0.125};
  CHECK_THAT(summary(only({exact})), ContainsSubstring("vs first rung") && !ContainsSubstring("ULP"));
  CHECK_THAT(summary(only({off})), ContainsSubstring("vs first rung"));
}

TEST_CASE("operations stand in the order of the study, those that it does not know behind them") {
  const std::vector<std::string> in_order{"reduce", "sum_of_cubes", "inclusive_scan", "exclusive_scan", "histogram", "dot", "a_sort", "sort"};
  std::vector<std::string> names = in_order;
  std::ranges::sort(names);
  std::ranges::sort(names, InStudyOrder());
  CHECK(names == in_order);
  for (std::size_t i = 0; i < 6; ++i) CHECK(rank_of_operation(in_order[i]) == i);
  CHECK(rank_of_operation("a_sort") == 6);
  CHECK(rank_of_operation("sort") == 6);

  std::vector<Cell> cells(names.size(), emulated_cell("serial", ""));
  std::vector<std::string> sections;
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i].key.operation = names[names.size() - 1 - i];
  std::istringstream report(markdown(only(cells)));
  for (std::string line; std::getline(report, line);)
    if (line.starts_with("## ") && std::ranges::find(names, line.substr(3)) != names.end()) sections.push_back(line.substr(3));
  CHECK(sections == in_order);
}

TEST_CASE("rungs that improve on each other in a circle are all shown") {
  const auto report = markdown(only({emulated_cell("a", "b"), emulated_cell("b", "a"), emulated_cell("c", "c")}));
  for (const char* rung : {"| `a`", "| `b`", "| `c`"}) CHECK_THAT(report, ContainsSubstring(rung));
}

TEST_CASE("incomplete, modified or failing runs say so before anything else") {
  Results results = only({timed_cell("std", "std_serial", 5)});
  CHECK_THAT(markdown(results), !ContainsSubstring("WARNING"));
  results.run.complete = false;
  CHECK_THAT(markdown(results), ContainsSubstring("# Kernel Ladder report\n\n> [!WARNING]\n> **Incomplete.**"));
  results.run.complete = true, results.run.dirty = true;
  CHECK_THAT(markdown(results), ContainsSubstring("> **Modified sources.**"));
  results.run.dirty = false, results.cells[0].verdict = "fail";
  CHECK_THAT(markdown(results), ContainsSubstring("> **1 row without a right answer.**"));
}

TEST_CASE("the headline bandwidth is one of memory, not of a cache") {
  Cell cached = timed_cell("std", "std_serial", 10);
  const Cell from_memory = timed_cell("thrust", "thrust_host", 3'000);
  CHECK_THAT(markdown(only({cached, from_memory})), ContainsSubstring("GB/s, by `std_serial`"));
  cached.flags = {"fits_in_cache"};
  CHECK_THAT(markdown(only({cached, from_memory})), ContainsSubstring("GB/s, by `thrust_host`"));
}

TEST_CASE("results without cells are reported too") {
  CHECK_THAT(markdown(only({})), ContainsSubstring("Nothing was run on Example CPU"));
  CHECK(summary(only({})) == "0 rows: nothing was run\n");
}

TEST_CASE("the summary fits on a terminal and ends with the verdicts") {
  const auto text = summary(example());
  std::istringstream in(text);
  std::size_t lines = 0;
  std::string last;
  for (std::string line; std::getline(in, line); ++lines, last = line) CHECK(line.size() <= 100);
  CHECK(lines <= 25);
  CHECK_THAT(text, ContainsSubstring("reduce, sum, i32, n = 2^16: counted"));  // at 2^26 nothing ran
  CHECK(last == "48 rows: 34 pass, 2 crashed, 6 expected_wrong, 6 skipped");
  Cell hostile = emulated_cell("a\x1b[31m\n", "");
  CHECK_THAT(summary(only({hostile})), !ContainsSubstring("\x1b"));
}

TEST_CASE("the end of an interval is not rounded onto 1, which lies on one side of it") {
  CHECK(ratio_text({1.002, 0.99969, 1.0049, "no difference shown"}) == "no difference shown (0.9997 to 1.005)");
  CHECK(ratio_text({1.002, 1.000004, 1.0049, "faster"}) == "1.002x (1.000004 to 1.005)");
  CHECK(ratio_text({1, 1, 1, "no difference shown"}) == "no difference shown (1.000 to 1.000)");
  CHECK(ratio_text({2.5, 2.496, 2.504, "faster"}) == "2.50x (2.50 to 2.50)");
}

TEST_CASE("numbers have three digits and a unit that fits") {
  CHECK(three_digits(0) == "0");
  CHECK(three_digits(0.01234) == "0.0123");
  CHECK(three_digits(0.9996) == "1.00");
  CHECK(three_digits(4.606) == "4.61");
  CHECK(three_digits(9.996) == "10.0");
  CHECK(three_digits(99.96) == "100");
  CHECK(three_digits(4597.6) == "4,598");
  CHECK(grouped(1'234'567) == "1,234,567");
  CHECK(elements(1 << 16) == "2^16");
  CHECK(elements(1000) == "1,000");
  CHECK(bytes_text(1536) == "1.50 KiB");
  const auto in_words = [](double us) { return Duration(us).number(us) + ' ' + std::string(Duration(us).unit); };
  CHECK(in_words(0.8) == "800 ns");
  CHECK(in_words(4.606) == "4.61 us");
  CHECK(in_words(999.6) == "1.00 ms");
  CHECK(in_words(3700) == "3.70 ms");
  CHECK(in_words(2.5e6) == "2.50 s");
}

TEST_CASE("long text is cut for the terminal, between characters") {
  const auto cut = printable(std::string(199, 'x') + "\xc3\xa9");
  CHECK(cut == std::string(199, 'x') + "...");
  CHECK(printable(std::string(198, 'x') + "\xe2\x82\xac") == std::string(198, 'x') + "...");
  CHECK(printable("a\tb") == "a b");
}

TEST_CASE("a rung that is wrong on purpose is said to be, and to have been lucky where no count was lost") {
  Cell racy = gpu_cell("handwritten", "racy", 5);
  racy.verdict = "expected_wrong";
  racy.lost_counts = 7;
  CHECK(verdict_text(racy) == "wrong, as expected");
  racy.lost_counts = 0;
  CHECK(verdict_text(racy) == "right, by luck");
}
