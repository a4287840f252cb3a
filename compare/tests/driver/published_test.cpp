// What a checkout publishes, in the reports of runs without a GPU.
#include <filesystem>
#include <fstream>

#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/json.hpp"
#include "reports/markdown.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

const Workshop::Arguments small_study = {"--backend", "emulated", "--operator", "sum", "--dtype", "i32", "--size", "1000", "--rung", "base,better"};

reports::Results set_of(const char* gpu) {
  reports::Cell cell;
  cell.key = {"reduce", "sum", "i32", 1 << 28, "random", {}, "handwritten", "base", "cuda", "device_result", "cold"};
  cell.verdict = "pass";
  cell.time_us = reports::Time{};
  cell.time_us->median = cell.time_us->ci95_low = cell.time_us->ci95_high = 261;
  reports::Results results;
  results.machine.gpu = reports::Gpu{};
  results.machine.gpu->name = gpu;
  results.cells = {cell};
  results.run.id = reports::content_id(results);
  return results;
}

fs::path folder_for(const Workshop& workshop, const char* name) {
  const fs::path folder = workshop.path("reports") / "published" / name;
  fs::create_directories(folder);
  return folder;
}

}  // namespace

TEST_CASE("the report of a run without a GPU shows what this checkout publishes, by name, and so does the same report made again") {
  Workshop workshop;
  const std::vector<reports::Results> published{set_of("Card A"), set_of("Card B")};
  reports::write(published[1], folder_for(workshop, "b") / "results.json");
  reports::write(published[0], folder_for(workshop, "a") / "results.json");
  folder_for(workshop, "without_a_file");
  const auto outcome = workshop.study(small_study);
  REQUIRE(outcome.exit_code == 0);
  CHECK_FALSE(contains(outcome.err, "published"));
  CHECK(contains(outcome.out, "published times on Card A, Card B are in the report; none was measured here\n"));
  const auto report = text_of(workshop.results() / "report.md");
  CHECK(report == reports::markdown(workshop.read(), published));
  CHECK(contains(report, "Card B"));

  const auto again = workshop.run({"report", workshop.results() / "results.json", "--out", workshop.path("again")});
  REQUIRE(again.exit_code == 0);
  CHECK(contains(again.out, "published times on Card A, Card B"));
  CHECK(text_of(workshop.path("again") / "report.md") == report);
}

TEST_CASE("a published file that cannot be read costs a line of warning and nothing else") {
  Workshop workshop;
  const reports::Results good = set_of("Card A");
  std::ofstream(folder_for(workshop, "a") / "results.json") << "{}";
  reports::write(good, folder_for(workshop, "b") / "results.json");
  fs::create_directories(folder_for(workshop, "c") / "results.json");
  reports::write(set_of("Card D"), folder_for(workshop, "d") / "results.json");
  std::ofstream(folder_for(workshop, "d") / "results.json", std::ios::app) << "x";
  const auto outcome = workshop.study(small_study);
  CHECK(outcome.exit_code == 0);
  for (const char* name : {"a", "c", "d"})
    CHECK(contains(outcome.err, "ladder: without these published times: " + (folder_for(workshop, name) / "results.json").string() + ": it is "));
  CHECK(text_of(workshop.results() / "report.md") == reports::markdown(workshop.read(), {good}));

  fs::remove_all(folder_for(workshop, "b"));
  const auto again = workshop.run({"report", workshop.results() / "results.json", "--out", workshop.path("again")});
  CHECK(again.exit_code == 0);
  CHECK(text_of(workshop.path("again") / "report.md") == reports::markdown(workshop.read()));
}

TEST_CASE("reports/published may be no folder") {
  Workshop workshop;
  fs::create_directories(workshop.path("reports"));
  std::ofstream(workshop.path("reports") / "published") << "x";
  CHECK(workshop.study(small_study).exit_code == 0);
  CHECK(text_of(workshop.results() / "report.md") == reports::markdown(workshop.read()));
}
