// `ladder compare` as a user meets it.
#include <fstream>

#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/file/result_file.hpp"
#include "reports/numbers/derived_numbers.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

// Two folders, a and b: in b one rung takes twice as long, and one was not run.
class TwoSets : public Workshop {
 public:
  TwoSets() {
    reports::Results set;
    set.machine.cpu = "straw";
    set.run.commit = "unknown", set.run.date = "2026-11-22T08:00:00Z";
    const reports::Error right{0, 0, 0, {}};
    set.operations = {{.name = "reduce", .operators = {"sum"}}};
    for (const char* rung : {"base", "better", "best"}) {
      set.rungs.emplace_back().rung = rung;
      set.rungs.back().operation = "reduce", set.rungs.back().provider = "handwritten";
      reports::Cell& cell = set.cells.emplace_back();
      cell.input = {"reduce", "sum", "i32", 1000, "random", {}};
      cell.who = {"handwritten", rung};
      cell.how = {reports::Backend::host, reports::Contract::host_result, reports::Cache::cold};
      cell.minimum_bytes = {4000, 4};
      cell.outcome = reports::Measured{timing(1), right, {}};
    }
    set.run.samples = "sha256:" + std::string(64, '0');
    set.run.efforts = {{reports::Backend::host, 3, 10, 100, 1}};
    write(set, "a");
    set.cells[1].outcome = reports::Measured{timing(2), right, {}};
    set.cells.pop_back();
    write(set, "b");
    set.machine.cpu = "another";
    write(set, "c");
    reports::derive(set);
    set.cells[0].outcome.measured()->timing->time_us.ci95_low = 200;
    write_as_it_is(set, "unsound");
  }

 private:
  static reports::Timing timing(double slower) {
    reports::Timing all;
    all.time_us = {.min = 98,
                   .p5 = 99,
                   .p25 = 99,
                   .p75 = 101,
                   .p95 = 102,
                   .max = 103,
                   .samples = 60,
                   .outliers = 3};
    for (double* us : {&all.time_us.min, &all.time_us.p5, &all.time_us.p25, &all.time_us.p75,
                       &all.time_us.p95, &all.time_us.max})
      *us *= slower;
    for (const unsigned process : {0U, 1U, 2U})
      all.processes.push_back({process, slower * (99.5 + 0.5 * process), {}});
    return all;
  }
  void write(reports::Results set, const char* name) const {
    reports::derive(set);
    write_as_it_is(set, name);
  }
  void write_as_it_is(const reports::Results& set, const char* name) const {
    fs::create_directory(path(name));
    write_set(path(name) / "results.json", set);
  }
};

}  // namespace

TEST_CASE("compare says what is slower, and fails for it only where that is asked for") {
  TwoSets workshop;
  const auto outcome =
      workshop.run({"compare", workshop.path("a"), workshop.path("b") / "results.json"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(contains(outcome.out, "times: 2 compared, 0 faster, 1 slower, 1 no difference shown"));
  CHECK(contains(outcome.out, "timed rows only in A: 1, only in B: 0\n"));
  CHECK(contains(outcome.out,
                 "\n  reduce, sum, i32, n = 1,000, random, handwritten/better, host, "
                 "host_result,\n  cold\n    100 us  200 us  slower 0.500x ("));
  CHECK(workshop.run({"compare", workshop.path("a"), workshop.path("b"), "--fail-on-slower"})
            .exit_code == 1);
  CHECK(workshop.run({"compare", workshop.path("b"), workshop.path("a"), "--fail-on-slower"})
            .exit_code == 0);
  CHECK(workshop.run({"compare", workshop.path("a"), workshop.path("a"), "--fail-on-slower"})
            .exit_code == 0);

  const auto json = nlohmann::json::parse(
      workshop.run({"compare", workshop.path("a"), workshop.path("b"), "--json"}).out);
  CHECK(json["times"]["slower"] == 1);
  CHECK(json["rows"].size() == 2);
  CHECK(json["a"]["file"] == (workshop.path("a") / "results.json").string());
}

TEST_CASE("times of different machines are not compared") {
  TwoSets workshop;
  const auto outcome =
      workshop.run({"compare", workshop.path("a"), workshop.path("c"), "--fail-on-slower"});
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(contains(outcome.err, "no row of these sets can be compared"));
  CHECK(workshop.run({"compare", workshop.path("a"), workshop.path("c")}).exit_code == 0);
  CHECK(contains(outcome.out, "times: none were compared, because the CPUs differ\n"));
  CHECK(contains(outcome.out, "times not compared: 2 another CPU\n"));
}

TEST_CASE("a set that is not sound is compared with a warning, a file that is none is refused") {
  TwoSets workshop;
  const auto warned = workshop.run({"compare", workshop.path("b"), workshop.path("unsound")});
  INFO(warned.err);
  CHECK(warned.exit_code == 0);
  CHECK(is_one_line(warned.err));
  CHECK(contains(warned.err, "unsound/results.json is not sound; ./ladder check says why"));

  for (const auto& words :
       std::vector<Workshop::Arguments>{{"compare", workshop.path("a"), workshop.path("nowhere")},
                                        {"compare", workshop.path("out"), workshop.path("a")},
                                        {"compare", workshop.path("a")},
                                        {"compare"}}) {
    const auto refused = workshop.run(words);
    INFO(refused.err);
    CHECK(refused.exit_code == 2);
    CHECK(is_one_line(refused.err));
    CHECK(refused.out.empty());
  }
}

TEST_CASE("neither a folder nor a rung commands the terminal") {
  TwoSets workshop;
  const fs::path folder = workshop.path("red\x1b[31m\xc2\x9b");
  fs::create_directory(folder);
  auto set = reports::read(workshop.path("a") / "results.json");
  set.cells[0].who.rung = "red\x1b[31m\xc2\x9b";
  write_set(folder / "results.json", set);
  std::ofstream(folder / "samples.jsonl.bz2") << "not these";
  for (const auto& words : std::vector<Workshop::Arguments>{{"check", folder},
                                                            {"check", folder, "--json"},
                                                            {"compare", folder, folder},
                                                            {"compare", folder, folder, "--json"},
                                                            {"check", folder / "no"}}) {
    const auto outcome = workshop.run(words);
    INFO(words[0] << ' ' << words.back());
    CHECK((contains(outcome.out, "red") || contains(outcome.err, "red")));
    CHECK_FALSE(contains(outcome.out + outcome.err, "\x1b"));
    CHECK_FALSE(contains(outcome.out + outcome.err, "\x9b"));
  }
}
