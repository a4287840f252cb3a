#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <locale>

#include "compare/tests/catch.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/figures/figures.hpp"
#include "reports/formats/html/several_sets.hpp"
#include "reports/formats/markdown/library_upgrade.hpp"
#include "reports/formats/report.hpp"
#include "reports/formats/terminal/comparison_text.hpp"
#include "reports/model/json.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/notes/claims.hpp"
#include "reports/numbers/flat_table.hpp"
#include "reports/publish/headline.hpp"
#include "reports/publish/index.hpp"
#include "reports/soundness/cautions.hpp"
#include "reports/soundness/soundness.hpp"
#include "reports/tests/formats.hpp"
#include "reports/tests/report_in_page.hpp"
#include "reports/tests/sample.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/what_changes.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

const std::filesystem::path examples = EXAMPLE_FOLDER;

// ladder: rungs that follow one another, or that stand for themselves where there are none.
Results only(std::vector<Cell> cells, std::vector<Rung> ladder = {}) {
  Results results = example();
  results.rungs = std::move(ladder);
  return with_cells(results, std::move(cells));
}

// Each follows the one before it.
std::vector<Rung> ladder_of(const std::vector<std::string>& names) {
  std::vector<Rung> rungs;
  for (std::size_t i = 0; i < names.size(); ++i)
    rungs.push_back(rung_of(names[i], i == 0 ? "" : names[i - 1]));
  return rungs;
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

// As GitHub shows a page: a line of a table is a line, other text has lines of 120 columns.
double screens(const std::string& page) {
  std::size_t lines = 0;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);)
    lines += line.starts_with("|") || line.empty() ? 1 : (line.size() + 119) / 120;
  return static_cast<double>(lines) / 60;
}

TEST_CASE("report.md has at most 8 screens, and the page of an operation at most 6") {
  for (const Results& results :
       {example(), of_gpu(),
        read(std::filesystem::path(REPOSITORY) / "reports/published/h200/results.json.bz2")})
    for (const auto& [name, page] : markdown_files(results)) {
      INFO(name);
      CHECK(screens(page) <= (name == "report.md" ? 8 : 6));
      if (name != "report/study_notes.md")
        CHECK_THAT(page, !ContainsSubstring("|  |"));  // a cell that says nothing
    }
}

TEST_CASE("a report begins with links to its sections, and links to its pages") {
  const Results results = read(examples / "example.results.json");
  const Files files = markdown_files(results);
  const std::string& text = files.at("report.md");
  CHECK_THAT(text, ContainsSubstring("\n\n[reduce](#reduce) · [The study notes](#the-study-notes) "
                                     "· [Machine and software](#machine-and-software) · ") &&
                       ContainsSubstring(" · [Reproduce](#reproduce) · [Cite](#cite)\n\n"));
  CHECK(text.find("[reduce](#reduce)") < text.find("\n## reduce\n"));
  CHECK(files.size() == 3);
  for (const auto& [name, page] : files) {
    if (name == "report.md") continue;
    INFO(name);
    CHECK_THAT(text, ContainsSubstring("](" + name + ")"));
    CHECK_THAT(page, StartsWith("# ") &&
                         ContainsSubstring("[the report](../report.md) on run `" +
                                           results.run.id.substr(7, 12) + "`") &&
                         ContainsSubstring("> **2 rows without a right answer.**"));
  }
}

TEST_CASE("the page of an operation has a name of its own, and one that any file system takes") {
  std::vector<Cell> cells;
  for (const char* operation :
       {"../../etc/passwd", "a", "A", "study_notes", "report", "\u202e", "", "con.md"}) {
    cells.push_back(timed_cell("std", "std_serial", 5));
    cells.back().input.operation = operation;
  }
  cells.push_back(cells[0]);
  cells.back().input.operation = std::string(300, 'x');
  const Files files = markdown_files(only(cells));
  CHECK(files.size() >= 1 + cells.size());
  for (const auto& [name, page] : files) {
    INFO(name);
    CHECK(name.size() < 80);
    CHECK(name.substr(name.starts_with("report/") ? 7 : 0)
              .find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == name.npos);
    CHECK(name.find("..") == name.npos);
  }
}

TEST_CASE("a page of an operation has time and bandwidth by size and type, on six screens") {
  std::vector<Cell> cells;
  for (std::size_t rung = 0; rung < 30; ++rung)
    for (const char* dtype : {"i32", "i64", "f32", "f64"})
      for (const char* op : {"sum", "min", "max"})
        for (unsigned power = 10; power <= 28; power += 2)
          cells.push_back(for_size(gpu_cell("handwritten", fmt::format("r{}", rung).c_str(),
                                            10.0 + static_cast<double>(rung), dtype),
                                   1ull << power)),
              cells.back().input.op = op;
  const std::string page = markdown_files(only(cells)).at("report/reduce.md");
  constexpr int lines_of_a_screen = 50;
  CHECK(std::ranges::count(page, '\n') <= 6 * lines_of_a_screen);
  for (const char* type : {"i32", "i64", "f32", "f64"})
    CHECK_THAT(page, ContainsSubstring(fmt::format("\n**sum, {}**\n\n| rung | n = 2^10 |", type)));
  CHECK_THAT(lines_with(page, "| `r7` | 17.0 us, "),
             ContainsSubstring("| `r7` | 17.0 us, 0.241 |"));
}

TEST_CASE("the example is reported as committed", "[example]") {
  if (std::getenv("LADDER_WRITE_EXAMPLE") != nullptr) {
    Results results = example();
    // for people: a field in each line
    write_text(examples / "example.results.json",
               nlohmann::json::parse(file_text(results)).dump(1) + '\n');
    for (const auto& [name, text] : markdown_files(read(examples / "example.results.json")))
      write_text(examples / "example" / name, text);
  }
  CHECK(read(examples / "example.results.json").run.id == content_id(example()));
  CHECK(soundness(read_document(examples / "example.results.json")).sound());
  for (const auto& [name, text] : markdown_files(read(examples / "example.results.json"))) {
    INFO(name);
    CHECK(text == text_of(examples / "example" / name));
  }
}

TEST_CASE("the same results give the same report, in any locale") {
  struct German : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const auto before = markdown(full()) + summary_text(full());
  const auto old = std::locale::global(std::locale(std::locale(), new German));
  const auto after = markdown(full()) + summary_text(full());
  std::locale::global(old);
  CHECK(before == after);
}

TEST_CASE("a row without a pass shows no number") {
  for (const Verdict verdict : {Verdict::fail, Verdict::expected_wrong, Verdict::skipped,
                                Verdict::crashed, Verdict::timeout}) {
    INFO(name_of(verdict));
    const Cell bad = without(timed_cell("std", "std_serial", 1234.5), verdict, "because"),
               good = timed_cell("std", "std_parallel", 777.7);
    for (const auto& text : {markdown(only({bad, good})), summary_text(only({bad, good}))}) {
      for (const char* number : {"1.23", "1,23", "54.4", "272 %"})
        CHECK_THAT(text, !ContainsSubstring(number));
      CHECK_THAT(text, ContainsSubstring("778 us"));
    }
    const auto report = markdown(only({bad, good}));
    CHECK_THAT(lines_with(report, "| `std_serial` | std |"),
               ContainsSubstring(verdict == Verdict::skipped ? "not run" : "none: "));
    CHECK_THAT(lines_with(report, "- `std_serial`"),
               ContainsSubstring("because. sum of i32 at n = 2^24"));
  }
}

TEST_CASE("a row without a pass shows no count, and the summary says why") {
  const Cell bad = without(emulated_cell("serial"), Verdict::fail, "43,210 instead of 4"),
             good = emulated_cell("neighbored");
  CHECK_THAT(summary_text(only({bad, good})),
             ContainsSubstring("  serial      fail\n  serial: 43,210 instead of 4\n") &&
                 ContainsSubstring("3.00x"));
  const auto report = markdown(only({bad, good}));
  CHECK_THAT(lines_with(report, "| `serial` | handwritten | **fail** |"),
             ContainsSubstring("none: wrong answer") && !ContainsSubstring("3.00x"));
  CHECK_THAT(lines_with(report, "| `neighbored` | handwritten | pass |"),
             ContainsSubstring("3.00x"));
}

TEST_CASE("the emulated backend is never shown with a time") {
  for (const auto& text :
       {markdown(only({emulated_cell("serial")})), summary_text(only({emulated_cell("serial")}))}) {
    CHECK_THAT(text, !ContainsSubstring("time (95 %") && !ContainsSubstring("of ceiling"));
    CHECK_THAT(text, ContainsSubstring("3.00x"));
  }
}

TEST_CASE("what a file says is never markup") {
  Rung rung = rung_of("a|b`c");
  rung.idea = "fast | <script>alert(1)</script> **bold** [x](y)\n# heading";
  rung.costs = rung.limited_by = rung.repaired = rung.to_know = rung.source = "<b>\n# heading";
  rung.notes = {"<b>"};
  Rung step = rung_of("follows", "a|b`c");
  step.step = "<b>\n# heading";
  Results results = only(
      {emulated_cell("follows"), without(emulated_cell("a|b`c"), Verdict::fail, "`|<b>\n- item")},
      {rung, step});
  results.machine.cpu = "</td><img src=x>|";
  results.run.command = "x\n```\n# out";
  results.run.commit = "a`b|";
  results.run.date = "2026}\n@evil{";
  results.run.dirty = true;
  const auto report = markdown(results);
  for (const char* markup : {"<script", "<img", "<b>", "**bold**", "[x](y)", "\n# heading",
                             "\n# out", "\n- item", "\n@evil"}) {
    INFO(markup);
    CHECK_THAT(report, !ContainsSubstring(markup));
  }
  CHECK_THAT(report, ContainsSubstring("&#96;&#124;&#60;b&#62; - item"));
}

TEST_CASE("a code block ends where the report ends it") {
  Results results = only({});
  results.run.command = "```";
  CHECK_THAT(markdown(results),
             ContainsSubstring(
                 "\n````sh\ngit checkout 0123456789abcdef0123456789abcdef01234567\n```\n````\n"));
}

// What changes from rung to rung, as the page lists it.
std::string steps_of(const Results& results) {
  std::string text;
  for (const Step& step : explanations(results.cells, Order(results)))
    text += fmt::format("- {}.\n", step.text);
  return text;
}

TEST_CASE("counts explain the ladder") {
  Cell global = emulated_cell("global_two_pass"), shared = emulated_cell("shared_two_pass"),
       same = emulated_cell("same"), slower = emulated_cell("slower"),
       unknown = emulated_cell("unknown");
  counters_of(shared).global_load_bytes = shared.minimum_bytes.total(),
  counters_of(shared).global_load_sectors = shared.minimum_bytes.total() / 32;
  counters_of(shared).global_store_bytes = counters_of(shared).global_store_sectors = 0;
  counters_of(same) = counters_of(slower) = counters_of(shared);
  counters_of(slower).atomics = 7, counters_of(slower).active_lanes = 1;
  measured(unknown).counters.reset();
  const Results results =
      only({same, unknown, slower, global, shared},
           ladder_of({"global_two_pass", "shared_two_pass", "same", "slower", "unknown"}));
  const auto report = steps_of(results);
  CHECK_THAT(report, ContainsSubstring(
                         "- **`shared_two_pass`** after `global_two_pass`: moves 1.00x instead of "
                         "3.00x the minimum bytes (`global_two_pass` moves 3.00 times "
                         "the bytes of `shared_two_pass`).\n"));
  CHECK_THAT(report,
             ContainsSubstring(
                 "- **`same`** after `shared_two_pass`: no count differs by more than 10 %"));
  CHECK_THAT(report,
             ContainsSubstring("- **`slower`** after `same`: no count is better, and it has 1 lane "
                               "active in a memory request instead of 29.3 and does 7 atomic "
                               "operations instead of none.\n"));
  CHECK_THAT(report, !ContainsSubstring("**`unknown`** after"));
  const auto table = markdown(results);
  CHECK(table.find("| `global_two_pass`") < table.find("| `shared_two_pass`"));
  CHECK(table.find("| `shared_two_pass`") < table.find("| `same`"));
}

TEST_CASE("what changes is read from the largest input that both rungs were counted on") {
  const auto counted = [](const char* rung, std::uint64_t n, double lanes,
                          const char* dtype = "i32") {
    Cell cell = for_size(emulated_cell(rung, dtype), n);
    counters_of(cell).active_lanes = lanes;
    return cell;
  };
  const Results results = only(
      {counted("one", 1 << 16, 10), counted("two", 1 << 16, 20), counted("one", 1 << 20, 10),
       counted("two", 1 << 20, 30), counted("two", 1 << 24, 31), counted("two", 1 << 20, 25, "f32"),
       counted("one", 1 << 20, 10, "f32"), counted("three", 1 << 16, 5),
       without(counted("three", 1 << 20, 5), Verdict::fail, "wrong")},
      ladder_of({"one", "two", "three"}));
  const auto steps = explanations(results.cells, Order(results));
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].input.n == 1 << 20);
  CHECK(steps[0].input.dtype == "i32");
  CHECK(steps[0].text ==
        "**`two`** after `one`: has 30 lanes active in a memory request instead of 10");
  CHECK(steps[1].input.n == 1 << 16);
  CHECK_THAT(steps[1].text,
             ContainsSubstring("**`three`** after `two`: ") &&
                 ContainsSubstring("it has 5 lanes active in a memory request instead of 20"));
}

TEST_CASE("one of a thing is no plural") {
  Cell many = emulated_cell("many"), one = emulated_cell("one");
  counters_of(many).barriers = 256, counters_of(one).barriers = 64;
  const Results results = only({many, one}, ladder_of({"many", "one"}));
  const auto steps = explanations(results.cells, Order(results));
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].text == "**`one`** after `many`: waits at 1 barrier per thread instead of 4");
}

TEST_CASE("the highest bandwidth is from cold caches, as tables have it, and its input is named") {
  Cell cold = timed_cell("std", "a", 100), warm = timed_cell("std", "a", 90);
  warm.how.cache = Cache::warm;
  const Results both = with_cells(bare(), {cold, warm});
  const auto of = [](const Results& results, const char* cache) {
    return fmt::format(
        "highest bandwidth on the CPU was {} GB/s, by `a` (`reduce`, sum, i32, n = 2^24, {} cache)",
        three_digits(results.cells[0].timing()->bandwidth_gbps.median), cache);
  };
  CHECK_THAT(markdown(both), ContainsSubstring(of(both, "cold")));
  const Results alone = with_cells(bare(), {warm});
  CHECK_THAT(markdown(alone), ContainsSubstring(of(alone, "warm")));
}

TEST_CASE("a rung has its ratio to the one that it follows, beside that to the first") {
  const auto report =
      markdown(only({timed_cell("handwritten", "one", 400), timed_cell("handwritten", "two", 200),
                     timed_cell("handwritten", "three", 250)},
                    ladder_of({"one", "two", "three"})));
  CHECK_THAT(report, ContainsSubstring("| vs the rung it follows | vs first rung |"));
  CHECK_THAT(lines_with(report, "`one` | handwritten | pass"),
             ContainsSubstring(" % | not compared | not compared | above ceiling |\n"));
  CHECK_THAT(lines_with(report, "`two` | handwritten | pass"),
             ContainsSubstring("| 2.00x (2.00 to 2.00) | 2.00x (2.00 to 2.00) |"));
  CHECK_THAT(lines_with(report, "`three` | handwritten | pass"),
             ContainsSubstring("| 0.800x (0.800 to 0.800) | 1.600x (1.600 to 1.600) |"));
}

TEST_CASE(
    "back to back a rung is held against the library that is the fastest back to back, and it is "
    "said where one run alone shows the opposite") {
  const auto both = [](const char* provider, const char* rung, double alone,
                       std::optional<double> back_to_back) {
    Cell cell = gpu_cell(provider, rung, alone);
    if (back_to_back)
      for (ProcessMedian& one : timing_of(cell).processes)
        one.back_to_back_us = *back_to_back * one.time_us / alone;
    return cell;
  };
  const Results results =
      only({both("handwritten", "turns", 20, 2), both("handwritten", "slow", 20, 10),
            both("handwritten", "tied", 20, 3), both("handwritten", "alone", 5, {}),
            both("cub", "quick_alone", 10, 4), both("thrust", "quick_in_a_row", 12, 3)});
  const auto report = short_markdown(results);
  CHECK_THAT(report, ContainsSubstring("| back to back | back to back vs fastest library |"));
  CHECK_THAT(std::string(column("back to back vs fastest library").meaning),
             ContainsSubstring("*Not as alone*: a single run after"));
  const auto line = [&](const std::string& rung) {
    return lines_with(report, "`" + rung + "` | ");
  };
  CHECK_THAT(line("turns"),
             ContainsSubstring("| 2.00 us | 1.500x (1.474 to 1.526), **not as alone** |") &&
                 ContainsSubstring("| 0.500x ("));
  CHECK_THAT(line("slow"), ContainsSubstring("| 10.0 us | 0.300x (0.295 to 0.305) |"));
  CHECK_THAT(line("tied"), ContainsSubstring("| 3.00 us | no difference shown (0.983 to 1.017) |"));
  CHECK_THAT(lines_with(report, "**`alone`**"),
             ContainsSubstring("5.05)** | **not run** | **not compared** |"));
  CHECK_THAT(line("quick_alone"), ContainsSubstring("| 4.00 us | 0.750x (0.750 to 0.750) |"));
  CHECK_THAT(line("quick_in_a_row"), ContainsSubstring("| 3.00 us | not compared |"));
}

TEST_CASE("bank conflicts are shown and explained where shared memory is used") {
  Cell global = emulated_cell("global"), conflicts = emulated_cell("conflicts"),
       free = emulated_cell("free"), less = emulated_cell("less");
  counters_of(global).shared_requests = counters_of(global).shared_wavefronts = 0;
  CHECK_THAT(markdown(only({global})), !ContainsSubstring("wavefronts"));

  counters_of(conflicts).shared_requests = counters_of(free).shared_requests = 2000,
  counters_of(less).shared_requests = 1000;
  counters_of(conflicts).shared_wavefronts = 7500, counters_of(free).shared_wavefronts = 2000,
  counters_of(less).shared_wavefronts = 1250;
  const Results results =
      only({global, conflicts, free, less}, ladder_of({"global", "conflicts", "free", "less"}));
  const auto table = markdown(results), report = steps_of(results);
  CHECK_THAT(table, ContainsSubstring("| shared wavefronts | wavefronts per shared request |"));
  CHECK_THAT(table, ContainsSubstring("| 7,500 | 3.75 |\n"));
  CHECK_THAT(table, ContainsSubstring("| none | none |\n"));
  CHECK_THAT(report,
             ContainsSubstring("- **`conflicts`** after `global`: no count is better, and it makes "
                               "2,000 requests to shared memory instead of none.\n"));
  CHECK_THAT(report, ContainsSubstring("- **`free`** after `conflicts`: takes one wavefront for a "
                                       "request to shared memory instead of 3.75: no bank "
                                       "conflict is left.\n"));
  CHECK_THAT(report, ContainsSubstring("- **`less`** after `free`: makes 1,000 requests to shared "
                                       "memory instead of 2,000; but takes 1.25 wavefronts "
                                       "for a request to shared memory instead of 1.00.\n"));
}

TEST_CASE(
    "the error of a float and its share of the bound stand beside its time, and nothing where the "
    "exact bits are due") {
  Cell tree = timed_cell("handwritten", "tree", 100, "f32"),
       compensated = timed_cell("handwritten", "compensated", 125, "f32"),
       unbounded = timed_cell("handwritten", "unbounded", 150, "f32"),
       overflowed = timed_cell("handwritten", "overflowed", 175, "f32");
  measured(tree).error = Error{2'648'612, 0.3, 0.5, 0.0425},
  measured(compensated).error = Error{0, 0, 1e-7, 0};
  measured(unbounded).error = Error{37.5, 3e-6};
  measured(overflowed).error = Error{};
  const auto report = markdown(only({tree, compensated, unbounded, overflowed}));
  CHECK_THAT(lines_with(report, "| type | rung"),
             ContainsSubstring("| of ceiling | error (ULP) | of bound |"));
  CHECK_THAT(lines_with(report, "`tree` | handwritten | pass | 100 us"),
             ContainsSubstring("| 2,648,612 | 4.25 % |"));
  CHECK_THAT(lines_with(report, "`compensated` | handwritten | pass | 125 us"),
             ContainsSubstring("| 0 | 0 % |"));
  CHECK_THAT(lines_with(report, "`unbounded` | handwritten | pass | 150 us"),
             ContainsSubstring("| 37.5 | none |"));
  CHECK_THAT(lines_with(report, "`overflowed` | handwritten | pass | 175 us"),
             ContainsSubstring("| infinite | none |"));
  CHECK(!column("of bound").meaning.empty());
  CHECK_THAT(markdown(only({timed_cell("std", "std_serial", 5, "i32"),
                            timed_cell("std", "std_serial", 5, "f32", "min")})),
             !ContainsSubstring("of bound") && !ContainsSubstring("ULP"));
}

TEST_CASE("errors stand beside counts where there is no operator") {
  Cell real = emulated_cell("tree", "f32");
  measured(real).error = Error{3, 1e-7, 0.5, 0.125};
  CHECK_THAT(markdown(only({real})), !ContainsSubstring("ULP"));
  real.input.op.reset();
  real.input.operation = "dot";
  CHECK_THAT(lines_with(markdown(only({real})), "| f32 | `tree`"),
             ContainsSubstring("| 3 | 12.5 % |"));
}

TEST_CASE("errors take no other column's place in the summary") {
  const Cell first = timed_cell("handwritten", "serial", 180, "f32");
  Cell exact = timed_cell("handwritten", "tree", 100, "f32"), off = exact;
  measured(off).error = Error{3, 1e-7, 0.5, 0.125};
  const auto summed_up = [&](const Cell& cell) {
    return summary_text(only({first, cell}, ladder_of({"serial", "tree"})));
  };
  CHECK_THAT(summed_up(exact),
             ContainsSubstring("vs the rung it follows") && !ContainsSubstring("ULP"));
  CHECK_THAT(summed_up(off), ContainsSubstring("vs the rung it follows"));
}

TEST_CASE(
    "operations stand in the order that the results give, those that they do not list behind "
    "them") {
  const std::vector<std::string> in_order{"reduce", "sum_of_cubes", "inclusive_scan", "a_sort",
                                          "sort"};
  std::vector<Cell> cells(in_order.size(), emulated_cell("serial"));
  for (std::size_t i = 0; i < cells.size(); ++i)
    cells[i].input.operation = in_order[cells.size() - 1 - i];
  Results results = only(cells);
  results.operations = {{.name = "reduce", .operators = {"sum", "min"}},
                        {.name = "sum_of_cubes", .place = 1},
                        {.name = "inclusive_scan", .place = 2}};
  const Order order(results);
  CHECK(order.operations(cells) == in_order);
  for (std::size_t i = 0; i < 3; ++i) CHECK(order.of_operation(in_order[i]) == i);
  CHECK(order.of_operation("a_sort") == order.of_operation("sort"));
  CHECK(order.of_operation("a_sort") > 2);

  Input by = cells[4].input;
  REQUIRE(by.operation == "reduce");
  CHECK(order.of_operator(by) == 0);
  by.op = "min";
  CHECK(order.of_operator(by) == 1);
  by.op = "xor";
  CHECK(order.of_operator(by) == 2);

  std::vector<std::string> sections;
  std::istringstream report(markdown(results));
  for (std::string line; std::getline(report, line);)
    if (line.starts_with("## ") && std::ranges::find(in_order, line.substr(3)) != in_order.end())
      sections.push_back(line.substr(3));
  CHECK(sections == in_order);
}

TEST_CASE(
    "a ladder begins with its first rung, each rung comes after the one that it follows, and "
    "libraries come last") {
  std::vector<Rung> rungs{rung_of("cub", "", "cub"),       rung_of("a_third", "second"),
                          rung_of("thrust", "", "thrust"), rung_of("z_first"),
                          rung_of("branch", "z_first"),    rung_of("second", "z_first"),
                          rung_of("orphan", "not_there")};
  sort_as_ladder(rungs);
  std::vector<std::string> names;
  for (const Rung& rung : rungs) names.push_back(rung.rung);
  CHECK(names == std::vector<std::string>{"orphan", "z_first", "branch", "second", "a_third", "cub",
                                          "thrust"});
}

TEST_CASE("rungs that follow each other in a circle are all shown") {
  const auto report = markdown(only({emulated_cell("a"), emulated_cell("b"), emulated_cell("c")},
                                    {rung_of("a", "b"), rung_of("b", "a"), rung_of("c", "c")}));
  for (const char* rung : {"| `a`", "| `b`", "| `c`"}) CHECK_THAT(report, ContainsSubstring(rung));
}

TEST_CASE("incomplete, modified or failing runs say so before anything else") {
  Results results = only({timed_cell("std", "std_serial", 5)});
  CHECK_THAT(markdown(results), !ContainsSubstring("WARNING"));
  results.run.complete = false;
  CHECK_THAT(markdown(results),
             ContainsSubstring("# Kernel Ladder report\n\n> [!WARNING]\n> **Incomplete.**"));
  results.run.complete = true, results.run.dirty = true;
  CHECK_THAT(markdown(results), ContainsSubstring("> **Modified sources.**"));
  results.run.dirty = false, results.cells[0] = without(results.cells[0], Verdict::fail, "wrong");
  const Files files = markdown_files(results);
  CHECK_THAT(
      files.at("report.md"),
      ContainsSubstring(
          "> **1 row without a right answer.** Operations: reduce. The page of each one in the "
          "folder report lists the reasons under Rows without a number.\n"));
  CHECK_THAT(files.at("report/reduce.md"), ContainsSubstring("\n## Rows without a number\n"));
}

TEST_CASE("of a rung that is wrong on purpose one answer is told") {
  std::vector<Cell> cells;
  for (const std::uint64_t n : {1024, 2048, 4096})
    cells.push_back(without(for_size(emulated_cell("racy"), n), Verdict::expected_wrong,
                            ("out[0] is " + std::to_string(n)).c_str()));
  const std::string page = markdown_files(only(cells)).at("report/reduce.md");
  const auto line = page.substr(page.find("**wrong on purpose**: "));
  CHECK_THAT(line, ContainsSubstring("i32 at n = 2^10") &&
                       ContainsSubstring("It is wrong on 2 more inputs.\n") &&
                       !ContainsSubstring("2^11"));
}

TEST_CASE(
    "kernels from elsewhere are named before anything else, and so is their folder in their "
    "cards") {
  Rung theirs = rung_of("another");
  theirs.source = "A sample.";
  Results results =
      only({emulated_cell("another"), emulated_cell("serial")}, {theirs, rung_of("serial")});
  CHECK_THAT(markdown(results), !ContainsSubstring("WARNING"));
  results.kernels = Kernels{"a|folder", "0123456789abcdef0123456789abcdef01234567", true};
  std::ranges::find(results.rungs, "another", &Rung::rung)->from = "a|folder";
  sort(results);
  CHECK_THAT(markdown(results),
             ContainsSubstring("> **Kernels from elsewhere.** a&#124;folder, commit "
                               "0123456789abcdef0123456789abcdef01234567 with changes. "
                               "Not of Kernel Ladder: reduce another.\n"));
  const std::string report = markdown(results);
  CHECK(report.find("| `serial` |") < report.find("| `another` |"));  // after those of this project
  CHECK_THAT(report_in(report_files(results).at("report.html")).dump(),
             ContainsSubstring("The folder a|folder. A sample."));
  CHECK(nlohmann::json::parse(file_text(results)).get<Results>().kernels->dirty);
}

TEST_CASE(
    "a set that is not sound says so before anything else, in every format, and with what is wrong "
    "first") {
  Results results = example();
  const Soundness sound = soundness(results);
  REQUIRE(sound.sound());
  CHECK(cautions(results, sound).size() == 1);  // of rows that crashed
  for (const std::size_t cell : {5, 6}) timing_of(results.cells[cell]).time_us.max *= 2;
  timing_of(results.cells[5]).time_us.outliers = 999;
  results.cells[5].who.rung = "<b>\u202e";
  const Soundness found = soundness(results);
  REQUIRE_FALSE(found.sound());
  const auto all = cautions(results, found);
  REQUIRE(all.size() == 2);
  CHECK(all[0].what == "Not sound");
  CHECK_THAT(all[0].why,
             StartsWith("./ladder check finds " + counted(found.errors.size(), "error", "errors") +
                        ". The first, at /cells/5 (reduce, ") &&
                 !ContainsSubstring("\u202e"));
  const auto report = markdown(results, {}, found);
  CHECK_THAT(
      report,
      StartsWith(
          "# Kernel Ladder report\n\n> [!WARNING]\n> **Not sound.** ./ladder check finds ") &&
          !ContainsSubstring("<b>"));
  CHECK_THAT(markdown(results, {}, sound), !ContainsSubstring("Not sound"));
}

TEST_CASE(
    "no text of a file turns round, ends or hides a line of what is rendered, in any block of any "
    "format") {
  const std::vector<std::string> harmful{"\u202e", "\u2066", "\u200f", "\u061c",
                                         "\u2028", "\u009b", "\x1b",   "\xe9"};
  const std::string hostile = "x" + joined(harmful, "y") + "z";
  const nlohmann::json good = full();
  const nlohmann::json fields = good.flatten();
  std::size_t texts = 0;
  for (const auto& [place, value] : fields.items()) {
    if (!value.is_string()) continue;
    nlohmann::json document = good;
    document[nlohmann::json::json_pointer(place)] = hostile;
    Results results;
    try {
      results = document.get<Results>();
    } catch (const std::invalid_argument&) {  // a word of a fixed list
      continue;
    }
    ++texts;
    INFO(place);
    const NamedSet set{hostile, results};
    for (const std::string& text :
         {markdown(results, {of_gpu()}, soundness(results)),
          markdown(only({emulated_cell("serial")}), {results}), headline(results, "folder"),
          summary_text(results), index_page({{"folder", results, {"report.md"}}}),
          sets_files({{hostile, results, {}}, {"other", of_gpu(), soundness(results)}})
              .at("sets.md"),
          comparison_text(set, set, comparison(results, results)),
          terminal_json(comparison_json(set, set, comparison(results, results)))}) {
      for (const std::string& one : harmful) CHECK(text.find(one) == text.npos);
    }
  }
  CHECK(texts > 40);
}

TEST_CASE("the headline bandwidth is one of memory, not of a cache") {
  const Cell large = timed_cell("std", "std_serial", 10), cached = for_size(large, 1 << 20),
             from_memory = timed_cell("thrust", "thrust_host", 3'000);
  CHECK_THAT(markdown(only({large, from_memory})), ContainsSubstring("GB/s, by `std_serial`"));
  CHECK_THAT(markdown(only({cached, from_memory})), ContainsSubstring("GB/s, by `thrust_host`"));
}

TEST_CASE(
    "displaced rows have tables of their own, and change nothing that is said of the others") {
  for (const Results& given : {of_gpu(), example()}) {
    std::vector<Cell> cells;
    for (const Cell& cell : given.cells) cells.push_back(for_size(cell, cell.input.n / 4));
    const Results aligned = with_cells(given, cells);
    for (Cell twin : aligned.cells) {
      if (twin.timing() != nullptr) timing_of(twin).time_us.median /= 2;
      twin.input.offset = 1;
      cells.push_back(twin);
      cells.push_back(for_size(twin, 2 * twin.input.n));  // larger than all others
    }
    const Results mixed = with_cells(aligned, cells);
    const Order order(aligned), its_order(mixed);
    CHECK(headline(mixed, "folder") == headline(aligned, "folder"));
    CHECK(telling_key(mixed.cells, its_order) == telling_key(aligned.cells, order));
    for (const std::string& figure : figure_names())
      if (figure != "claims")
        CHECK(figure_rows(figure, flat(mixed), telling_key(mixed.cells, its_order)) ==
              figure_rows(figure, flat(aligned), telling_key(aligned.cells, order)));
    CHECK(claims_section(mixed.cells) == claims_section(aligned.cells));
    CHECK(upgrade_section(mixed) == upgrade_section(aligned));
    const auto steps = explanations(mixed.cells, its_order),
               wanted = explanations(aligned.cells, order);
    CHECK(std::ranges::equal(steps, wanted, {}, &Step::text, &Step::text));
    const auto but_last_line = [](const std::string& text) {
      return text.substr(0, text.rfind('\n', text.size() - 2));
    };
    CHECK(but_last_line(summary_text(mixed)) == but_last_line(summary_text(aligned)));
  }
}

TEST_CASE("results without cells are reported too") {
  CHECK_THAT(markdown(only({})), ContainsSubstring("Nothing was run on Example CPU"));
  CHECK(summary_text(only({})) == "0 rows: nothing was run\n");
}

TEST_CASE("the summary fits on a terminal and ends with the verdicts") {
  const auto text = summary_text(example());
  std::istringstream in(text);
  std::size_t lines = 0;
  std::string last;
  for (std::string line; std::getline(in, line); ++lines, last = line) CHECK(line.size() <= 80);
  CHECK(lines <= 25);
  // at 2^26 nothing ran
  CHECK_THAT(text, ContainsSubstring("reduce, sum, i32, n = 2^16: counted"));
  CHECK(last == "48 rows: 34 pass, 2 crashed, 6 wrong on purpose, 6 skipped");
  const Cell hostile = emulated_cell("a\x1b[31m\n");
  CHECK_THAT(summary_text(only({hostile})), !ContainsSubstring("\x1b"));
}

TEST_CASE("the end of an interval is not rounded onto 1, which lies on one side of it") {
  CHECK(ratio_text({1.002, 0.99969, 1.0049, Difference::none_shown}) ==
        "no difference shown (0.9997 to 1.005)");
  CHECK(ratio_text({1.002, 1.000004, 1.0049, Difference::faster}) == "1.002x (1.000004 to 1.005)");
  CHECK(ratio_text({1, 1, 1, Difference::none_shown}) == "no difference shown (1.000 to 1.000)");
  CHECK(ratio_text({2.5, 2.496, 2.504, Difference::faster}) == "2.50x (2.50 to 2.50)");
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
  const auto in_words = [](double us) {
    return Duration(us).number(us) + ' ' + std::string(Duration(us).unit);
  };
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

TEST_CASE(
    "a rung that is wrong on purpose is said to be, and to have been lucky where no count was "
    "lost") {
  Cell racy = gpu_cell("handwritten", "racy", 5);
  racy.outcome = Failure{Verdict::expected_wrong, "", 7};
  CHECK(verdict_text(racy) == "wrong on purpose");
  racy.outcome = Failure{Verdict::expected_wrong, "", 0};
  CHECK(verdict_text(racy) == "right, by luck");
}

TEST_CASE("of two stopping rules of one backend it is said which rows each covers") {
  Results results = of_gpu();
  results.run.efforts = {{Backend::cuda, 6, 12, 48, 0.025}};
  CHECK_THAT(markdown(results),
             ContainsSubstring("\n- GPU: 6 processes. Each process stops at 12 ") &&
                 !ContainsSubstring("presets.txt"));
  results.run.efforts.push_back({Backend::cuda, 6, 10, 30, 0.06});
  CHECK_THAT(
      markdown(results),
      ContainsSubstring("\n- GPU, short runs: 6 processes. Each process stops at 12 samples ") &&
          ContainsSubstring("\n- GPU, long runs: 6 processes. Each process stops at 10 samples ") &&
          ContainsSubstring(
              "\n\n`compare/driver/plan/presets.txt` says which rule each input has"));
  results.run.efforts.push_back({Backend::cuda, 3, 10, 100, 0.06});
  CHECK_THAT(markdown(results), ContainsSubstring("\n- GPU: 3 processes. ") &&
                                    !ContainsSubstring("GPU, long runs") &&
                                    ContainsSubstring("presets.txt"));
}
