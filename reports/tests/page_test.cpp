#include "reports/formats/html/page.hpp"

#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>

#include "compare/tests/catch.hpp"
#include "reports/file/result_file.hpp"
#include "reports/file/sha256.hpp"
#include "reports/formats/report.hpp"
#include "reports/model/json.hpp"
#include "reports/publish/publication.hpp"
#include "reports/tests/formats.hpp"
#include "reports/tests/report_in_page.hpp"
#include "reports/tests/sample.hpp"
#include "reports/text/embedded.hpp"
#include "reports/words/lead_sentences.hpp"

namespace ladder::reports {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using nlohmann::json;

std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const auto from = text.find(begin);
  REQUIRE(from != std::string_view::npos);
  text.remove_prefix(from + begin.size());
  return text.substr(0, text.find(end));
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST_CASE("no script that the page brings along ends its own element") {
  CHECK(count(page_script(), "</script") == 0);
}

TEST_CASE("the bundle of Vega is the one that its script makes") {
  const std::string hash =
      text_of(std::string(REPOSITORY) + "/reports/formats/html/vega/vega.js.sha256");
  CHECK(sha256(embedded("html/vega/vega.js")) == "sha256:" + hash.substr(0, hash.find(' ')));
}

TEST_CASE(
    "without a GPU, report.md and the page begin with the same inputs: the largest that nearly all "
    "rungs passed") {
  std::vector<Cell> cells;
  for (const std::uint64_t n : {1024, 16'384, 65'536})
    for (int k = 0; k < (n == 1024 ? 12 : n == 16'384 ? 11 : 3); ++k)
      cells.push_back(for_size(emulated_cell(("r" + std::to_string(k)).c_str()), n));
  for (const std::uint64_t n : {65'536, 1 << 20, 1 << 24})
    cells.push_back(for_size(timed_cell("std", "std_serial", 9), n));
  const Results results = with_cells(bare(), cells);
  const json operation = report_in(page(results))["operations"][0];
  CHECK(operation["counted_key"]["n"] == 16'384);
  CHECK(operation["counted_key"]["backend"] == "emulated");
  CHECK(operation["key"]["n"] == 1 << 24);
  CHECK(operation["key"]["backend"] == "host");
  const std::string text = markdown_files(results).at("report.md");
  CHECK_THAT(text, ContainsSubstring(
                       "Counted on the emulated backend, for `reduce` by sum, i32, n = 2^14 ("));
  CHECK_THAT(text, ContainsSubstring(
                       "Timed on the CPU: host result, for `reduce` by sum, i32, n = 2^24 ("));
}

TEST_CASE("the card of a rung has what its counts say, and for which input") {
  const json cards = report_in(page(example()))["operations"][0]["cards"];
  const auto shared = std::ranges::find(cards, json("shared_two_pass"),
                                        [](const json& card) { return card["rung"]; });
  REQUIRE(shared != cards.end());
  CHECK_THAT((*shared)["counts"].get<std::string>(),
             StartsWith("**`shared_two_pass`** after `global_two_pass`: moves ") &&
                 EndsWith(" (sum, i32, n = 2^16)."));
  CHECK_FALSE(cards[0].contains("counts"));  // it follows none
}

TEST_CASE("foreign text is one line, and not megabytes of it") {
  Results results = example();
  results.rungs[0].idea = "first\nsecond\u202e" + std::string(10'000'000, 'x');
  const std::string report = report_in(page(results)).dump();
  CHECK(report.size() < report_in(page(example())).dump().size() + 10'000);
  CHECK_THAT(report, ContainsSubstring("first second   xxx"));
}

TEST_CASE("no text of a file makes any file of its report long, nor does it nest anything") {
  const std::string part =
      GENERATE("x", "<div>", "**`*", "[(", "{\"a\":[", "&#40;", "\u202e", "\\begin{a}");
  std::string deep;
  while (deep.size() < 200'000) deep += part;
  json document = full();
  const json fields = document.flatten();
  for (const auto& [place, value] : fields.items()) {
    if (!value.is_string()) continue;
    json tried = document;
    tried[json::json_pointer(place)] = deep;
    try {
      tried.get<Results>();
      document = std::move(tried);
    } catch (const std::invalid_argument&) {  // a word of a fixed list
    }
  }
  const auto results = document.get<Results>();
  for (const auto& [name, text] : report_files({results, {of_gpu()}})) {
    INFO(name << " of " << part);
    if (name == "report.html") {
      const json report = report_in(text);
      CHECK(report.dump().size() < report_in(page(full())).dump().size() + 1'000'000);
      CHECK(count(report.dump(), "\u202e") == 0);
      CHECK(report["rows"] == results.cells.size());
      CHECK(count(text, "<div>") == 0);
    } else {
      CHECK(text.size() < 1'000'000);
      CHECK(count(text, "\u202e") == 0);
    }
  }
}

TEST_CASE("the first sentence says which is the fastest, and nothing that was not compared") {
  const auto changed = [](const auto& change) {
    Results results = of_gpu();
    std::vector<Cell> cells = results.cells;
    std::erase_if(cells, change);
    return lead(with_cells(results, cells));
  };
  CHECK(changed([](Cell&) { return false; }) ==
        "On A GPU at n = 2^28, the best hand-written kernel shows no difference from the fastest "
        "library in 1 of 1 operation.");
  CHECK(changed([](Cell& c) { return c.who.rung == "only_there"; }) ==
        "On A GPU at n = 2^28, the best hand-written kernel is slower than the fastest library in "
        "1 of 1 operation.");
  CHECK(changed([](Cell& c) { return c.who.provider != "handwritten"; }) ==
        "On A GPU, no hand-written kernel was compared with a library.");
  CHECK(lead(example()) ==
        "No kernel was timed on a GPU. Machine: Example CPU (2 cores, no GPU used).");
}

TEST_CASE("text of the results is JSON in the page, and never markup") {
  Results results = example();
  const std::string hostile =
      "</script><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\u2028\u2029{{style}}";
  results.rungs[0].idea = hostile;
  results.machine.cpu = hostile;
  results.run.command = hostile;
  results.cells.back() = without(results.cells.back(), Verdict::crashed, hostile.c_str());
  Soundness unsound;
  unsound.errors.push_back({"/run", hostile});
  const std::string text = page({results, {}, unsound});
  CHECK(count(text, "</script") == count(page(example()), "</script"));
  CHECK(count(text, "<img") == 0);
  CHECK(count(text, "\u2028") == 0);
  const json report = report_in(text);
  CHECK(report["operations"][0]["cards"].dump().find("alert(1)") != std::string::npos);
  CHECK(report["warnings"][0]["why"].get<std::string>().find("<img src=x onerror=alert(1)>") !=
        std::string::npos);
}

TEST_CASE("the page allows its own scripts and no request") {
  const std::string text = page(example());
  const auto policy = between(text, R"(Content-Security-Policy" content=")", "\"");
  CHECK(policy.starts_with("default-src 'none'; script-src 'sha256-"));
  CHECK(count(policy, "'sha256-") == 2);
  for (const char* part : {"unsafe-eval", "http", "*", "connect-src"})
    CHECK(count(policy, part) == 0);
  CHECK(count(policy, "script-src 'unsafe-inline'") == 0);
}

TEST_CASE("the same results give the same page") {
  CHECK(page(example()) == page(example()));
  CHECK(page(example()) != page(of_gpu()));
}

TEST_CASE("the page of the published set is at most 3 MB, and says what the set says",
          "[published]") {
  const Results results = read(results_in(std::string(REPOSITORY) + "/reports/published/h200"));
  const std::string text = page(results);
  CHECK(text.size() <= 3'000'000);
  const json report = report_in(text);
  CHECK(count(report["sections"].dump(), results.run.id) == 1);
  CHECK(report["rows"] == results.cells.size());
  CHECK(report["operations"].size() == 6);
  for (const json& operation : report["operations"])
    CHECK_FALSE(operation["standing"].get<std::string>().empty());
}

TEST_CASE("lists and commands of the page have all their lines") {
  const json report = report_in(page(of_gpu()));
  std::string commands, meanings;
  for (const json& section : report["sections"]) {
    if (section["id"] == "reproduce") commands = section["verbatim"];
    if (section["id"] == "method") meanings = section["folded"]["What the columns mean"];
  }
  CHECK_THAT(commands, StartsWith("git checkout ") && ContainsSubstring("\n./ladder"));
  for (const Column& column : columns())
    if (!column.meaning.empty() && !column.over_devices)
      CHECK_THAT(meanings, ContainsSubstring(std::string(column.title) + "**: "));
}

TEST_CASE("the page has every column that its script and its figures name") {
  const std::string text = page(of_gpu());
  const json has = unpacked_in(text, "cells");
  const std::string names =
      std::string(between(text, "\"use strict\"", "</script>")) + report_in(text)["figures"].dump();
  for (const FlatColumn& column : flat_columns()) {
    INFO(column.name);
    const bool is_named =
        std::regex_search(names, std::regex("[.\"']" + std::string(column.name) + "\\b(?! *\\()"));
    CHECK((has.contains(column.name) || !is_named));
  }
}

TEST_CASE("the smallest number is a number of the page") {
  Results results = of_gpu();
  for (Cell& cell : results.cells)
    if (Measured* its = cell.outcome.measured(); its != nullptr && its->error)
      its->error->relative = 5e-324;
  CHECK_FALSE(page(results).empty());
}

TEST_CASE("a page without a time of a GPU shows the published ones as such") {
  const json report = report_in(page({example(), {of_gpu()}}));
  REQUIRE(report["operations"][0]["elsewhere"].size() == 1);
  CHECK(report["operations"][0]["elsewhere"][0]["title"].get<std::string>().starts_with(
      "Published, not measured here"));
  CHECK_FALSE(report["operations"][0]["elsewhere"][0]["rows"].empty());
  CHECK(report_in(page({of_gpu(), {of_gpu()}}))["operations"][0]["elsewhere"].empty());
}

}  // namespace
}  // namespace ladder::reports
