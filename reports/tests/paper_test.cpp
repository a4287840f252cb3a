// What goes from a result set into a paper.
#include <stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "compare/tests/catch.hpp"
#include "reports/formats/figures/left_out.hpp"
#include "reports/formats/report.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/chosen_cells.hpp"
#include "reports/numbers/flat_table.hpp"
#include "reports/tests/formats.hpp"
#include "reports/tests/sample.hpp"
#include "reports/text/interval_digits.hpp"
#include "reports/text/latex_escape.hpp"
#include "reports/words/citation.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

using Record = std::vector<std::string>;

// RFC 4180, as another program reads it.
std::vector<Record> parsed(const std::string& text) {
  std::vector<Record> all(1, Record(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      if (quoted && text[i + 1] == '"') all.back().back() += text[i++];
      else quoted = !quoted;
    } else if (!quoted && c == ',') {
      all.back().emplace_back();
    } else if (!quoted && c == '\r') {
      REQUIRE(text[++i] == '\n');
      all.emplace_back(1);
    } else {
      all.back().back() += c;
    }
  }
  REQUIRE(all.back() == Record(1));  // the last line has an end
  all.pop_back();
  return all;
}

const std::string hostile_name =
    "=cmd|'/C calc'!A0,\"x\"\\input{/etc/passwd}$\\write18{id}$%#&_^~\u202e\x1b[31m@{}\n<b>";

Results hostile() {
  Results results = of_gpu();
  for (Cell& c : results.cells)
    if (c.who.provider == "handwritten") c.who.rung = hostile_name;
  results.cells.resize(1);
  results.machine.gpu->name = hostile_name;
  results.machine.cpu = hostile_name;
  results.run.date = hostile_name;
  results.software.os = hostile_name + std::string(10'000'000, '{');
  return with_cells(results, results.cells);
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST_CASE("CSV has every cell and every field, as another program reads them") {
  for (const Results& results : {example(), full(), of_gpu()}) {
    const auto rows = flat(results);
    const auto records = parsed(csv(results));
    REQUIRE(records.size() == rows.size() + 1);
    std::set<std::string> names(records[0].begin(), records[0].end());
    CHECK(names.size() == flat_columns().size() + 1);
    CHECK(names.contains("time_us"));
    CHECK(names.contains("bandwidth_gbps"));
    CHECK(names.contains("percent_of_ceiling"));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      REQUIRE(records[r + 1].size() == names.size());
      CHECK(results.run.id.find(records[r + 1][0]) != std::string::npos);
      for (std::size_t c = 0; c < rows[r].size(); ++c) {
        const std::string& text = records[r + 1][c + 1];
        if (rows[r][c].is_number()) CHECK(json::parse(text) == rows[r][c]);
        const bool is_error =
            records[0][c + 1] == "error_ulp_max" || records[0][c + 1] == "error_relative";
        if (rows[r][c].is_null())
          CHECK(text == (is_error && results.cells[r].error() != nullptr ? "inf" : ""));
        if (rows[r][c].is_string()) CHECK(text == rows[r][c].get<std::string>());
      }
    }
  }
}

TEST_CASE("CSV tells an infinite error from none") {
  const auto errors = [](std::optional<Error> error) {
    Cell cell = timed_cell("cub", "cub_sum", 100, "f16");
    measured(cell).error = error;
    const auto records = parsed(csv(with_cells(of_gpu(), {cell})));
    std::string all;
    for (const char* name : {"error_ulp_max", "error_relative", "error_bound"})
      all += records.at(1).at(1 + flat_column(name)) + ';';
    return all;
  };
  CHECK(errors(Error{2, 0.25, 0.5}) == "2.0;0.25;0.5;");
  CHECK(errors(Error{}) == "inf;inf;;");
  CHECK(errors({}) == ";;;");
}

TEST_CASE("a spreadsheet takes no text of a file for a formula") {
  for (const char* begin : {"=", "+", "-", "@"}) {
    Results results = hostile();
    results.cells[0].who.rung = begin + std::string("1+1,\"\n");
    const auto records = parsed(csv(results));
    REQUIRE(records.size() == 2);
    CHECK(records[1][1 + flat_column("rung")] == "'" + std::string(begin) + "1+1,\" ");
  }
}

TEST_CASE("LaTeX takes no text of a file for a command") {
  CHECK(latex("\\{}$&#^_~%") ==
        "\\textbackslash{}\\textbraceleft{}\\textbraceright{}\\$\\&\\#\\textasciicircum{}\\_"
        "\\textasciitilde{}\\%");
  CHECK(latex("a--b``c") == "a-{}-b`{}`c");
  CHECK(latex("\xff\u202e\x1b 2\u00b5s \u65e5") == "?     2?s ?");
  const Results results = hostile();
  for (const std::string& text : {latex_table(results), citation(results, {}, {}, true)}) {
    CHECK(text.size() < 10'000);
    CHECK_THAT(text, !ContainsSubstring("\\input") && !ContainsSubstring("\\write") &&
                         !ContainsSubstring("\u202e") && !ContainsSubstring("\x1b"));
    CHECK(times(text, "{") == times(text, "}"));
  }
  const std::string cited = citation(results);
  CHECK(times(cited, "{") - times(cited, "}") < 1000);
  CHECK(times(cited, "@") == 2);
}

TEST_CASE("LaTeX itself takes a hostile table and citation as text") {
  if (std::system("command -v pdflatex >/dev/null") != 0) {
    std::cout << "SKIPPED: there is no pdflatex; apt-get install --no-install-recommends "
                 "texlive-latex-base texlive-latex-recommended brings it\n";
    return;
  }
  std::string folder = std::filesystem::temp_directory_path() / "ladder-latex-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const Results results = hostile();
  const std::string cited = citation(results, {}, {}, true);
  write_text(folder + "/a.tex",
             "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n" +
                 latex_table(results) + cited.substr(cited.find("\nKernel Ladder (")) +
                 "\\end{document}\n");
  INFO(text_of(folder + "/a.tex"));
  CHECK(std::system(
            ("cd " + folder + " && pdflatex -halt-on-error -interaction=nonstopmode a >said 2>&1")
                .c_str()) == 0);
  CHECK_THAT(text_of(folder + "/a.log"), ContainsSubstring("Output written on a.pdf (1 page"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("a number for print has the digits that its interval bears out") {
  const auto all = [](double value, double low, double high) {
    const Precise p(value, low, high);
    return p.value + ' ' + p.low + ' ' + p.high;
  };
  CHECK(all(251.3456, 251.2811, 251.4099) == "251.35 251.28 251.41");
  CHECK(all(251, 240, 262) == "251 240 262");
  CHECK(all(4.5, 4, 5) == "4.50 4.00 5.00");
  CHECK(all(123456.7, 120000, 130000) == "123,457 120,000 130,000");
  CHECK(all(1.0002, 0.9998, 1.0006) == "1.0002 0.9998 1.0006");
  CHECK(all(7, 7, 7) == "7.00 7.00 7.00");
  CHECK(all(0, 0, 0) == "0 0 0");
  CHECK(all(1.0017, 1.0002, 1.0031) == "1.0017 1.0002 1.0031");  // faster, and it reads so
}

TEST_CASE("a choice leaves one input of each operation, and each that was chosen by name") {
  Results results = of_gpu();
  std::vector<Cell> cells = results.cells;
  for (const Cell& cell : results.cells) cells.push_back(for_size(cell, cell.input.n / 4));
  results = with_cells(results, cells);
  const Order order(results);
  const auto n = results.cells[0].input.n;
  const auto all = telling_groups(results.cells, {}, order);
  REQUIRE(all.size() == 1);
  CHECK(all[0][0].input.n == n);
  for (const Cell& c : all[0]) CHECK((c.input == all[0][0].input && c.how == all[0][0].how));
  const auto both = telling_groups(results.cells, {.sizes = {n, n / 4}}, order);
  REQUIRE(both.size() == 2);
  CHECK(both[0][0].input.n == n / 4);
  const auto rung =
      telling_groups(results.cells, {.rungs = {all[0][0].who.rung}, .sizes = {n / 4}}, order);
  REQUIRE(rung.size() == 1);
  CHECK(rung[0].size() == 1);
  CHECK(telling_groups(results.cells, {.operators = {"none"}}, order).empty());
}

TEST_CASE("chosen rungs are shown on the input of the whole operation, where they have it") {
  const Results results = with_cells(
      of_gpu(), {gpu_cell("handwritten", "both", 5), gpu_cell("handwritten", "both", 6, "f32"),
                 gpu_cell("handwritten", "integers", 7), gpu_cell("vendor", "cub", 5, "f32"),
                 gpu_cell("vendor", "cublas", 5, "f32")});
  const Order order(results);
  const auto shown = [&](const std::vector<std::string>& rungs) {
    const auto groups = telling_groups(results.cells, {.rungs = rungs}, order);
    REQUIRE(groups.size() == 1);
    return std::pair(groups[0][0].input.dtype, groups[0].size());
  };
  CHECK(shown({}) == std::pair(std::string("f32"), std::size_t{3}));
  CHECK(shown({"both"}) == std::pair(std::string("f32"), std::size_t{1}));
  CHECK(shown({"integers"}) == std::pair(std::string("i32"), std::size_t{1}));
  CHECK(shown({"integers", "both"}) == std::pair(std::string("i32"), std::size_t{2}));
  CHECK_THAT(citation(results, {.rungs = {"both"}}), ContainsSubstring("32-bit floats"));
  Input two_bytes = results.cells[0].input;
  for (const char* dtype : {"f16", "bf16"}) {  // 16-bit floats both
    two_bytes.dtype = dtype;
    CHECK_THAT(does_in_words(two_bytes),
               ContainsSubstring(std::string("elements of type ") + dtype));
  }
  CHECK(telling_groups(results.cells, {.rungs = {"none"}}, order).empty());
}

TEST_CASE(
    "a LaTeX table is a tabular of what tells most, with numbers that stand in the columns of the "
    "points") {
  const Results results = of_gpu();
  const std::string text = latex_table(results);
  CHECK(times(text, "\\begin{tabular}") == 1);
  CHECK(times(text, "\\end{tabular}") == 1);
  CHECK(times(text, "\\toprule") + times(text, "\\midrule") + times(text, "\\bottomrule") == 3);
  CHECK_THAT(text, ContainsSubstring("\n\\bfseries cub (library) & \\bfseries 261 & \\bfseries  & "
                                     "\\bfseries [258, 264] & "));
  CHECK_THAT(text,
             ContainsSubstring("% of ceiling: the bandwidth divided by that of a loop") &&
                 ContainsSubstring(" Ratio: how many times as fast as the fastest library; ") &&
                 ContainsSubstring(" Bold: the shortest time.\n"));
  CHECK_THAT(text, ContainsSubstring("\nserial & \\multicolumn{10}{l}{not run} "));
  CHECK_THAT(text, ContainsSubstring("$n = 2^{28}$"));
  CHECK_THAT(text, ContainsSubstring("is the fastest library"));
  CHECK_THAT(text, !ContainsSubstring("Caution"));
  Results modified = results;
  modified.run.dirty = true;
  Soundness unsound;
  unsound.errors.push_back({"/cells/0", "wrong"});
  CHECK_THAT(latex_table(modified, {}, unsound),
             ContainsSubstring("{Caution: Not sound; Modified sources.}"));
  CHECK_THAT(short_markdown(modified, {}, unsound), ContainsSubstring("> **Not sound.**"));
  CHECK(latex_table(bare()).empty());  // nothing was timed
}

TEST_CASE("a LaTeX table has the columns that a cell fills, and defines those that it has") {
  Results results = of_gpu();
  for (Cell& c : results.cells)
    if (c.timing() != nullptr) {
      timing_of(c).percent_of_ceiling.reset();
      timing_of(c).ratios.vs_fastest_library.reset();
    }
  const std::string text = latex_table(results);
  CHECK_THAT(text, ContainsSubstring("\\begin{tabular}{@{}lr@{}lrr@{}l@{}}\n") &&
                       ContainsSubstring("\nserial & \\multicolumn{5}{l}{not run} ") &&
                       !ContainsSubstring("ceiling") && !ContainsSubstring("atio"));
  for (Cell& c : results.cells)
    if (c.passed() && c.who.rung == "only_there")
      timing_of(c).ratios.vs_limit = Ratio{0.5, 0.4, 0.6, Difference::slower};
  CHECK_THAT(latex_table(results),
             ContainsSubstring("{\\% of limit}") &&
                 ContainsSubstring("% of limit: the shortest time in which as many bytes") &&
                 ContainsSubstring(" & 50 & .0 ") && ContainsSubstring("{none}"));
}

TEST_CASE("a Markdown table is short") {
  const Results results = of_gpu();
  const std::string text = short_markdown(results);
  CHECK_THAT(text, ContainsSubstring("| **`cub`** | ") &&
                       ContainsSubstring("Run `" + results.run.id.substr(7, 12)));
  CHECK_THAT(text, ContainsSubstring("\nBold: the row with the shortest time.\n") &&
                       ContainsSubstring("\n- **of ceiling**: ") && !ContainsSubstring("|  |"));
  CHECK(text.size() < 5000);
}

TEST_CASE(
    "a citation names software, set, machine and protocol, and the number of the one cell that is "
    "chosen") {
  Results results = of_gpu();
  results.machine.gpu->name = "NVIDIA GPU";
  const std::string all = citation(results);
  CHECK_THAT(all, ContainsSubstring("@misc{kernel_ladder,\n") &&
                      ContainsSubstring("Software, version " + citation_fact("version")));
  CHECK_THAT(all, ContainsSubstring("@misc{kernel_ladder_" + results.run.id.substr(7, 12)) &&
                      ContainsSubstring(results.machine.gpu->name));
  CHECK_THAT(all, ContainsSubstring("{{Kernel Ladder results, NVIDIA GPU, run "));
  CHECK_THAT(all, ContainsSubstring(bibtex(results.run, "NVIDIA GPU")));
  CHECK_THAT(all, ContainsSubstring("median of the medians of ") && !ContainsSubstring(" sums "));
  const std::string one = citation(results, {.rungs = {"cub"}});
  CHECK_THAT(one, ContainsSubstring("On an NVIDIA GPU, `cub` sums 2^28 32-bit integers from cold "
                                    "caches in 261 us (95 % CI 258 - 264). The input is "));
  CHECK_THAT(one, ContainsSubstring("until the result is in the GPU's memory"));
  CHECK_THAT(
      citation(results, {.rungs = {"cub"}}, {}, true),
      ContainsSubstring("\\texttt{cub} sums $2^{28}$ 32-bit integers from cold caches in 261 "
                        "us (95 \\% CI"));
  Results with_nccl = results;
  with_nccl.software.nccl = "2.28.3";
  CHECK_THAT(citation(with_nccl), !ContainsSubstring("NCCL"));
  with_nccl.cells[0].input.devices = 2;
  CHECK_THAT(citation(with_nccl), ContainsSubstring("NCCL 2.28.3"));
  Soundness unsound;
  unsound.errors.push_back({"/cells/0", "wrong"});
  CHECK_THAT(citation(results, {}, unsound), ContainsSubstring("\nCaution: Not sound. "));
  CHECK_THAT(citation(bare()), ContainsSubstring("nothing was timed"));
  CHECK_THROWS_AS(citation_fact("none"), std::logic_error);
}

TEST_CASE("a cited number names the fastest library and its version, and GCC by its name") {
  Results results = of_gpu();
  results.rungs.push_back(rung_of("cub", "", "cub"));
  results.rungs.push_back(rung_of("cub_3_5", "cub", "cub"));
  results.software.cccl = "3.0.1", results.software.host_compiler = "GNU 13.3.0";
  CHECK_THAT(citation(results), ContainsSubstring("CCCL 3.0.1, ") &&
                                    ContainsSubstring(", GCC 13.3") && !ContainsSubstring("GNU"));
  std::vector<Cell> cells = results.cells;
  cells.push_back(gpu_cell("cub", "cub_3_5", 130));
  results = with_cells(results, cells);
  for (Rung& rung : results.rungs)
    if (rung.provider == "cub") rung.library = rung.rung == "cub" ? "CUB 3.0.1" : "CUB 3.5.0";
  CHECK_THAT(citation(results), ContainsSubstring("CCCL 3.0.1 and 3.5.0, "));
  CHECK_THAT(citation(results, {.rungs = {"only_there"}}),
             ContainsSubstring(" times as fast as `cub_3_5` of CCCL 3.5 (95 % CI 0."));
  CHECK_THAT(citation(results, {.rungs = {"cub_3_5"}}),
             ContainsSubstring("`cub_3_5` of CCCL 3.5 sums ") && !ContainsSubstring("as fast as"));
}

TEST_CASE("what was only counted is cited by its counts") {
  std::vector<Cell> cells{emulated_cell("serial")};
  cells[0].input.op = "min";
  counters_of(cells[0]).global_load_bytes = 4096;
  counters_of(cells[0]).barriers_per_thread = 2;
  CHECK_THAT(citation(with_cells(bare(), cells), {.rungs = {"serial"}}),
             ContainsSubstring("\nCounted on the emulated backend, `serial` runs `reduce` by min "
                               "over ") &&
                 ContainsSubstring(" 4,096 bytes loaded from global memory") &&
                 ContainsSubstring(" and 2 barriers per thread. The input is "));
}

TEST_CASE("the entries name the address of the project where it has one") {
  CHECK(url_line("version: 1\n").empty());
  CHECK(url_line("version: 1\nurl: \"https://a.example/b\"\n") ==
        ",\n  url    = {https://a.example/b}");
  CHECK(url_line("url: https://a\nrepository-code: https://c\n") == ",\n  url    = {https://c}");
}

TEST_CASE("figures for a paper are specifications as wide as a column, the same each time") {
  const Results results = of_gpu();
  const Files files = paper_figures(results);
  CHECK(files == paper_figures(results));
  REQUIRE(files.contains("reduce-ladder.vl.json"));
  const json ladder = json::parse(files.at("reduce-ladder.vl.json"));
  CHECK(ladder["width"] == 317);
  CHECK(ladder["data"]["values"].size() > 1);
  CHECK(ladder["config"]["font"] == "Liberation Sans");
  CHECK(json::parse(paper_figures(results, {}, 160).at("reduce-ladder.vl.json"))["width"] == 604);
  CHECK(
      json::parse(
          paper_figures(results, {.rungs = {"cub"}}).at("reduce-ladder.vl.json"))["data"]["values"]
          .size() == 1);
  CHECK_FALSE(paper_figures(results, {.rungs = {"cub"}}).contains("claims.vl.json"));
}

// The set that figures are made of in a paper: five sizes, counts, both contracts.
Results of_many_sizes() {
  Results results = of_gpu();
  std::vector<Cell> cells;
  for (const Cell& cell : results.cells)
    for (const unsigned quarter : {1u, 4u, 16u, 64u})
      cells.push_back(for_size(cell, cell.input.n / quarter));
  Cell to_host = gpu_cell("handwritten", "shared_two_pass", 420);
  to_host.how.contract = Contract::host_result;
  cells.push_back(to_host);
  for (const char* rung : {"global_two_pass", "shared_two_pass", "only_there"})
    cells.push_back(emulated_cell(rung));
  std::ranges::sort(cells, {}, &Cell::key);
  cells.erase(std::unique(cells.begin(), cells.end(),
                          [](const Cell& a, const Cell& b) { return a.key() == b.key(); }),
              cells.end());
  return with_cells(results, cells);
}

TEST_CASE("the best of the chosen rungs is the best of a figure, and each of them is in it") {
  const Results results = of_many_sizes();
  const Choice choice{.rungs = {"global_two_pass", "shared_two_pass", "cub"}};
  const Files files = paper_figures(results, choice);
  const auto rows_of = [&](const std::string& figure) {
    INFO(figure);
    REQUIRE(files.contains("reduce-" + figure + ".vl.json"));
    return json::parse(files.at("reduce-" + figure + ".vl.json"))["data"]["values"];
  };
  const auto rungs_in = [](const json& rows) {
    std::set<std::string> rungs;
    for (const json& row : rows) rungs.insert(row["rung"]);
    return rungs;
  };
  for (const json& row : rows_of("ladder"))
    CHECK((row["role"] == "best hand-written") == (row["rung"] == "shared_two_pass"));
  CHECK(std::ranges::any_of(rows_of("wins"), [](const json& row) { return row["best"] == true; }));
  CHECK(rungs_in(rows_of("contracts")) ==
        std::set<std::string>{"global_two_pass", "shared_two_pass", "cub"});
}

TEST_CASE("a figure that would be empty, or the same as another, is left out and said to be") {
  const Results results = of_many_sizes();
  const Files files = paper_figures(results);
  CHECK(files.contains("reduce-why.vl.json"));
  CHECK_FALSE(files.contains("reduce-counts.vl.json"));
  CHECK_THAT(left_out_figures(*chosen(results, {})),
             ContainsSubstring("reduce-counts (reduce-why has the same counts)") &&
                 ContainsSubstring(
                     "reduce-contracts (it needs 2 values of contract, and the selection has 1)"));
  const auto of_library = chosen(results, {.rungs = {"cub"}});
  CHECK_FALSE(paper_figures(results, {.rungs = {"cub"}}).contains("reduce-wins.vl.json"));
  CHECK_THAT(
      left_out_figures(*of_library),
      ContainsSubstring("reduce-wins") && ContainsSubstring("(no selected row has what it shows)"));
}

TEST_CASE("a figure for a paper says what its colours and marks mean") {
  for (const auto& [name, text] : paper_figures(of_many_sizes())) {
    INFO(name);
    const json figure = json::parse(text);
    REQUIRE(figure.contains("title"));
    for (const std::string line : figure["title"]["text"]) CHECK(line.size() <= 75);
  }
  const json ratio = json::parse(paper_figures(of_many_sizes()).at("reduce-ratio.vl.json"));
  CHECK(ratio["title"]["text"][0] ==
        "Blue: the best hand-written; grey: hand-written; orange, dashed: a library.");
  CHECK(ratio["title"]["text"][1] == "Hollow: no difference shown. Band: 95 % interval.");
  const json why = json::parse(paper_figures(of_many_sizes()).at("reduce-why.vl.json"));
  CHECK(why["title"]["text"].back() == "Counted without a GPU, at n = 2^16.");
}

TEST_CASE("the fastest library has a line in the figure of ratios, so its name stands at an end") {
  const json ratio = json::parse(paper_figures(of_many_sizes()).at("reduce-ratio.vl.json"));
  CHECK(std::ranges::any_of(ratio["data"]["values"], [](const json& row) {
    return row["rung"] == "cub" && row["vs_fastest_library"].is_null();
  }));
}

TEST_CASE(
    "a figure of errors and times is left out where nothing was timed, and where all errors are "
    "the same") {
  std::vector<Cell> cells;
  for (const char* rung : {"a", "b", "c"}) {
    cells.push_back(emulated_cell(rung, "f32"));
    cells.back().input.operation = "dot";
    measured(cells.back()).error = Error{1, 1e-7};
  }
  const Files files = paper_figures(with_cells(bare(), cells));
  CHECK(files.contains("dot-counts.vl.json"));
  CHECK_FALSE(files.contains("dot-error.vl.json"));
  Cell timed = timed_cell("std", "a", 9);
  for (Cell& c : cells) c.how = timed.how, measured(c).timing = timing_of(timed);
  CHECK_FALSE(paper_figures(with_cells(bare(), cells)).contains("dot-error.vl.json"));
  measured(cells[0]).error = Error{2, 2e-7};
  CHECK(paper_figures(with_cells(bare(), cells)).contains("dot-error.vl.json"));
}

TEST_CASE("each type that is chosen by name has a figure of its own") {
  const Results results = of_gpu();
  const Files files = paper_figures(results, {.dtypes = {"i32", "f64"}});
  CHECK(files.contains("reduce-i32-ladder.vl.json"));
  CHECK(files.contains("reduce-f64-ladder.vl.json"));
}

TEST_CASE("two operations whose names make one file name have a figure each") {
  Results results = of_gpu();
  std::vector<Cell> cells;
  for (const char* operation : {"A.B", "a_b"})
    for (Cell c : results.cells) {
      c.input.operation = operation;
      cells.push_back(c);
    }
  const Files files = paper_figures(with_cells(results, cells));
  REQUIRE((files.contains("a_b-ladder.vl.json") && files.contains("a_b-ladder-2.vl.json")));
  CHECK(files.at("a_b-ladder.vl.json") != files.at("a_b-ladder-2.vl.json"));
}

TEST_CASE(
    "a name that would be an argument of a line's end in LaTeX is text, and a formula in a table "
    "of a spreadsheet too") {
  Results results = of_gpu();
  std::vector<Cell> cells = results.cells;
  for (Cell& c : cells) c.who.rung = c.who.rung == "cub" ? "[5cm]*cub" : " =1;" + c.who.rung;
  results = with_cells(results, cells);
  CHECK_THAT(latex_table(results), ContainsSubstring("\n\\bfseries {[}5cm]{*}cub "));
  CHECK_THAT(csv(results), ContainsSubstring(",\"' =1;serial\","));
}

TEST_CASE("no name in a file leads a figure out of its folder") {
  Results results = of_gpu();
  for (Cell& c : results.cells) c.input.operation = "../../x y";
  for (const auto& [name, text] : paper_figures(with_cells(results, results.cells)))
    CHECK(name.starts_with("______x_y-"));
}

}  // namespace
}  // namespace ladder::reports
