// Several result sets side by side.
#include "reports/formats/html/several_sets.hpp"

#include <functional>
#include <nlohmann/json.hpp>

#include "compare/tests/catch.hpp"
#include "reports/formats/report.hpp"
#include "reports/tests/sample.hpp"

namespace ladder::reports {
namespace {

using Catch::Matchers::ContainsSubstring;

// The published sample, on another GPU: everything twice as fast, but for the library, which is
// three times as fast.
Results of_another_gpu() {
  Results results = of_gpu();
  results.machine.gpu->name = "Another GPU", results.machine.gpu->uuid = "GPU-2";
  for (Cell& c : results.cells)
    if (c.timing() != nullptr)
      for (ProcessMedian& one : timing_of(c).processes)
        one.time_us /= c.who.provider == "handwritten" ? 2 : 3;
  return with_cells(results, results.cells);
}

Files of(const std::vector<Results>& all) {
  std::vector<GivenSet> sets;
  for (const Results& one : all) sets.push_back({"folder " + std::to_string(sets.size()), one, {}});
  return sets_files(sets);
}

std::string line(const std::string& text, const std::string& part, std::size_t from = 0) {
  const auto at = text.find(part, from);
  return at == text.npos ? "" : text.substr(at, text.find('\n', at) - at);
}

TEST_CASE(
    "sets of two GPUs: ratios come first, and of times it is said that they are of two machines") {
  const std::string text = of({of_gpu(), of_another_gpu()}).at("sets.md");
  CHECK_THAT(text, ContainsSubstring("\n\n2 result sets of A GPU and Another GPU.\n\nEach ratio is "
                                     "to the fastest library of the same set"));
  const auto ratios = text.find("How many times as fast as the fastest library of the same set:"),
             times = text.find(
                 "**Times, each on its own machine**: they compare machines, and not kernels:");
  REQUIRE(ratios < times);
  REQUIRE(times != text.npos);
  CHECK_THAT(line(text, "| `shared_two_pass` |", ratios),
             ContainsSubstring("| `shared_two_pass` | 0.652x (0.641 to 0.664) | 0.435x ("));
  CHECK_THAT(line(text, "| `cub` (library) |", ratios),
             ContainsSubstring("| is the fastest library | is the fastest library |"));
  CHECK_THAT(line(text, "| `shared_two_pass` |", times),
             ContainsSubstring("| 400 us (396 to 404) | 200 us (198 to 202) |"));
  CHECK_THAT(text, ContainsSubstring("| rung | A, A GPU | B, Another GPU |"));
  CHECK_THAT(text, ContainsSubstring("The fastest kernel against the fastest library of the same "
                                     "set:\n\n| operation | A, A GPU | B, Another GPU |\n") &&
                       ContainsSubstring(" | `only_there`: no difference shown (0.979 to 1.014) | "
                                         "`only_there`: 0.664x (0.653 to 0.676) |\n"));
  CHECK(text.find("| `serial` |") == text.npos);  // it ran in no set
  CHECK_THAT(text, ContainsSubstring("Set B against set A:\n\nA: folder 0\n") &&
                       ContainsSubstring("times: none were compared, because the GPUs differ"));
}

TEST_CASE("the figure of several sets has a point for each operation and set, by its GPU") {
  const auto figure_of = [](const std::vector<Results>& all, double width_mm) {
    std::vector<GivenSet> sets;
    for (const Results& one : all) sets.push_back({"a folder", one, {}});
    return sets_figure(sets, width_mm);
  };
  const auto figure = nlohmann::json::parse(figure_of({of_gpu(), of_another_gpu()}, 160));
  const auto& points = figure.at("data").at("values");
  REQUIRE(points.size() == 2);
  CHECK(points[0].at("row") == "reduce");
  CHECK(points[0].at("set") == "A GPU");
  CHECK(points[1].at("set") == "Another GPU");
  CHECK(points[0].at("verdict") == "no difference shown");
  CHECK(points[1].at("ratio").get<double>() == Approx(0.664).epsilon(0.001));
  CHECK(figure.at("width") == 604);
  CHECK(!figure.at("config").at("legend").contains("columns"));
  const auto narrow = nlohmann::json::parse(figure_of({of_gpu(), of_gpu()}, 84));
  CHECK(narrow.at("config").at("legend").at("columns") == 1);
  CHECK(narrow.at("data").at("values")[1].at("set") == "B, A GPU");
  CHECK(figure_of({example(), example()}, 84).empty());  // no GPU
}

TEST_CASE("sets of one machine are said to be of one") {
  const std::string text = of({of_gpu(), of_gpu(), of_gpu()}).at("sets.md");
  CHECK_THAT(text, ContainsSubstring("\n\n3 result sets of one machine, A GPU.\n\n") &&
                       ContainsSubstring("Times, all on one machine:") &&
                       !ContainsSubstring("each on its own machine"));
  CHECK_THAT(
      text,
      ContainsSubstring("\nSet B against set A:\n\nA: folder 0\n") &&
          ContainsSubstring(
              "\nSet C against set A. Here set A is called A, and set C B:\n\nA: folder 0\n"));
}

TEST_CASE(
    "sets side by side share an input, and a rung that one of them lacks has no entry there") {
  Results other = of_gpu();
  std::erase_if(other.cells, [](const Cell& c) { return c.who.rung == "shared_two_pass"; });
  std::vector<Cell> larger = of_gpu().cells;
  for (const Cell& c : of_gpu().cells) larger.push_back(for_size(c, c.input.n / 2));
  const Results first = with_cells(of_gpu(), larger);
  for (Cell& c : other.cells) c = for_size(c, c.input.n / 2);
  const std::string text = of({first, with_cells(other, other.cells)}).at("sets.md");
  CHECK_THAT(text, ContainsSubstring("n = 2^27 (134,217,728)") && !ContainsSubstring("n = 2^28"));
  CHECK_THAT(line(text, "| `shared_two_pass` |"), ContainsSubstring("to 0.664) |  |"));
  for (Cell& c : other.cells) c.input.distribution = "of its own";
  CHECK_THAT(of({first, other}).at("sets.md"),
             ContainsSubstring("## reduce\n\nThe sets were timed on no common input.\n"));
}

TEST_CASE(
    "sets of machines without a GPU are compared by what the host timed, and an operation that one "
    "lacks is left out") {
  const std::string text = of({example(), example()}).at("sets.md");
  CHECK_THAT(text, ContainsSubstring("until the host holds the result.") &&
                       ContainsSubstring("| `std_serial` (library) |") &&
                       !ContainsSubstring("The fastest kernel against"));
  Results other = example();
  for (Cell& c : other.cells) c.input.operation = "scan";
  CHECK_THAT(of({example(), other}).at("sets.md"),
             !ContainsSubstring("## reduce") && !ContainsSubstring("## scan"));
}

TEST_CASE(
    "what to beware of in any of the sets stands above all of them, and no foreign text is "
    "markup") {
  Results bad = of_gpu();
  bad.run.complete = false;
  bad.machine.gpu->name = "<img src=x>";
  for (Rung& rung : bad.rungs) rung.rung += "<b>|`";
  for (Cell& c : bad.cells) c.who.rung += "<b>|`\u202e";
  std::vector<GivenSet> sets{{"a\nfolder</script><b>", of_gpu(), {}}, {"b", bad, {}}};
  sets[0].soundness.errors.push_back({"/run", "</script><script>"});
  const Files files = sets_files(sets);
  for (const auto& [name, whole] : files) {
    // a block of code; what draws the page
    const std::string text = whole.substr(0, whole.find(name == "sets.md" ? "```" : "<script>"));
    for (const char* harm :
         {"<img", "<b>", "\u202e", "folder</script>", "</script><script>alert"}) {
      INFO(harm << " in " << name);
      CHECK(text.find(harm) == text.npos);
    }
  }
  CHECK(files.at("sets.md").starts_with(
      "# Kernel Ladder: several result sets\n\n> [!WARNING]\n> **A: Not sound.** "));
  CHECK_THAT(files.at("sets.md"), ContainsSubstring("> **B: Incomplete.** "));
}

}  // namespace
}  // namespace ladder::reports
