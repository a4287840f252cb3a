// Result sets that are published: how they are shown where there is no GPU, and that what is
// committed of them holds together.
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>

#include "compare/tests/catch.hpp"
#include "reports/file/compression.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/figures/figures.hpp"
#include "reports/formats/report.hpp"
#include "reports/formats/terminal/comparison_text.hpp"
#include "reports/model/json.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/notes/overview.hpp"
#include "reports/numbers/compare_sets.hpp"
#include "reports/numbers/flat_table.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/publish/headline.hpp"
#include "reports/publish/index.hpp"
#include "reports/publish/publication.hpp"
#include "reports/targets/targets.hpp"
#include "reports/tests/formats.hpp"
#include "reports/tests/sample.hpp"
#include "reports/words/lead_sentences.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

std::unique_ptr<Report> with(const Results& results, const Pictures& pictures) {
  auto report = std::make_unique<Report>(results);
  report->pictures = pictures;
  return report;
}

std::string line_with(const std::string& text, const std::string& part) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.find(part) != line.npos) return line;
  return "";
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// The same results after a change of their cells.
Results changed(Results results, const std::function<void(std::vector<Cell>&)>& change) {
  std::vector<Cell> cells = std::move(results.cells);
  change(cells);
  return with_cells(std::move(results), std::move(cells));
}

std::uintmax_t bytes_in(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& file : fs::recursive_directory_iterator(folder))
    if (file.is_regular_file()) bytes += file.file_size();
  return bytes;
}

void write_anew(const fs::path& repository) {
  for (const auto& [file, text] : Publication(repository).made()) write_text(file, text);
}

// A checkout with one published set, all good.
class Checkout {
 public:
  explicit Checkout(Results results = of_gpu()) {
    std::string name = (fs::temp_directory_path() / "ladder_published_XXXXXX").string();
    path = mkdtemp(name.data());
    fs::create_directories(set());
    write_text(set() / "results.json", file_text(results));
    write_text(path / "README.md",
               "# Title\n\n<!-- headline: generated from reports/published/card, do not edit "
               "-->\n<!-- end of headline -->\n\nMore.\n");
    write_text(path / "docs" / "targets.md",
               "# Targets\n\n<!-- table of targets: generated from reports/published/card, do not "
               "edit -->\n<!-- end of table of targets -->\n");
    write_anew(path);
  }
  Checkout(const Checkout&) = delete;
  ~Checkout() { fs::remove_all(path); }

  fs::path set() const { return path / "reports" / "published" / "card"; }
  std::vector<std::string> faults() const { return Publication(path).faults(); }

  fs::path path;
};

using Faults = std::vector<std::string>;

}  // namespace

TEST_CASE("what is published here holds together", "[published]") {
  Publication here(REPOSITORY);
  if (std::getenv("LADDER_WRITE_EXAMPLE") != nullptr) write_anew(REPOSITORY);
  if (here.empty())
    std::cout << "nothing is published in reports/published: only that the README shows no "
                 "headline was checked\n";
  CHECK(Publication(REPOSITORY).faults() == Faults{});
}

TEST_CASE("a clone is light: all that is published takes 12 MB at most", "[published]") {
  const auto bytes = bytes_in(Publication(REPOSITORY).folder());
  CHECK(bytes > 1'000'000);
  CHECK(bytes <= most_published_bytes);
}

TEST_CASE("the published report is read in five minutes, and no page is longer than GitHub shows",
          "[published]") {
  const fs::path folder = fs::path(REPOSITORY) / "reports" / "published" / "h200";
  CHECK(fs::file_size(folder / "report.md") <= 60'000);
  std::size_t pages = 0;
  for (const auto& page : fs::directory_iterator(folder / "report")) {
    INFO(page.path());
    CHECK(page.file_size() <= 200'000);
    ++pages;
  }
  CHECK(pages >= 7);  // an operation each, and the study notes
}

TEST_CASE("a published set is held to its promises", "[many]") {
  const Checkout good;
  CHECK(good.faults() == Faults{});
  CHECK_THAT(text_of(good.path / "README.md"), ContainsSubstring("| `cub` |"));
  CHECK_THAT(text_of(good.path / "README.md"),
             ContainsSubstring("<!-- end of headline -->\n\nMore.\n"));

  Results results = of_gpu();
  results.run.complete = false;
  CHECK(Checkout(results).faults() == Faults{"card: incomplete"});
  results = of_gpu(), results.run.dirty = true;
  CHECK(Checkout(results).faults() == Faults{"card: not from a clean commit"});
  results = of_gpu(), results.run.commit = "unknown";
  CHECK(Checkout(results).faults() == Faults{"card: not from a clean commit"});
  for (const Verdict verdict : {Verdict::fail, Verdict::crashed, Verdict::timeout}) {
    results = of_gpu(), results.cells[0] = without(results.cells[0], verdict, "because");
    CHECK(Checkout(results).faults() == Faults{"card: a row failed, crashed or timed out"});
  }
  results = of_gpu(),
  results.kernels = Kernels{"theirs", "0123456789abcdef0123456789abcdef01234567", false};
  CHECK(Checkout(results).faults() == Faults{"card: with kernels from elsewhere"});
  results = of_gpu(), results.shard = Shard{1, 2, 3, "sha256:" + std::string(64, '0')};
  CHECK(Checkout(results).faults() == Faults{"card: incomplete"});
  results = example();
  std::erase_if(results.cells, [](const Cell& c) { return c.verdict() == Verdict::crashed; });
  CHECK(Checkout(results).faults() == Faults{"card: not of a GPU"});
}

TEST_CASE("what is made from a published set is what it gives", "[many]") {
  Checkout checkout;
  write_text(checkout.set() / "report.md", text_of(checkout.set() / "report.md") + "\n");
  CHECK(checkout.faults() == Faults{"card: report.md is not what results.json gives"});
  write_anew(checkout.path);
  CHECK(checkout.faults() == Faults{});

  write_text(checkout.set() / "report" / "of_another_run.md", "# Another run\n");
  CHECK(checkout.faults() ==
        Faults{"card: report/of_another_run.md is not what results.json gives"});
  fs::remove(checkout.set() / "report" / "of_another_run.md");

  fs::create_directories(checkout.set() / "second");
  fs::copy(checkout.set() / "results.json", checkout.set() / "second");
  CHECK(checkout.faults() == Faults{"card/second: ../compare.txt is not what results.json gives",
                                    "README.md is not what the sets give"});
  write_anew(checkout.path);
  CHECK(checkout.faults() == Faults{});
  CHECK_THAT(text_of(checkout.set() / "compare.txt"),
             ContainsSubstring("B: reports/published/card/second/results.json\n"));

  write_text(checkout.set().parent_path() / "README.md", "# Published\n");
  CHECK(checkout.faults() == Faults{"README.md is not what the sets give"});
  write_anew(checkout.path);
  CHECK_THAT(text_of(checkout.set().parent_path() / "README.md"),
             ContainsSubstring("| [card](card) | ") &&
                 ContainsSubstring("`counters` holds the hardware counters of the same GPU. "
                                   "A folder `second`, where there is one, holds a second run of "
                                   "the same study.") &&
                 ContainsSubstring(" | "
                                   "[report.md](card/report.md)<br>[report.html](card/"
                                   "report.html)<br>[compare.txt](card/compare.txt) |\n"));

  const std::string readme = text_of(checkout.path / "README.md");
  write_text(checkout.path / "README.md",
             std::regex_replace(readme, std::regex("262 us"), "260 us"));
  CHECK(checkout.faults() == Faults{"README: not the headline of reports/published/card"});
  write_text(checkout.path / "README.md", "# Title\n");
  CHECK(checkout.faults() == Faults{"README: no headline"});
  write_text(checkout.path / "README.md",
             std::regex_replace(readme, std::regex("from reports/published/card"),
                                "from reports/published/none"));
  CHECK(checkout.faults() ==
        Faults{"README: a headline of reports/published/none, which is not published"});

  write_text(checkout.path / "README.md", readme);
  const std::string targets = text_of(checkout.path / "docs" / "targets.md");
  CHECK_THAT(targets, ContainsSubstring(": faster on "));
  write_text(checkout.path / "docs" / "targets.md",
             std::regex_replace(targets, std::regex(": faster on "), ": faster on 1"));
  CHECK(checkout.faults() == Faults{"targets: not the table of targets of reports/published/card"});
  write_anew(checkout.path);
  CHECK(text_of(checkout.path / "docs" / "targets.md") == targets);
  CHECK(checkout.faults() == Faults{});
  fs::remove(checkout.path / "docs" / "targets.md");
  CHECK(checkout.faults() == Faults{"targets: no table of targets"});

  write_text(checkout.path / "docs" / "targets.md", targets);
  write_text(checkout.set() / "results.json", "{}");
  CHECK_THROWS_AS(write_anew(checkout.path), BadFile);
  fs::remove_all(checkout.path / "reports");
  CHECK(checkout.faults() ==
        Faults{"README: a headline of nothing", "targets: a table of targets of nothing"});
  fs::remove_all(checkout.path / "docs");
  write_text(checkout.path / "README.md", "# Title\n");
  CHECK(checkout.faults() == Faults{});
}

TEST_CASE("where a figure of all sets is drawn, the README shows it, and it is of these sets") {
  Checkout checkout;
  const auto figures = checkout.path / "reports" / "published" / "figures";
  fs::create_directories(checkout.path / "reports" / "published" / "other");
  write_text(checkout.path / "reports" / "published" / "other" / "results.json",
             file_text(of_gpu()));
  write_anew(checkout.path);
  CHECK_FALSE(fs::exists(figures / "sets.vl.json.bz2"));
  fs::create_directories(figures);
  write_text(figures / "sets.svg", "<svg/>");
  CHECK(checkout.faults() == Faults{"sets.vl.json.bz2 is not what the sets give",
                                    "README: not the headline of reports/published/card"});
  write_anew(checkout.path);
  CHECK(checkout.faults() == Faults{});
  CHECK_THAT(text_of(checkout.path / "README.md"),
             ContainsSubstring("(reports/published/figures/sets.svg)\n"));
  CHECK_THAT(read_packed(figures / "sets.vl.json.bz2", 1 << 20),
             ContainsSubstring("\"set\": \"A, A GPU\""));
}

TEST_CASE("a published set may be packed, and gives the same") {
  Checkout checkout;
  const auto plain = checkout.set() / "results.json";
  const std::string text = text_of(plain);
  write_text(checkout.set() / "results.json.bz2", packed(text));
  write_text(plain, "{}");
  // where both are there, the plain one
  CHECK_THROWS_WITH(checkout.faults(),
                    ContainsSubstring("results.json: it is JSON, but not a result file"));
  fs::remove(plain);
  CHECK(checkout.faults() == Faults{});
  write_text(checkout.set() / "results.json.bz2", packed(text).substr(0, 100));
  CHECK_THROWS_WITH(checkout.faults(),
                    ContainsSubstring("results.json.bz2: it is damaged or cut off;"));
}

TEST_CASE("where nothing was timed on a GPU, published times stand beside the counts, as theirs") {
  const Results published = of_gpu();
  CHECK_THAT(markdown(example(), {published}),
             ContainsSubstring("Published, not measured here: on A GPU, " +
                               standing(ResultSet(published).operations[0])));
  CHECK_THAT(
      summary_text({example(), {published}}),
      ContainsSubstring(
          "\npublished times on A GPU are in the report; none was measured here\n48 rows: "));
  CHECK(count(summary_text({example(), {published}}), "\n") <= 25);
}

TEST_CASE(
    "the line that points to published times does not make the summary longer than it may be") {
  std::vector<Cell> cells;
  for (char rung = 'a'; rung < 'a' + 9; ++rung)
    cells.push_back(emulated_cell(std::string(1, rung).c_str()));
  for (char rung = 'a'; rung < 'a' + 7; ++rung)
    cells.push_back(timed_cell("std", std::string(1, rung).c_str(), 5));
  const Results results = with_cells(example(), cells);
  CHECK(count(summary_text(results), "\n") == 25);
  CHECK(count(summary_text({results, {of_gpu()}}), "\n") <= 25);
  Results long_name = of_gpu();
  long_name.machine.gpu->name = std::string(300, 'x') + "\x1b[31m";
  std::istringstream in(summary_text({results, {long_name}}));
  for (std::string line; std::getline(in, line);) CHECK(line.size() <= 80);
}

TEST_CASE("a report with times of a GPU, or without any published, stays as it is") {
  const Results published = of_gpu();
  const Results timed_here = changed(
      example(), [](auto& cells) { cells.push_back(gpu_cell("handwritten", "serial", 5)); });
  CHECK(markdown(timed_here, {published}) == markdown(timed_here));
  CHECK(summary_text({timed_here, {published}}) == summary_text(timed_here));
  Results another = published;
  for (Cell& c : another.cells) c.input.operation = "scan";
  CHECK(markdown(example(), {another, example(), with_cells(published, {})}) ==
        markdown(example()));
  CHECK(summary_text({example(), {another}}) == summary_text(example()));
  for (Cell& c : another.cells) c.input.operation = "reduce", c.how.cache = Cache::warm;
  std::erase_if(another.cells, [](const Cell& c) {
    return c.who.rung == "cub" || c.how.contract == Contract::host_result;
  });
  CHECK(markdown(example(), {another}) == markdown(example()));
}

TEST_CASE("published rows without a pass show no number, and published text is never markup") {
  const Cell failed =
      without(gpu_cell("handwritten", "serial", 1234), Verdict::fail, "5 instead of 4");
  Cell until_host = failed;
  until_host.how.contract = Contract::host_result;
  Results published = with_cells(of_gpu(), {failed, gpu_cell("cub", "c|<b>`", 261), until_host});
  published.machine.gpu->name = "<img src=x>\n# GPU";
  published.run.commit = "a`b|\n# out", published.run.date = "<i>2026";
  CHECK_THAT(line_with(markdown_files(published).at("report.md"), "| `serial`"),
             ContainsSubstring("none: wrong answer"));
  for (const auto& text : {markdown(example(), {published}), markdown(published)}) {
    for (const char* harm : {"1.23", "<b>", "<img", "<i>", "\n# GPU", "\n# out"})
      CHECK_THAT(text, !ContainsSubstring(harm));
    CHECK_THAT(text, ContainsSubstring("261 us") || ContainsSubstring("Published, not measured"));
  }
  for (Cell& c : published.cells) c = without(c, Verdict::fail, "5 instead of 4");
  CHECK(markdown(example(), {published}) == markdown(example()));
}

TEST_CASE("of the GPU times of an operation those of the largest size up to 2^28 tell most") {
  const Results published = changed(of_gpu(), [](auto& cells) {
    cells.push_back(for_size(gpu_cell("cub", "cub", 1234), 1ull << 30));
  });
  const ResultSet set(published);
  for (const Cell& c : set.operations[0].gpu_times) CHECK(c.input.n == 1 << 28);
}

TEST_CASE(
    "the headline is the fastest kernel of each operation beside the fastest library, with its "
    "source") {
  const Results published = of_gpu();
  const auto text = headline(published, "reports/published/card");
  CHECK_THAT(text, Catch::Matchers::StartsWith(lead(published) + "\n\n| operation | "));
  CHECK_THAT(text, ContainsSubstring("\n| `reduce`, sum, i32 | `only_there` | 262 us | "
                                     "95.3 % | `cub` | no difference shown (0.979 to "
                                     "1.014) |\n\n"));
  CHECK(count(line_with(text, "| operation |"), "|") == 7);  // six columns fit on GitHub
  CHECK_THAT(text, ContainsSubstring("\nRun `" + published.run.id.substr(7, 12) +
                                     "` of 2026-11-22, commit `89abcdef0123`: [the "
                                     "report](reports/published/card/report.md)"));
  const auto nothing = headline(bare(), "folder");
  CHECK_THAT(nothing, Catch::Matchers::StartsWith(lead(bare())) && !ContainsSubstring("|"));
  CHECK(count(text, "\n| `") == 1);
}

TEST_CASE("of a set of hardware counters it is said that it has no times to compare") {
  const Results counters = changed(of_gpu(), [](auto& cells) {
    for (Cell& cell : cells)
      if (Measured* its = cell.outcome.measured()) {
        its->counters = *emulated_cell("serial").counters();
        its->timing->processes.resize(1);
      }
    std::erase_if(cells, [](const Cell& cell) { return cell.who.provider != "handwritten"; });
  });
  CHECK(lead(counters) == "Hardware counters of A GPU. The set compares no times with a library.");
}

TEST_CASE("the headline begins with the operation in which a kernel is faster by most") {
  Results published = of_gpu();
  std::vector<Cell> cells = published.cells;
  for (const auto& [rung, us] : {std::pair("packed", 100.0), {"cub", 300.0}}) {
    cells.push_back(gpu_cell(rung == std::string("cub") ? "cub" : "handwritten", rung, us));
    cells.back().input.operation = "dot";
  }
  published = with_cells(published, cells);
  const auto text = headline(published, "folder");
  CHECK_THAT(text, ContainsSubstring(" It is 3.00x as fast for `dot`.\n\n| operation |"));
  CHECK(text.find("\n| `dot`, ") < text.find("\n| `reduce`, "));
}

TEST_CASE("a picture is shown while it is of the results, in the headline and in report.md") {
  const Results published = of_gpu();
  const Order order(published);
  const auto rows =
      figure_rows("ladder", flat(published),
                  telling_key(ResultSet(published).operation("reduce")->cells, order));
  const Pictures pictures{{"reduce-ladder", specification("ladder", rows, "light").dump()}};
  CHECK_THAT(
      headline(*with(published, pictures), "folder"),
      ContainsSubstring("![The ladder of reduce, on A GPU](folder/figures/reduce-ladder.svg)"));
  CHECK_THAT(markdown_files(*with(published, pictures)).at("report.md"),
             ContainsSubstring("![The ladder of reduce](figures/reduce-ladder.svg)"));
  const Results others = changed(
      published, [](auto& cells) { cells.push_back(gpu_cell("handwritten", "another", 99)); });
  CHECK_THAT(headline(*with(others, pictures), "folder"), !ContainsSubstring("!["));
  CHECK_THAT(markdown_files(*with(others, pictures)).at("report.md"), !ContainsSubstring("!["));
  CHECK_THAT(headline(*with(published, {{"reduce-ladder", "{"}}), "folder"),
             !ContainsSubstring("!["));
}

TEST_CASE("the ladder of an operation in report.md is one small table") {
  const std::string text = markdown_files(of_gpu()).at("report.md");
  CHECK_THAT(
      text,
      ContainsSubstring(
          "On `reduce` by sum, i32, n = 2^28 (268,435,456), input random, cold cache:\n\n| rung | "
          "time (95 % interval) | "
          "GB/s | of ceiling | vs fastest library | time to the host | time for f64 |\n| --- |"));
  CHECK_THAT(text,
             ContainsSubstring(
                 "\n| `serial` | not run | not run | not run | not run | not run | not run |\n"
                 "| `global_two_pass` | 1.50 ms (1.49 to 1.52) | 716 | 16.6 % "
                 "| 0.174x (0.171 to 0.177) | 1.51 ms | 3.00 ms |\n"
                 "| `shared_two_pass` | 400 us (396 to 404) | 2,684 | 62.4 % | "
                 "0.652x (0.641 to 0.664) | not run | 800 us |\n"));
  CHECK_THAT(text, ContainsSubstring("\n| `cub` (library) | 261 us (258 to 264) | 4,114 | 95.7 % | "
                                     "is the fastest | not run | 522 us |\n\n"));
}

TEST_CASE(
    "a call whose result is on the host when it ends is said to have no other time, whatever was "
    "timed at that size") {
  Results published = of_gpu();
  const Cell blocking = gpu_cell("thrust", "blocking", 300),
             asynchronous = gpu_cell("thrust", "asynchronous", 300);
  for (const Cell* c : {&blocking, &asynchronous}) {
    Cell small = for_size(*c, 1024);
    small.how.contract = c == &blocking ? Contract::host_result : Contract::device_result;
    published.cells.push_back(small);
    published.cells.push_back(without(*c, Verdict::skipped, "because"));
  }
  const auto text = markdown_files(published).at("report.md");
  CHECK_THAT(line_with(text, "| `blocking`"), ContainsSubstring("| to the host only |"));
  CHECK_THAT(line_with(text, "| `asynchronous`"), ContainsSubstring("| not run |"));
}

TEST_CASE(
    "the report shows an input that most callers have, rather than one that was chosen for its "
    "effect") {
  const auto cell = [&](const char* distribution, std::optional<unsigned> bins, double us) {
    Cell c = gpu_cell("cub", "cub", us);
    c.input.distribution = distribution, c.input.bins = bins;
    return c;
  };
  const auto usual = [](unsigned bins) {
    Results results = of_gpu();
    results.operations[0].usual_inputs = {"uniform"}, results.operations[0].usual_bins = bins;
    return results;
  };
  const Results published =
      with_cells(usual(256), {cell("constant", 256, 1), cell("uniform", 10, 2),
                              cell("uniform", 256, 3), cell("zipf", 256, 4)});
  CHECK_THAT(markdown_files(published).at("report.md"),
             ContainsSubstring("input uniform, 256 bins") &&
                 ContainsSubstring("| `cub` (library) | 3.00 us"));
  CHECK_THAT(
      markdown_files(with_cells(usual(0), {cell("glibc_bytes", {}, 1), cell("uniform", {}, 2)}))
          .at("report.md"),
      ContainsSubstring("input uniform"));
}

TEST_CASE(
    "the report shows the type that most take, at the largest size, for what takes floats alone "
    "would not be seen") {
  const auto cell = [](const char* provider, const char* dtype, std::uint64_t n) {
    Cell c = gpu_cell(provider, provider, 100);
    c.input.dtype = dtype;
    return for_size(c, n);
  };
  const std::uint64_t large = 1 << 28, small = 1 << 20;
  std::vector<Cell> cells{cell("cub", "i32", large), cell("cub", "f32", large),
                          cell("cublas", "f32", large)};
  for (const char* provider : {"cub", "cublas", "thrust"})
    cells.push_back(cell(provider, "i32", small));
  CHECK_THAT(markdown_files(with_cells(of_gpu(), cells)).at("report.md"),
             ContainsSubstring(", f32, n = 2^28 ") && ContainsSubstring("`cublas` (library)"));
  cells[2] = without(cells[2], Verdict::skipped, "not written for f32");
  CHECK_THAT(markdown_files(with_cells(of_gpu(), cells)).at("report.md"),
             ContainsSubstring(", i32, n = 2^28 "));
}

TEST_CASE(
    "the headline has the operations in the order of the study, and report.md the notes where "
    "there are rungs of one") {
  Cell dot = gpu_cell("handwritten", "one", 77);
  dot.input.operation = "dot";
  Results published = changed(of_gpu(), [&](auto& cells) { cells.insert(cells.begin(), dot); });
  published.operations.push_back({.name = "dot", .operators = {"sum"}});
  const auto text = headline(published, "folder");
  CHECK(text.find("\n| `reduce`, ") < text.find("\n| `dot`, "));
  CHECK_THAT(text, ContainsSubstring("\n| `dot`, sum, i32 | `one` | 77.0 us |"));

  CHECK_THAT(markdown_files(published).at("report.md"), !ContainsSubstring("| N3:"));
  std::ranges::find(published.rungs, "global_two_pass", &Rung::rung)->notes = {"N3"};
  CHECK_THAT(markdown_files(published).at("report.md"),
             ContainsSubstring("| N3: reduce, scan and histogram | `global_two_pass` | `cub` |"));
}
