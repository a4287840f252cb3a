// What a checkout publishes, in the reports of runs without a GPU.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "compare/driver/disk/write_files.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/file/compression.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/report.hpp"
#include "reports/publish/publication.hpp"
#include "reports/tests/report_in_page.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

const Workshop::Arguments small_study = {"--backend", "emulated",   "--operator", "sum",
                                         "--dtype",   "i32",        "--size",     "1000",
                                         "--rung",    "base,better"};

reports::Results set_of(const char* gpu) {
  reports::Cell cell;
  cell.input = {"reduce", "sum", "i32", 1 << 28, "random", {}};
  cell.who = {"handwritten", "base"};
  cell.how = {reports::Backend::cuda, reports::Contract::device_result, reports::Cache::cold};
  reports::Timing timing;
  timing.time_us = {261, 261, 261, 261, 261, 261, 261, 261, 261, 1, 0};
  timing.processes = {{0, 261, {}}};
  cell.outcome = reports::Measured{timing, {}, {}};
  reports::Results results;
  results.operations = {{.name = "reduce", .operators = {"sum"}, .usual_inputs = {"random"}}};
  results.rungs.emplace_back().operation = "reduce";
  results.rungs[0].provider = "handwritten", results.rungs[0].rung = "base";
  results.machine.gpu = reports::Gpu{};
  results.machine.gpu->name = gpu;
  results.cells = {cell};
  results.run.commit = "unknown", results.run.date = "2026-11-22T08:00:00Z";
  results.run.id = reports::content_id(results);
  return results;
}

fs::path folder_for(const Workshop& workshop, const char* name) {
  const fs::path folder = workshop.path("reports") / "published" / name;
  fs::create_directories(folder);
  return folder;
}

bool is_report(const fs::path& folder, const reports::Files& report) {
  return std::ranges::all_of(
      report, [&](const auto& file) { return text_of(folder / file.first) == file.second; });
}

}  // namespace

TEST_CASE(
    "the report of a run without a GPU shows what this checkout publishes, by name, and so does "
    "the same report made again") {
  Workshop workshop;
  const std::vector<reports::Results> published{set_of("Card A"), set_of("Card B")};
  write_set(folder_for(workshop, "b") / "results.json", published[1]);
  write_set(folder_for(workshop, "a") / "results.json", published[0]);
  folder_for(workshop, "without_a_file");
  std::ofstream(workshop.path("reports") / "published" / "README.md") << "# Their list\n";
  const auto outcome = workshop.study(small_study);
  REQUIRE(outcome.exit_code == 0);
  CHECK_FALSE(contains(outcome.err, "published"));
  CHECK(contains(outcome.out,
                 "published times on Card A, Card B are in the report; none was measured here\n"));
  const auto report = reports::report_files({workshop.read(), published});
  CHECK(is_report(workshop.results(), report));
  CHECK(contains(report.at("report.md"), "Card B"));

  const auto again = workshop.run(
      {"report", workshop.results() / "results.json", "--out", workshop.path("again")});
  REQUIRE(again.exit_code == 0);
  CHECK(contains(again.out, "published times on Card A, Card B"));
  CHECK(is_report(workshop.path("again"), report));
}

TEST_CASE("a published set may be compressed") {
  Workshop workshop;
  reports::Results published = set_of("Card A");
  write_file(folder_for(workshop, "a") / "results.json.bz2",
             reports::packed(reports::file_text(published)));
  const auto outcome = workshop.study(small_study);
  REQUIRE(outcome.exit_code == 0);
  CHECK_FALSE(contains(outcome.err, "published"));
  CHECK(is_report(workshop.results(), reports::report_files({workshop.read(), {published}})));
}

TEST_CASE("a published file that cannot be read costs a line of warning and nothing else") {
  Workshop workshop;
  const reports::Results good = set_of("Card A");
  std::ofstream(folder_for(workshop, "a") / "results.json") << "{}";
  write_set(folder_for(workshop, "b") / "results.json", good);
  fs::create_directories(folder_for(workshop, "c") / "results.json");
  write_set(folder_for(workshop, "d") / "results.json", set_of("Card D"));
  std::ofstream(folder_for(workshop, "d") / "results.json", std::ios::app) << "x";
  const auto outcome = workshop.study(small_study);
  CHECK(outcome.exit_code == 0);
  for (const char* name : {"a", "c", "d"})
    CHECK(contains(outcome.err, "ladder: these published times are left out: " +
                                    (folder_for(workshop, name) / "results.json").string() +
                                    ": it is "));
  CHECK(is_report(workshop.results(), reports::report_files({workshop.read(), {good}})));

  fs::remove_all(folder_for(workshop, "b"));
  const auto again = workshop.run(
      {"report", workshop.results() / "results.json", "--out", workshop.path("again")});
  CHECK(again.exit_code == 0);
  CHECK(is_report(workshop.path("again"), reports::report_files(workshop.read())));
}

TEST_CASE("reports/published may be no folder") {
  Workshop workshop;
  fs::create_directories(workshop.path("reports"));
  std::ofstream(workshop.path("reports") / "published") << "x";
  CHECK(workshop.study(small_study).exit_code == 0);
  CHECK(is_report(workshop.results(), reports::report_files(workshop.read())));
}

TEST_CASE(
    "publish puts a full study of a GPU and its counters into a folder of that GPU, and whatever "
    "it lacks is said and nothing written") {
  Workshop workshop;
  workshop.add_gpu();
  workshop.environment["FAKE_COUNTERS"] = "none";
  REQUIRE(workshop
              .study({"--backend", "cuda,emulated", "--operator", "sum", "--dtype", "i32", "--size",
                      "1000", "--rung", "base,better", "--counters"})
              .exit_code == 0);
  reports::Results good = workshop.read();
  good.run.command = "./ladder run --backend cuda,emulated --preset full --counters";
  good.run.commit = std::string(40, 'a'), good.run.dirty = false;
  good.machine.gpu->name = "NVIDIA GeForce RTX 4090";
  const fs::path there = workshop.path("reports") / "published" / "geforce_rtx_4090";
  const auto published = [&](const reports::Results& set) {
    write_set(workshop.results() / "results.json", set);
    return workshop.run({"publish", workshop.results()});
  };
  const auto lacks = [&](const std::string& what, const auto& change) {
    const bool was_there = fs::exists(there);
    reports::Results set = good;
    change(set);
    const Outcome outcome = published(set);
    INFO(outcome.out << outcome.err);
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.out.starts_with("it cannot be published:\n  "));
    CHECK(contains(outcome.out, what));
    CHECK(fs::exists(there) == was_there);
  };
  lacks(": not from a clean commit\n", [](auto& set) { set.run.dirty = true; });
  lacks(": not from a clean commit\n", [](auto& set) { set.run.commit = "unknown"; });
  lacks(": incomplete\n", [](auto& set) { set.run.complete = false; });
  lacks(": with kernels from elsewhere\n", [](auto& set) {
    set.kernels = reports::Kernels{"theirs", std::string(40, 'b'), false};
  });
  lacks("none of them is a full study: ./ladder run",
        [](auto& set) { set.run.command = "./ladder run --preset quick"; });
  lacks("none of them is a full study: ./ladder run",
        [](auto& set) { set.run.command += " --rung base"; });
  lacks("without the counters of the GPU: ./ladder run", [](auto& set) {
    for (reports::Cell& cell : set.cells)
      if (cell.counters() != nullptr && cell.timing() != nullptr)
        cell.outcome.measured()->counters.reset();
  });
  lacks(": not sound (", [](auto& set) { set.machine.gpu->datasheet_gbps += 1000; });
  lacks(": a row failed, crashed or timed out\n", [](auto& set) {
    for (reports::Cell& cell : set.cells)
      cell.outcome = reports::Failure{reports::Verdict::crashed, "killed"};
  });
  fs::rename(workshop.results() / "samples.jsonl.bz2", workshop.path("samples"));
  lacks("without its samples: there is no samples.jsonl.bz2 beside it\n", [](auto&) {});
  fs::rename(workshop.path("samples"), workshop.results() / "samples.jsonl.bz2");

  const Outcome outcome = published(good);
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(fs::exists(there / "samples.jsonl.bz2"));
  CHECK(contains(text_of(workshop.path("reports") / "published" / "README.md"),
                 "[geforce_rtx_4090](geforce_rtx_4090)"));
  // What the tests of this repository ask of every published set; this checkout of straw has no
  // other pages.
  CHECK(reports::Publication(workshop.path("")).faults() ==
        std::vector<std::string>{"README: no headline", "targets: no table of targets"});

  const Outcome again = published(good);
  CHECK(again.exit_code == 2);
  CHECK(contains(again.err, "geforce_rtx_4090 already exists; remove it first"));

  // over devices: without counters, and beside the set of one GPU
  reports::Results two = good;
  two.run.command = "./ladder run --backend cuda,emulated --devices 2";
  for (reports::Cell& cell : two.cells)
    if (cell.timing() != nullptr) cell.outcome.measured()->counters.reset();
  lacks("none of them is a full study: ./ladder run", [&](auto& set) {
    set = two;
    set.run.command += " --preset quick";
  });
  two.machine.further_gpus = {{"NVIDIA GeForce RTX 4090", "GPU-2", "00000000:02:00.0"}};
  const fs::path of_two = workshop.path("reports") / "published" / "geforce_rtx_4090_x2";
  for (const std::string preset : {"", " --preset devices"}) {
    fs::remove_all(of_two);
    reports::Results named = two;
    named.run.command += preset;
    const Outcome its = published(named);
    INFO(its.out << its.err);
    REQUIRE(its.exit_code == 0);
    CHECK(fs::exists(of_two / "report.md"));
  }
  CHECK(contains(text_of(workshop.path("reports") / "published" / "sets.md"), "## reduce"));
  CHECK(reports::Publication(workshop.path("")).faults() ==
        std::vector<std::string>{"README: no headline", "targets: no table of targets"});
}

TEST_CASE("a site has a page for each published set, a list of them, and all side by side") {
  Workshop workshop;
  workshop.environment["LADDER_ROOT"] = workshop.path("");
  const fs::path site = workshop.path("site");
  const auto none = workshop.run({"site", "--out", site});
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.err, Catch::Matchers::ContainsSubstring("there is no result set in"));
  CHECK(workshop.run({"site"}).exit_code == 2);

  for (const char* name : {"a", "b", "b/second", "b/counters"})
    write_file(folder_for(workshop, name) / "results.json",
               reports::file_text(set_of(name[0] == 'a' ? "One GPU" : "Another GPU")));
  const auto outcome = workshop.run({"site", "--out", site});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, Catch::Matchers::StartsWith("site of 3 sets: "));
  const auto said = [&](const std::string& page) {
    return reports::report_in(text_of(site / page)).dump();
  };
  const std::string list = said("index.html");
  for (const char* name : {"a", "b", "b/second"}) {
    CHECK_THAT(list, Catch::Matchers::ContainsSubstring(std::string("[") + name + "](" + name +
                                                        "/report.html)"));
    CHECK_THAT(said(std::string(name) + "/report.html"),
               Catch::Matchers::ContainsSubstring(name[0] == 'a' ? "One GPU" : "Another GPU"));
  }
  CHECK(list.find("b/counters") == list.npos);
  const std::string both = said("sets.html");
  CHECK_THAT(both, Catch::Matchers::ContainsSubstring("One GPU"));
  CHECK_THAT(both, Catch::Matchers::ContainsSubstring("Another GPU"));
}
