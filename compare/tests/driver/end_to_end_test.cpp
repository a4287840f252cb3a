// The driver as a user meets it, with workers of straw: whatever a rung does, it costs its own cell
// and nothing else.
#include <fmt/format.h>

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <regex>
#include <sstream>
#include <thread>

#include "compare/driver/terminal/shell.hpp"
#include "compare/system.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/formats/html/several_sets.hpp"
#include "reports/formats/report.hpp"
#include "reports/model/json.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

const Workshop::Arguments one_host_group = {"--backend", "host", "--dtype", "i32",
                                            "--size",    "1000", "--cache", "cold"};
const Workshop::Arguments one_gpu_group = {"--backend",  "cuda", "--dtype", "i32",
                                           "--operator", "sum",  "--size",  "1000",
                                           "--cache",    "cold"};

// rung -> cell, of results with one group
std::map<std::string, reports::Cell> by_rung(const reports::Results& results) {
  std::map<std::string, reports::Cell> cells;
  for (const auto& cell : results.cells) REQUIRE(cells.emplace(cell.who.rung, cell).second);
  return cells;
}

// Whether they are gone in the end; where one stays, ctest ends the test.
void wait_until_gone(const std::vector<pid_t>& workers) {
  const auto lives = [](pid_t worker) {
    const std::string status = text_of(fs::path("/proc") / std::to_string(worker) / "stat");
    // a process that nobody waits for yet is a zombie, and gone
    return contains(status, "(worker_") && !contains(status, ") Z");
  };
  while (std::ranges::any_of(workers, lives))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

// Events of a journal that may still be written.
std::vector<nlohmann::json> events_of(const fs::path& journal) {
  const std::string text = text_of(journal);
  std::istringstream whole(text.substr(0, text.rfind('\n') + 1));
  std::vector<nlohmann::json> events;
  for (std::string line; std::getline(whole, line);)
    if (auto event = nlohmann::json::parse(line); event.contains("event"))
      events.push_back(std::move(event));
  return events;
}

// What is finished by the journal's own words: "i32 2000 better 0", as a worker begins it.
std::vector<std::string> finished_in(const fs::path& journal, bool timed) {
  std::vector<std::string> finished;
  std::map<std::pair<std::size_t, unsigned>, std::vector<std::string>> cells;
  for (const auto& event : events_of(journal)) {
    if (!event.contains("process")) continue;
    const std::pair<std::size_t, unsigned> race{event["group"], event["process"]};
    if (event["event"] == "cell") {
      const std::string path = event["cell"]["path"];
      cells[race].push_back(fmt::format("i32 {} {} {}", 1000 * (race.first + 1),
                                        path.substr(path.rfind('/') + 1), race.second));
    }
    if (event["event"] == "done" || (!timed && event["event"] == "cell"))
      for (const auto& cell : std::exchange(cells[race], {})) finished.push_back(cell);
  }
  return finished;
}

}  // namespace

TEST_CASE("a study writes results, a report and its samples, and says where") {
  Workshop workshop;
  const auto outcome = workshop.study(
      one_host_group + Workshop::Arguments{"--rung", "base,better,best", "--rung", "std_fast"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "report: " + (workshop.results() / "report.html").string()));
  CHECK(widest_line(outcome.out) <= 80);
  CHECK(contains(outcome.err, "; fastest at 1000: std_fast "));  // the first time is shown at once

  const auto results = workshop.read();
  CHECK(results.run.complete);
  CHECK(results.run.seed == 1);
  CHECK(contains(results.run.command, "./ladder run --out "));
  CHECK(results.machine.cpu == host::cpu_model());
  CHECK(results.software.kernel == host::kernel_name());
  for (const auto& [name, text] : reports::report_files(results))
    CHECK(text_of(workshop.results() / name) == text);
  CHECK(fs::file_size(workshop.results() / "samples.jsonl.bz2") > 20);
  for (const auto& file : fs::directory_iterator(workshop.results()))
    CHECK(file.path().extension() != ".part");

  const auto cells = by_rung(results);
  REQUIRE(cells.size() == 4);
  for (const auto& [rung, cell] : cells) CHECK(cell.passed());
  const reports::Timing& best = *cells.at("best").timing();
  CHECK(best.processes.size() == 3);
  CHECK(best.time_us.samples == 27);
  // the middle process, its middle sample
  CHECK(best.time_us.median == Approx(100 * 1.01 * 1.004));
  CHECK(best.bandwidth_gbps.median == Approx(4004 / best.time_us.median / 1e3));
  CHECK(best.percent_of_ceiling.value() == Approx(100 * best.bandwidth_gbps.median / 1));
  CHECK(best.ratios.vs_first_rung->value == Approx(8));
  CHECK(best.ratios.vs_first_rung->verdict == reports::Difference::faster);
  CHECK(best.ratios.vs_followed->value == Approx(4));
  CHECK(best.ratios.vs_fastest_library->value == Approx(0.5));
  CHECK(best.ratios.vs_fastest_library->verdict == reports::Difference::slower);
  CHECK(!cells.at("base").timing()->ratios.vs_first_rung);
  CHECK(!cells.at("std_fast").timing()->ratios.vs_fastest_library);

  REQUIRE(results.operations.size() == 1);
  CHECK(results.operations[0].name == "reduce");
  std::vector<std::string> described;
  for (const auto& rung : results.rungs) described.push_back(rung.rung);
  CHECK(described == std::vector<std::string>{"base", "better", "best", "std_fast"});

  std::vector<std::string> order;
  for (const auto& cell : results.cells) order.push_back(cell.who.rung);
  CHECK(order == std::vector<std::string>{"base", "better", "best", "std_fast"});
}

TEST_CASE("each round is measured in a fresh process, through all groups") {
  Workshop workshop;
  REQUIRE(workshop
              .study({"--backend", "host", "--dtype", "i32", "--size", "1000,2000", "--cache",
                      "warm", "--rung", "base"})
              .exit_code == 0);
  CHECK(workshop.begun() == std::vector<std::string>{"i32 1000 base 0", "i32 2000 base 0",
                                                     "i32 1000 base 1", "i32 2000 base 1",
                                                     "i32 1000 base 2", "i32 2000 base 2"});
  const auto ids = workshop.worker_ids();
  CHECK(ids[0] == ids[1]);
  CHECK(ids[1] != ids[2]);
  CHECK(ids[2] == ids[3]);
  CHECK(ids[3] != ids[4]);
}

TEST_CASE(
    "a displaced input is another row, in the results, their samples and whatever compares them") {
  Workshop workshop;
  const auto study = [&](const char* offsets) {
    return workshop.study(one_host_group +
                          Workshop::Arguments{"--rung", "base", "--offset", offsets});
  };
  REQUIRE(study("0").exit_code == 0);
  // the field is absent, as in sets of before
  CHECK(!contains(text_of(workshop.results() / "results.json"), "\"offset\""));
  fs::rename(workshop.results(), workshop.path("aligned"));
  REQUIRE(study("0,1").exit_code == 0);
  const auto cells = workshop.read().cells;
  REQUIRE(cells.size() == 2);
  CHECK(cells[0].input.offset == 0);
  CHECK(cells[1].input.offset == 1);
  for (const auto& cell : cells) CHECK((cell.passed() && cell.timing() != nullptr));
  const auto checked = workshop.run({"check", workshop.results()});
  CHECK(checked.exit_code == 0);
  CHECK(contains(checked.out, "2 rows"));
  CHECK(contains(workshop.run({"compare", workshop.path("aligned"), workshop.results()}).out,
                 "timed rows only in A: 0, only in B: 1"));
  CHECK(contains(study("2").out, ", n = 1,000, displaced by 2: timed on the CPU"));
}

TEST_CASE("the emulated backend counts and never times") {
  Workshop workshop;
  REQUIRE(workshop.study({"--backend", "emulated", "--rung", "base", "--size", "1000"}).exit_code ==
          0);
  const auto results = workshop.read();
  REQUIRE(results.cells.size() == 3);  // sum of i32 and f64, min of i32
  for (const auto& cell : results.cells) {
    REQUIRE(cell.counters() != nullptr);
    CHECK(cell.counters()->global_load_bytes == (cell.input.dtype == "f64" ? 8000u : 4000u));
    CHECK(cell.timing() == nullptr);
    CHECK(!cell.how.contract);
  }
}

TEST_CASE("a GPU's limit of an input is measured beside its rungs, and is sound") {
  Workshop workshop;
  workshop.add_gpu();
  workshop.environment["FAKE_LIMIT"] = "yes";
  const auto outcome =
      workshop.study(one_gpu_group + Workshop::Arguments{"--rung", "base,std_fast"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const auto results = workshop.read();
  REQUIRE(results.limits.size() == 1);
  CHECK(results.limits[0].how.contract == reports::Contract::device_result);
  for (const auto& cell : results.cells)
    CHECK(cell.timing()->ratios.vs_limit.has_value() ==
          (cell.how.contract == reports::Contract::device_result));
  CHECK(!contains(outcome.err, "read"));  // it is not the fastest rung
  const auto check = workshop.run({"check", workshop.results()});
  INFO(check.out << check.err);
  CHECK(check.exit_code == 0);
  CHECK(contains(check.out, "samples: checked"));
}

TEST_CASE("the hardware's counters are read in a process of its own, when all is timed") {
  Workshop workshop;
  workshop.add_gpu();
  workshop.environment["FAKE_COUNTERS"] = "none";
  const auto outcome =
      workshop.study(one_gpu_group + Workshop::Arguments{"--rung", "base,std_fast", "--counters"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  for (const auto& cell : workshop.read().cells) {
    REQUIRE(cell.how.contract);
    INFO(cell.who.rung << ' ' << name_of(*cell.how.contract));
    REQUIRE(cell.timing() != nullptr);
    CHECK(cell.timing()->processes.size() == 3);
    CHECK((cell.counters() != nullptr) == (cell.how.contract == reports::Contract::device_result));
  }
  const auto begun = workshop.begun();
  REQUIRE(begun.size() == 2 * (3 + 3 + 1));
  CHECK(begun[12] == "i32 1000 base 3");
  const auto without = workshop.study(one_gpu_group + Workshop::Arguments{"--rung", "base"});
  CHECK(without.exit_code == 0);
  for (const auto& cell : workshop.read().cells) CHECK(cell.counters() == nullptr);
}

TEST_CASE(
    "what goes wrong while counters are read costs the counters, and neither the times nor the "
    "others' counters") {
  for (const char* how : {"FAKE_UNCOUNTED", "FAKE_MISCOUNTED"}) {
    Workshop workshop;
    workshop.add_gpu();
    workshop.environment["FAKE_COUNTERS"] = "none";
    workshop.environment[how] = "base";
    const auto outcome = workshop.study(
        one_gpu_group + Workshop::Arguments{"--rung", "base,better,wrong", "--contract",
                                            "device_result", "--counters"});
    INFO(how << '\n' << outcome.err);
    CHECK(outcome.exit_code == 1);  // for "wrong"
    CHECK(contains(outcome.err, "base not counted: "));
    const auto cells = by_rung(workshop.read());
    CHECK(cells.at("base").verdict() == reports::Verdict::pass);
    CHECK(cells.at("base").timing() != nullptr);
    CHECK(cells.at("base").counters() == nullptr);
    CHECK(cells.at("base").flags == std::vector<std::string>{"not_counted"});
    CHECK(cells.at("better").counters() != nullptr);
    // nobody counts what is wrong
    for (const std::string& line : workshop.begun()) CHECK(line != "i32 1000 wrong 3");
  }
}

TEST_CASE(
    "a refusal of --counters leaves the last run's journal, and comes before other backends are "
    "run, a finished run needs none") {
  Workshop workshop;
  workshop.add_gpu();
  workshop.environment["FAKE_COUNTERS"] = "none";
  const auto options = one_gpu_group + Workshop::Arguments{"--rung", "base", "--counters"};
  REQUIRE(workshop.study(options).exit_code == 0);
  const std::string journal = text_of(workshop.results() / "journal.jsonl");
  const auto begun = workshop.begun().size();
  workshop.environment["FAKE_COUNTERS"] = "they\nare straw";
  const auto refused = workshop.study({"--dtype", "i32", "--size", "1000", "--counters"});
  CHECK(refused.exit_code == 2);
  CHECK(is_one_line(refused.err));
  CHECK(text_of(workshop.results() / "journal.jsonl") == journal);
  CHECK(workshop.begun().size() == begun);
  CHECK(workshop.study(options + Workshop::Arguments{"--resume"}).exit_code == 0);
}

TEST_CASE("counters that cannot be read are known before anything is measured") {
  Workshop workshop;
  const auto refused = [&](const Workshop::Arguments& options, const std::string& why) {
    const auto outcome = workshop.study(options + Workshop::Arguments{"--counters"});
    CHECK(outcome.exit_code == 2);
    INFO(outcome.err);
    CHECK(contains(outcome.err, why));
    CHECK(workshop.begun().empty());
  };
  refused(one_host_group, "this run times no device_result on a GPU");
  workshop.add_gpu();
  workshop.environment["FAKE_COUNTERS"] = "they are straw";
  refused(one_gpu_group, "--counters: the GPU's counters cannot be read: they are straw");
}

TEST_CASE("a rung that fails in its own way costs its own cell") {
  struct Case {
    std::string rung;
    reports::Verdict verdict;
    std::string reason;
  };
  using enum reports::Verdict;
  const auto given =
      GENERATE(values<Case>({{"crashes", crashed, "killed by signal 11"},
                             {"crashes_later", crashed, "killed by signal 11"},
                             {"exits", crashed, "exit code 3"},
                             {"hangs", timeout, "no reply for 0.5 s"},
                             {"rubbish", crashed, "not a reply"},
                             {"misshapen", crashed, "the field"},
                             {"impostor", crashed, "nobody"},
                             {"loses_device", crashed, "an illegal address, says the straw"},
                             {"refused", fail, "cannot be asked of straw"},
                             {"wrong", fail, "should be 2"}}));
  const std::string backend = GENERATE("host", "emulated");
  if (backend == "emulated" && given.rung == "crashes_later") return;  // counting has one process
  Workshop workshop;
  workshop.environment["FAKE_SILENCE"] = workshop.path("silent");
  fs::create_directory(workshop.path("silent"));
  Workshop::Arguments options = {
      "--backend", backend,  "--dtype", "i32",    "--operator",
      "sum",       "--size", "1000",    "--rung", "base,better," + given.rung};
  if (backend == "host") options = options + Workshop::Arguments{"--cache", "cold"};
  const auto outcome = workshop.study(options + Workshop::Arguments{"--timeout", "0.5"});
  CHECK(contains(outcome.out, "\n  " + given.rung + ": "));  // why
  INFO(given.rung << " on " << backend << ": " << outcome.err);
  REQUIRE(outcome.exit_code == 1);
  const auto cells = by_rung(workshop.read());
  REQUIRE(cells.size() == 3);
  const auto& cell = cells.at(given.rung);
  CHECK(cell.verdict() == given.verdict);
  CHECK(contains(cell.reason(), given.reason));
  CHECK(cell.outcome.measured() == nullptr);
  for (const char* other : {"base", "better"}) {
    CHECK(cells.at(other).passed());
    CHECK((cells.at(other).timing() != nullptr) == (backend == "host"));
    // what an aborted attempt measured is not counted twice
    if (backend == "host") CHECK(cells.at(other).timing()->time_us.samples == 27);
  }
}

TEST_CASE("a worker that dies before any rung was begun costs that input") {
  Workshop workshop;
  const auto outcome = workshop.study({"--backend", "host", "--dtype", "i32", "--size", "666,1000",
                                       "--cache", "cold", "--rung", "base,better"});
  CHECK(outcome.exit_code == 1);
  for (const auto& cell : workshop.read().cells) {
    CHECK(cell.verdict() ==
          (cell.input.n == 666 ? reports::Verdict::crashed : reports::Verdict::pass));
    if (cell.input.n == 666) CHECK(contains(cell.reason(), "while the input was being prepared"));
  }
}

TEST_CASE("a rung that cannot take an input is skipped, with its reason") {
  Workshop workshop;
  REQUIRE(workshop.study(one_host_group + Workshop::Arguments{"--rung", "base,small"}).exit_code ==
          0);
  const auto cells = by_rung(workshop.read());
  CHECK(cells.at("small").verdict() == reports::Verdict::skipped);
  CHECK(contains(cells.at("small").reason(), "it is small"));
  CHECK(cells.at("small").minimum_bytes == reports::Bytes{4000, 4});
}

TEST_CASE("a study that skips every row fails, with the reason") {
  Workshop workshop;
  const auto outcome = workshop.study(one_host_group + Workshop::Arguments{"--rung", "small"});
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err,
                 "every row was skipped; the first one: takes at most 100 elements: it is small"));
  CHECK_FALSE(contains(outcome.err, "row 0 of 0"));
}

TEST_CASE("a worker that dies at start ends the study: nothing is left out without a word") {
  Workshop workshop;
  workshop.environment["FAKE_DIES"] = "worker_host";
  const auto outcome = workshop.study({"--rung", "base", "--size", "1000"});
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(contains(outcome.err, "worker_host does not work"));
  CHECK(contains(outcome.err, "killed by signal 6"));
  CHECK(!fs::exists(workshop.results() / "results.json"));
}

TEST_CASE(
    "rungs that follow each other in a circle are refused by name, one that is not here is not "
    "missed") {
  Workshop workshop;
  const Workshop::Arguments options{"--backend", "host", "--rung", "base", "--size", "1000"};
  workshop.environment["FAKE_BASE_FOLLOWS"] = "best";
  const auto outcome = workshop.study(options);
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(contains(outcome.err, "handwritten/reduce/base follows itself"));

  workshop.environment["FAKE_BASE_FOLLOWS"] = "needs_other_hardware";
  CHECK(workshop.study(options).exit_code == 0);
}

TEST_CASE("a terminal that cannot be written to costs no result") {
  Workshop workshop;
  const std::string command = fmt::format(
      "LADDER_WORKERS='{}' '{}' run --backend host --rung base --size 1000 --dtype i32 --operator "
      "sum --out '{}' 2>/dev/full",
      workshop.environment.at("LADDER_WORKERS"), LADDER_PROGRAM, workshop.results().string());
  CHECK(std::system((command + " >/dev/null").c_str()) == 0);
  CHECK(fs::exists(workshop.results() / "results.json"));
  // its summary was asked for
  CHECK(WEXITSTATUS(std::system((command + " >/dev/full").c_str())) == 2);

  const fs::path said = workshop.path("said");
  const std::string list =
      fmt::format("LADDER_WORKERS='{}' '{}' list --json 2>'{}' >",
                  workshop.environment.at("LADDER_WORKERS"), LADDER_PROGRAM, said.string());
  REQUIRE(std::system((list + workshop.path("listing").string()).c_str()) == 0);
  // so that it is not the last write that fails
  REQUIRE(fs::file_size(workshop.path("listing")) > BUFSIZ);
  CHECK(WEXITSTATUS(std::system((list + "/dev/full").c_str())) == 2);
  CHECK(text_of(said) ==
        "ladder: cannot write to standard output; make room there, or redirect it\n");
}

TEST_CASE("after kill -9, --resume goes on without repeating what was finished") {
  const std::string backend = GENERATE("host", "emulated");
  Workshop workshop;
  const Workshop::Arguments options =
      Workshop::Arguments{"--backend",  backend, "--dtype", "i32",
                          "--operator", "sum",   "--rung",  "base,held,better"} +
      (backend == "host" ? Workshop::Arguments{"--size", "1000,2000,3000", "--cache", "cold"}
                         : Workshop::Arguments{"--size", "1000,2000,3000,4000,5000,6000"});
  const auto journal = workshop.results() / "journal.jsonl", hold = workshop.path("hold");
  std::ofstream(hold) << "until the driver is killed";
  workshop.environment["FAKE_HOLD"] = hold;
  const pid_t driver =
      workshop.start(Workshop::Arguments{"run", "--out", workshop.results()} + options);
  workshop.wait_until(driver, [&] { return !finished_in(journal, backend == "host").empty(); });
  REQUIRE(workshop.kill_and_wait(driver).exit_code == 128 + SIGKILL);
  CHECK(!fs::exists(workshop.results() / "results.json"));
  fs::remove(hold);

  const auto finished = finished_in(journal, backend == "host");
  REQUIRE(!finished.empty());

  const std::size_t before = workshop.begun().size();
  const auto resumed = workshop.study(options + Workshop::Arguments{"--resume"});
  INFO(resumed.err);
  REQUIRE(resumed.exit_code == 0);
  const auto begun = workshop.begun();
  for (const auto& cell : finished) {
    INFO(cell);
    CHECK(std::find(begun.begin() + static_cast<std::ptrdiff_t>(before), begun.end(), cell) ==
          begun.end());
  }
  const auto results = workshop.read();
  CHECK(results.run.complete);
  CHECK(results.cells.size() == (backend == "host" ? 9 : 18));
  for (const auto& cell : results.cells) {
    CHECK(cell.verdict() == reports::Verdict::pass);
    if (backend == "host") CHECK(cell.timing()->time_us.samples == 27);
  }

  // nothing is left to do
  const auto again = workshop.study(options + Workshop::Arguments{"--resume"});
  CHECK(again.exit_code == 0);
  CHECK(workshop.begun().size() == begun.size());
  CHECK(workshop.read().run.date == results.run.date);
  CHECK(!contains(workshop.read().run.command, "--resume"));  // it is the run that was begun
}

TEST_CASE(
    "if its folder is removed, a run makes it again and writes the set, it promises no journal "
    "that is gone") {
  const bool is_blocked = GENERATE(false, true);
  Workshop workshop;
  const auto hold = workshop.path("hold");
  std::ofstream(hold) << "until the folder is gone";
  workshop.environment["FAKE_HOLD"] = hold;
  const pid_t driver = workshop.start({"run", "--out", workshop.results(), "--backend", "host",
                                       "--dtype", "i32", "--operator", "sum", "--rung", "base,held",
                                       "--size", "2000", "--cache", "cold"});
  workshop.wait_until(driver, [&] {
    return !workshop.begun().empty() && contains(workshop.begun().back(), "2000 held");
  });
  fs::remove_all(workshop.results());
  // a folder that takes no file
  if (is_blocked) fs::create_directory_symlink("/proc/self", workshop.results());
  fs::remove(hold);
  const auto outcome = workshop.wait(driver);
  INFO(outcome.err);
  CHECK(outcome.exit_code == (is_blocked ? 2 : 0));
  CHECK(contains(outcome.err, "; somebody has removed the journal, so nothing is kept\n") ==
        is_blocked);
  if (is_blocked) return;
  CHECK(workshop.read().cells.size() == 2);
  CHECK(workshop.run({"check", workshop.results()}).exit_code == 0);
}

TEST_CASE("what one rung of a race costs is known to a resumed run") {
  Workshop workshop;
  const Workshop::Arguments options =
      one_host_group + Workshop::Arguments{"--rung", "crashes,base"};
  REQUIRE(workshop.study(options).exit_code == 1);
  const auto begun = workshop.begun().size();
  CHECK(workshop.study(options + Workshop::Arguments{"--resume"}).exit_code == 1);
  CHECK(workshop.begun().size() == begun);
}

TEST_CASE("a journal of another run is not resumed") {
  Workshop workshop;
  const Workshop::Arguments options = one_host_group + Workshop::Arguments{"--rung", "base"};
  REQUIRE(workshop.study(options).exit_code == 0);
  const std::string results = text_of(workshop.results() / "results.json");
  const auto more = GENERATE(values<Workshop::Arguments>(
      {{"--seed", "7"}, {"--size", "2000"}, {"--rung", "better"}, {"--preset", "full"}}));
  const auto outcome = workshop.study(options + Workshop::Arguments{"--resume"} + more);
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(text_of(workshop.results() / "results.json") == results);
}

TEST_CASE("a run that was ended before its first cell is resumed from there") {
  Workshop workshop;
  const Workshop::Arguments options = one_host_group + Workshop::Arguments{"--rung", "base"};
  REQUIRE(workshop.study(options).exit_code == 0);
  const auto journal = workshop.results() / "journal.jsonl";
  fs::resize_file(journal, text_of(journal).find('\n') + 1);
  const auto outcome = workshop.study(options + Workshop::Arguments{"--resume"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err, "ladder: nothing was measured yet in " + workshop.results().string() +
                                  ": starting from the first row\n"));
}

TEST_CASE("Ctrl-C keeps what was finished") {
  Workshop workshop;
  const int signal = GENERATE(SIGINT, SIGTERM);
  const Workshop::Arguments options = {
      "--backend", "emulated", "--dtype", "i32",    "--operator",
      "sum",       "--size",   "1000",    "--rung", "base,better,hangs"};
  const pid_t driver =
      workshop.start(Workshop::Arguments{"run", "--out", workshop.results()} + options);
  workshop.wait_until(driver, [&] {
    const auto events = events_of(workshop.results() / "journal.jsonl");
    return std::ranges::count_if(events,
                                 [](const auto& event) { return event["event"] == "cell"; }) == 2;
  });
  kill(driver, signal);
  const auto outcome = workshop.wait(driver);
  CHECK(outcome.exit_code == 130);
  CHECK(contains(outcome.out, "report: "));
  CHECK(contains(outcome.err, "--resume"));
  const auto results = workshop.read();
  CHECK(!results.run.complete);
  const auto cells = by_rung(results);
  CHECK(cells.size() == 2);
  CHECK(!cells.contains("hangs"));
  wait_until_gone(workshop.worker_ids());
}

TEST_CASE("a second Ctrl-C stops at once") {
  Workshop workshop;
  const pid_t driver = workshop.start({"run", "--out", workshop.results(), "--backend", "emulated",
                                       "--rung", "hangs", "--size", "1000"});
  workshop.wait_until_begun(driver, 1);
  kill(driver, SIGSTOP);  // both signals are there when it goes on
  int status = 0;
  REQUIRE((waitpid(driver, &status, WUNTRACED) == driver && WIFSTOPPED(status)));
  kill(driver, SIGINT);
  kill(driver, SIGTERM);
  kill(driver, SIGCONT);
  CHECK(workshop.wait(driver).exit_code == 130);
  CHECK(!fs::exists(workshop.results() / "results.json"));
  wait_until_gone(workshop.worker_ids());
}

TEST_CASE("two drivers do not share a folder") {
  Workshop workshop;
  const pid_t first = workshop.start({"run", "--out", workshop.results(), "--backend", "emulated",
                                      "--rung", "hangs", "--size", "1000"});
  workshop.wait_until_begun(first, 1);
  const auto second = workshop.study({"--rung", "base"});
  CHECK(second.exit_code == 2);
  CHECK(is_one_line(second.err));
  CHECK(contains(second.err, "another ladder"));
  workshop.kill_and_wait(first);
}

TEST_CASE("a bad choice is one sentence that names it, and nothing is written") {
  const auto bad =
      GENERATE(values<Workshop::Arguments>({{"--operation", "sort"},
                                            {"--operator", "xor"},
                                            {"--rung", "fastest"},
                                            {"--provider", "nobody"},
                                            {"--dtype", "f16"},
                                            {"--size", "many"},
                                            {"--size", "-1"},
                                            {"--size", "2^64"},
                                            {"--distribution", "cauchy"},
                                            {"--bins", "256"},
                                            {"--bins", "x"},
                                            {"--backend", "cuda"},
                                            {"--backend", "fpga"},
                                            {"--contract", "device_result"},
                                            {"--cache", "tepid"},
                                            {"--device", "0"},
                                            {"--seed", "x"},
                                            {"--seed", "-1"},
                                            {"--preset", "slow"},
                                            {"--timeout", "0"},
                                            {"--timeout", "nan"},
                                            {"--no-such-option"},
                                            {"surplus"},
                                            {"--backend", "emulated", "--cache", "cold"}}));
  Workshop workshop;
  const auto outcome = workshop.study(bad);
  INFO(bad[0] << ": " << outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(outcome.out.empty());
  if (bad.size() > 1)
    CHECK((contains(outcome.err, bad[0]) || contains(outcome.err, bad.back()) ||
           contains(outcome.err, "fits all of these")));
  CHECK(!fs::exists(workshop.results()));
  CHECK(workshop.begun().empty());
}

TEST_CASE("a slip of the hand is answered with what was meant") {
  const auto [words, sentence] = GENERATE(values<std::pair<Workshop::Arguments, std::string>>(
      {{{"lits"}, "there is no command \"lits\"; did you mean list?"},
       {{"tset"}, "there is no command \"tset\"; did you mean test?"},
       {{"frobnicate"},
        "there is no command \"frobnicate\"; the nearest of 17 are cite, compare, site, run, "
        "report; ./ladder --help shows all"},
       {{"run", "--sise", "1000"}, "there is no option \"--sise\"; did you mean --size?"},
       {{"--sise=1000", "surplus"}, "there is no option \"--sise=1000\"; did you mean --size?"},
       {{"run", "-size", "5"}, "there is no option \"-size\"; did you mean --size?"},
       {{"list", "--frobnicate"},
        "there is no option \"--frobnicate\"; ./ladder list --help lists them"},
       {{"publish"}, "publish needs files; ./ladder publish --help shows the usage"},
       {{"compare", "a"}, "compare needs B; ./ladder compare --help shows the usage"},
       {{"check", "a", "b"}, "\"b\" is one word too many; ./ladder check --help shows the usage"},
       {{"report", "a", "b", "c", "d", "e", "f", "--out", "x"},
        "6 sets are more than a figure can tell apart; name 5 at most"},
       {{"report", "a", "b"}, "a report of several sets needs a folder of its own: --out DIR"},
       {{"--rung", "bettr"}, "--rung: there is no rung \"bettr\" here; did you mean better?"},
       {{"--rung", "bettr*"}, "--rung: there is no rung \"bettr*\" here; did you mean better?"},
       {{"--rung", "redcue/bett*"},
        "--rung: there is no rung \"redcue/bett*\" here; did you mean reduce/better?"},
       {{"check-kernels", "--rung", "bettr?"},
        "--rung: there is no rung \"bettr?\" here; did you mean better?"},
       {{"completion", "zhs"}, "shell: there is no shell \"zhs\"; did you mean zsh?"},
       {{"list", "--names", "rugn"}, "--names: there is no list \"rugn\"; did you mean rung?"},
       {{"--operation", "redcue"},
        "--operation: there is no operation \"redcue\" here; did you mean reduce?"},
       {{"--operator", "xor"},
        "--operator: there is no operator \"xor\" here; choose from sum, min"},
       {{"--preset", "qiuck"}, "--preset: there is no preset \"qiuck\"; did you mean quick?"},
       {{"--preset", "*"},
        "--preset: there is no preset \"*\"; choose from quick, notes, full, wide, counters, "
        "devices"},
       {{"--preset", "slow"},
        "--preset: there is no preset \"slow\"; choose from quick, notes, full, wide, counters, "
        "devices"},
       {{"--seed", "18446744073709551616"},
        "--seed: \"18446744073709551616\" is not a whole number from 0 to 18446744073709551615"},
       {{"--seed", "010"}, "--seed: \"010\" is not a whole number from 0 to 18446744073709551615"},
       {{"--seed", "0x10"},
        "--seed: \"0x10\" is not a whole number from 0 to 18446744073709551615"},
       {{"--seed", "-1"}, "--seed: \"-1\" is not a whole number from 0 to 18446744073709551615"},
       {{"--seed", ""}, "--seed: \"\" is not a whole number from 0 to 18446744073709551615"},
       {{"--bins", "010"}, "--bins: \"010\" is not a whole number from 0 to 4294967295"},
       {{"check-kernels", "--seeds", "010"},
        "--seeds: \"010\" is not a whole number from 0 to 10000"},
       {{"--timeout", ""}, "--timeout: \"\" is not a number of seconds from 0.1 to 86400"},
       {{"--size", "1,000"}, "--size: a comma separates two sizes; for \"1,000\" write 1000"},
       {{"--size", "1000,"}, "--size: \"\" is not a number of elements; write 1000, 2^16 or 1e6"},
       {{"--size", "1000,,2000"},
        "--size: \"\" is not a number of elements; write 1000, 2^16 or 1e6"},
       {{"--dtype", "i32,"}, "--dtype: there is no element type \"\" here; choose from i32, f64"},
       {{"--operation", ","}, "--operation: there is no operation \"\" here; choose from reduce"},
       {{"--operation", "[reduce]"},
        "--operation: there is no operation \"[reduce]\" here; did you mean reduce?"},
       {{"--operation", "{}"},
        "--operation: there is no operation \"{}\" here; choose from reduce"},
       {{"--bins", "3,"}, "--bins: \"\" is not a whole number from 0 to 4294967295"},
       {{"check-kernels", "--dtype", "i32,"},
        "--dtype: there is no element type \"\" here; choose from i32, f64"},
       {{"--seed", "1", "--seed", "2"}, "--seed: it can be given only once"},
       {{"report", "x", "--out"}, "--out: its value is missing"},
       {{"report", "x", "--out", ""}, "--out: an empty word is not a name"},
       {{"--device", ""}, "--device: an empty word is not a name"},
       {{"check", ""}, "file: an empty word is not a name"},
       {{"--resume=false"}, "--resume: it takes no value; leave out \"=false\""},
       {{"--resume=5"}, "--resume: it takes no value; leave out \"=5\""},
       {{"--counters=maybe"}, "--counters: it takes no value; leave out \"=maybe\""},
       {{"list", "--json=no"}, "--json: it takes no value; leave out \"=no\""},
       {{"--operation", "a\x1b[31m\u202eb\u200b"},
        "--operation: there is no operation \"a [31m   b   \" here; choose from reduce"},
       {{"--out", "a\x1b[31m", "\x1b[2J"},
        "\" [2J\" is one word too many; ./ladder run --help shows the usage"},
       {{"--x\x1b[31m"}, "there is no option \"--x [31m\"; ./ladder run --help lists them"},
       {{"--seed", "1\x1b[31m"},
        "--seed: \"1 [31m\" is not a whole number from 0 to 18446744073709551615"},
       {{"--out", "/dev/null/\x1b[31m"},
        "cannot make the folder /dev/null/ [31m: Not a directory; choose another with --out"},
       {{"run", "--", "x", "--out", "d"},
        "the word \"--\" has no meaning here; leave it out, and write ./-x for a file -x"},
       {{"report", "--", "x"},
        "the word \"--\" has no meaning here; leave it out, and write ./-x for a file -x"},
       {{"--resume", "--restart"}, "--resume excludes --restart"}}));
  Workshop workshop;
  const auto outcome = workshop.run(words);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == "ladder: " + sentence + "\n");
  CHECK(!fs::exists(workshop.path("reports")));
}

TEST_CASE("the largest seed is the seed of the run") {
  Workshop workshop;
  REQUIRE(workshop
              .study(one_host_group +
                     Workshop::Arguments{"--rung", "base", "--seed", "18446744073709551615"})
              .exit_code == 0);
  CHECK(workshop.read().run.seed == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("where a GPU cannot be used, the sentence says how many there are") {
  Workshop workshop;
  const auto [listed, count] = GENERATE(values<std::pair<std::string, std::string>>(
      {{"", "no GPU"},
       {"GPU 0: NVIDIA H200", "1 GPU, numbered 0"},
       {"GPU 0: NVIDIA H200\nGPU 1: NVIDIA H200", "2 GPUs, numbered from 0"}}));
  fs::create_directory(workshop.path("tools"));
  std::ofstream(workshop.path("tools/nvidia-smi")) << "#!/bin/sh\necho '" << listed << "'\n";
  fs::permissions(workshop.path("tools/nvidia-smi"), fs::perms::owner_all);
  workshop.environment["PATH"] = workshop.path("tools").string() + ":/bin:/usr/bin";
  const auto outcome = workshop.study({"--device", "7"});
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(contains(
      outcome.err,
      "ladder: --device: cuda does not run with GPU \"7\": its worker program was not built; "));
  CHECK(contains(outcome.err, "; this machine has " + count + "\n"));
}

TEST_CASE("a current folder that is gone is said without the library's words") {
  Workshop workshop;
  const std::string command = fmt::format(
      "mkdir '{0}' && cd '{0}' && rmdir '{0}' && LADDER_WORKERS='{1}' '{2}' run --rung base "
      ">/dev/null 2>'{3}'",
      workshop.path("gone").string(), workshop.environment.at("LADDER_WORKERS"), LADDER_PROGRAM,
      workshop.path("err").string());
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 2);
  CHECK(text_of(workshop.path("err")) ==
        "ladder: the current folder no longer exists; change to another one\n");
}

TEST_CASE("a folder that cannot be written is found out before anything runs") {
  Workshop workshop;
  std::ofstream(workshop.path("file")) << "in the way";
  fs::create_symlink("nowhere", workshop.path("link"));
  const std::string name = GENERATE("file", "file/below", "/proc/ladder", "/dev/null", "link");
  const fs::path folder = workshop.path(name);  // an absolute name stays what it is
  const auto outcome = workshop.run({"run", "--rung", "base", "--out", folder});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(contains(outcome.err, folder));
  if (name == "link")
    CHECK(contains(outcome.err,
                   ": it is a link to a folder that does not exist; choose another with --out"));
  if (name == "/proc/ladder") CHECK(contains(outcome.err, "there are 0.0 MB left"));
  CHECK(workshop.begun().empty());
  CHECK(text_of(workshop.path("file")) == "in the way");
}

TEST_CASE("a disk that fills up is said in one sentence, and nothing half-written is left") {
  Workshop workshop;
  workshop.largest_file = 3000;
  const auto outcome =
      workshop.study(one_host_group + Workshop::Arguments{"--rung", "base,better,best"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "cannot write"));
  CHECK(contains(outcome.err, "--resume"));
  for (const auto& file : fs::directory_iterator(workshop.results()))
    CHECK(file.path().filename() == "journal.jsonl");

  workshop.largest_file = 0;
  CHECK(
      workshop.study(one_host_group + Workshop::Arguments{"--rung", "base,better,best", "--resume"})
          .exit_code == 0);
}

TEST_CASE(
    "without --out, results go to reports/latest of the checkout, without a command, the study "
    "runs") {
  Workshop workshop;
  REQUIRE(workshop.run({"--backend", "emulated", "--rung", "base", "--size", "1000"}).exit_code ==
          0);
  CHECK(fs::exists(workshop.path("reports") / "latest" / "results.json"));
}

TEST_CASE("report renders a result file again, byte for byte") {
  Workshop workshop;
  REQUIRE(
      workshop.study(one_host_group + Workshop::Arguments{"--rung", "base,std_fast"}).exit_code ==
      0);
  const auto outcome = workshop.run(
      {"report", workshop.results() / "results.json", "--out", workshop.path("again")});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const auto made = reports::report_files(workshop.read());
  for (const auto& [name, text] : made) {
    INFO(name);
    CHECK(text_of(workshop.path("again") / name) == text);
    CHECK(text_of(workshop.results() / name) == text);
    fs::remove(workshop.results() / name);
  }
  CHECK(workshop.run({"report", workshop.results()}).exit_code == 0);  // its folder will do
  for (const auto& [name, text] : made) CHECK(text_of(workshop.results() / name) == text);
}

TEST_CASE("several sets are reported side by side") {
  Workshop workshop;
  REQUIRE(
      workshop.study(one_host_group + Workshop::Arguments{"--rung", "base,std_fast"}).exit_code ==
      0);
  const auto out = workshop.path("side by side");
  const auto outcome = workshop.run(
      {"report", workshop.results(), workshop.results() / "results.json", "--out", out});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.out == "report: " + (out / "sets.html").string() + "\n");
  const std::string name = (workshop.results() / "results.json").string();
  const auto made = reports::sets_files({{name, workshop.read(), {}}, {name, workshop.read(), {}}});
  CHECK(made.size() == 2);
  for (const auto& [file, text] : made) CHECK(text_of(out / file) == text);
  CHECK(std::distance(fs::directory_iterator(out), {}) == 2);
}

TEST_CASE("a report that cannot be written says what to do") {
  Workshop workshop;
  REQUIRE(workshop.study(one_host_group + Workshop::Arguments{"--rung", "base"}).exit_code == 0);
  // where not even root may write
  const auto report = workshop.run({"report", workshop.results(), "--out", "/proc"});
  CHECK(report.exit_code == 2);
  CHECK(is_one_line(report.err));
  CHECK(report.err.starts_with("ladder: cannot write /proc/report.html: "));
  CHECK(report.err.ends_with("; choose another folder with --out\n"));
}

TEST_CASE("report and run say the same of a folder that cannot be made") {
  Workshop workshop;
  REQUIRE(workshop.study(one_host_group + Workshop::Arguments{"--rung", "base"}).exit_code == 0);
  const auto report = workshop.run({"report", workshop.results(), "--out", "/dev/null"});
  CHECK(report.exit_code == 2);
  CHECK(report.err ==
        "ladder: cannot make the folder /dev/null: Not a directory; choose another with --out\n");
  CHECK(report.err == workshop.run({"run", "--rung", "base", "--out", "/dev/null"}).err);
}

TEST_CASE("what is no result file is refused in one sentence") {
  struct Case {
    std::string name, content;
  };
  const auto given = GENERATE(values<Case>({{"empty", ""},
                                            {"broken", "{\"schema\": "},
                                            {"other", "{\"schema\": \"9.0.0\"}"},
                                            {"older", "{\"schema\": \"1.3.0\", \"cells\": []}"},
                                            {"array", "[1, 2, 3]"},
                                            {"binary", std::string("\x7f"
                                                                   "ELF\0\1\2\xff\xfe",
                                                                   9)},
                                            {"deep", std::string(1'000'000, '[')}}));
  Workshop workshop;
  std::ofstream(workshop.path("input"), std::ios::binary) << given.content;
  const auto input = workshop.path("input"), again = workshop.path("again"),
             nowhere = workshop.path("nowhere");
  // its arguments are of this workshop, which is a new one each time
  const std::string command = GENERATE("report", "check", "compare");
  const auto rest = command == "report"  ? Workshop::Arguments{input, "--out", again}
                    : command == "check" ? Workshop::Arguments{input}
                                         : Workshop::Arguments{input, input};
  const auto outcome = workshop.run(Workshop::Arguments{command} + rest);
  INFO(command << ' ' << given.name << ": " << outcome.err);
  CHECK_FALSE(contains(outcome.err, "there is no such file"));
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(outcome.out.empty());
  if (given.name == "older")
    CHECK(contains(outcome.err,
                   "it follows schema \"1.3.0\", this program reads 2.0.0; use the version of "
                   "Kernel Ladder "));
  CHECK(!fs::exists(again));
  CHECK(workshop.run({"report", nowhere}).exit_code == 2);
  CHECK(workshop.run({"check", nowhere}).exit_code == 2);
}

TEST_CASE("list shows every implementation, for people and for programs") {
  Workshop workshop;
  const auto text = workshop.run({"list"});
  REQUIRE(text.exit_code == 0);
  CHECK(contains(text.out, "crashes_later"));
  CHECK(contains(text.out, "does not run here"));  // cuda
  CHECK(
      contains(text.out, "\n  base           handwritten         emulated, host\n      Straw.\n"));
  CHECK(widest_line(text.out) <= 80);
  const auto outcome = workshop.run({"list", "--json"});
  REQUIRE(outcome.exit_code == 0);
  const auto listing = nlohmann::json::parse(outcome.out);
  REQUIRE(listing.size() == 17);
  CHECK(listing[0]["rung"] == "base");
  CHECK(listing[0]["backends"] == nlohmann::json{"emulated", "host"});
  for (const char* field : {"operation", "operators", "provider", "rung", "notes", "idea", "dtypes",
                            "backends", "requires"})
    CHECK(listing[0].contains(field));
}

TEST_CASE("help is everywhere") {
  Workshop workshop;
  const auto command = GENERATE(values<Workshop::Arguments>({{"--help"},
                                                             {"-h"},
                                                             {"run", "--help"},
                                                             {"merge", "--help"},
                                                             {"report", "--help"},
                                                             {"check", "--help"},
                                                             {"compare", "--help"},
                                                             {"prove-clock", "--help"},
                                                             {"check-kernels", "--help"},
                                                             {"list", "--help"},
                                                             {"completion", "--help"}}));
  const auto outcome = workshop.run(command);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.size() > 100);
  CHECK(widest_line(outcome.out) <= 80);
  CHECK(outcome.err.empty());
  if (command.size() > 1) return;
  for (const char* name : {"run", "merge", "report", "check", "check-kernels", "compare",
                           "prove-clock", "list", "completion", "test"})
    CHECK(contains(outcome.out, fmt::format("\n  {} ", name)));
}

TEST_CASE("help without a build has the commands and the words of the program") {
  Workshop workshop;
  // what is above them depends on the version of CLI11
  const auto commands = [](const std::string& help) {
    std::istringstream in(help.substr(std::min(help.find("\n  run "), help.size())));
    return std::vector<std::string>{std::istream_iterator<std::string>(in), {}};
  };
  const auto of_program = commands(workshop.run({"--help"}).out);
  REQUIRE(!of_program.empty());
  INFO("bin/ladder --help >compare/driver/commands/help.txt writes it anew");
  CHECK(commands(text_of(fs::path(REPOSITORY) / "compare/driver/commands/help.txt")) == of_program);
}

TEST_CASE(
    "the version names the program, its commit and its schema, and is that of the changelog and of "
    "the citation") {
  Workshop workshop;
  const auto outcome = workshop.run({"--version"});
  CHECK(outcome.exit_code == 0);
  const std::regex form(
      "Kernel Ladder ([0-9.]+)\ncommit (unknown|[0-9a-f]{40})( with changes)?\nschema of "
      "results\\.json [0-9.]+\n");
  std::smatch version;
  REQUIRE(std::regex_match(outcome.out, version, form));
  const auto of = [](const char* file, const char* words) {
    std::ifstream stream(fs::path(REPOSITORY) / file);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    std::smatch found;
    return std::regex_search(text, found, std::regex(words)) ? found[1].str() + ' ' + found[2].str()
                                                             : "";
  };
  const std::string changelog = of("CHANGELOG.md", "\n## ([0-9.]+), ([-0-9]+)\n"),
                    citation =
                        of("CITATION.cff", "\nversion: ([0-9.]+)\ndate-released: ([-0-9]+)\n");
  CHECK(changelog == citation);
  CHECK(changelog.starts_with(version[1].str() + ' '));

  const std::string without_build =
      captured(quoted((fs::path(REPOSITORY) / "ladder").string()) + " --version").text;
  std::smatch same;
  INFO(without_build);
  REQUIRE(std::regex_match(without_build, same, form));
  CHECK(same[1] == version[1]);
  CHECK(without_build.substr(without_build.find("\nschema")) ==
        outcome.out.substr(outcome.out.find("\nschema")));
}

TEST_CASE("no worker at all is said in one sentence") {
  Workshop workshop;
  workshop.environment["LADDER_WORKERS"] = workshop.path("nowhere");
  const auto outcome = workshop.run({"list"});
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
}

TEST_CASE(
    "the kernels of a folder run beside the others, and a set says which they are and of what "
    "commit") {
  Workshop workshop;
  const fs::path with = workshop.path("workers") / "kernels", theirs = workshop.path("theirs");
  fs::create_directories(with);
  fs::create_directories(theirs);
  for (const char* worker : {"worker_host", "worker_emulated"})
    fs::create_symlink(fs::read_symlink(workshop.path("workers") / worker), with / worker);
  std::ofstream(with / "origin.json") << nlohmann::json{{"folder", fs::canonical(theirs)},
                                                        {"from", "theirs"},
                                                        {"commit", std::string(40, 'c')},
                                                        {"dirty", true},
                                                        {"paths", {"handwritten/reduce/better"}}};
  const Workshop::Arguments small = {"--backend", "emulated",   "--operator", "sum",
                                     "--dtype",   "i32",        "--size",     "1000",
                                     "--rung",    "base,better"};
  const auto outcome = workshop.study(small + Workshop::Arguments{"--kernels", theirs});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const reports::Results results = workshop.read();
  REQUIRE(results.kernels);
  CHECK(results.kernels->from == "theirs");
  CHECK(results.kernels->commit == std::string(40, 'c'));
  CHECK(results.kernels->dirty);
  for (const reports::Rung& rung : results.rungs)
    CHECK(rung.from == (rung.rung == "better" ? "theirs" : ""));
  CHECK(results.sources.empty());  // nobody has published them
  fs::create_directories(theirs / "handwritten/reduce");
  std::ofstream(theirs / "handwritten/reduce/better.cu") << "__global__ void better_kernel() {}\n";
  REQUIRE(workshop.study(small + Workshop::Arguments{"--kernels", theirs, "--with-sources"})
              .exit_code == 0);
  const auto sources = workshop.read().sources;
  REQUIRE(sources.size() == 1);
  CHECK(sources[0].path == "handwritten/reduce/better.cu");
  CHECK(sources[0].text == "__global__ void better_kernel() {}\n");
  CHECK(workshop.run({"run", "--with-sources"}).exit_code == 2);  // of which kernels
  const auto listed = workshop.run({"list", "--kernels", theirs});
  CHECK(contains(listed.out, "from theirs"));
  CHECK_FALSE(contains(workshop.run({"list"}).out, "theirs"));

  REQUIRE(workshop.study(small).exit_code == 0);
  CHECK_FALSE(workshop.read().kernels);
  const auto refused = workshop.run({"list", "--kernels", workshop.path("workers")});
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused.err, "were not built with the kernels of"));
  CHECK(is_one_line(refused.err));
  fs::remove(with / "origin.json");  // as before the first build with --kernels
  CHECK(contains(workshop.run({"list", "--kernels", theirs}).err,
                 "were not built with the kernels of"));
}
