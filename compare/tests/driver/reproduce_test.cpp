// `ladder reproduce` as a user meets it, with workers of straw: they take the same times and count
// the same in every run.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <regex>
#include <set>

#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/file/result_file.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/derived_numbers.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

using Change = std::function<void(reports::Results&)>;

// Without the ends of lines, which depend on the folder's name.
std::string in_one_line(const std::string& text) {
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

// A set that somebody has published, of this machine of straw: three rungs and a library, timed
// with two states of the cache, and counted.
class Published : public Workshop {
 public:
  explicit Published(const Arguments& more = {}) {
    Arguments options{"--operator", "sum",  "--dtype", "i32",
                      "--size",     "1000", "--rung",  "base,better,best,std_fast"};
    options.insert(options.end(), more.begin(), more.end());
    const auto made = study(options);
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    fs::remove(path("log"));
  }

  // Of each rung one process is 0.2 % slower, and one faster, so that the interval of its ratio has
  // a width.
  fs::path set(const Change& change = [](auto&) {}) {
    reports::Results results = read();
    for (reports::Cell& cell : results.cells)
      if (cell.timing() != nullptr && cell.who.provider == "handwritten")
        for (auto& one : cell.outcome.measured()->timing->processes)
          one.time_us *= 1 + 0.002 * (one.process - 1.0);
    change(results);
    reports::derive(results);
    fs::create_directories(path("published"));
    write_set(path("published") / "results.json", results);
    return path("published");
  }

  Outcome reproduce(const fs::path& file, const Arguments& more = {}) {
    Arguments words{"reproduce", file, "--out", path("again")};
    words.insert(words.end(), more.begin(), more.end());
    Outcome outcome = run(words);
    outcome.out = in_one_line(outcome.out);
    return outcome;
  }
};

void slow_down_libraries(reports::Results& set) {
  for (reports::Cell& cell : set.cells) {
    if (cell.timing() == nullptr || cell.who.provider != "std") continue;
    reports::Timing& timing = *cell.outcome.measured()->timing;
    reports::Time& t = timing.time_us;
    for (double* us : {&t.min, &t.p5, &t.p25, &t.p75, &t.p95, &t.max}) *us *= 1.05;
    for (auto& process : timing.processes) process.time_us *= 1.05;
  }
}

reports::Cell& counted(reports::Results& set) {
  for (reports::Cell& cell : set.cells)
    if (cell.counters() != nullptr) return cell;
  throw std::logic_error("nothing was counted");
}

std::set<std::string> keys(const reports::Results& set) {
  std::set<std::string> all;
  for (const reports::Cell& cell : set.cells) all.insert(nlohmann::json(cell.key()).dump());
  return all;
}

}  // namespace

TEST_CASE("a set is reproduced by the same program on the same machine, row by row") {
  Published workshop;
  const auto outcome = workshop.reproduce(workshop.set());
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out,
                 " reproduced: the ratios of 6 of 6 rows agree (100.0 %; where nothing has "
                 "changed, about 95 % agree) and the "
                 "counts of 4 of 4 rows are equal to the digit "));
  CHECK(contains(outcome.out, " commit, machine and software are the same "));
  const auto run = reports::read(workshop.path("again") / "results.json");
  CHECK(keys(run) == keys(workshop.read()));
  CHECK(run.run.efforts == workshop.read().run.efforts);
  const std::string text = text_of(workshop.path("again") / "reproduction.txt"),
                    rows = in_one_line(text);
  CHECK(contains(
      rows, "handwritten/base, host, host_result, cold: ratio 0.0625x, here 0.0625x: agrees, "));
  CHECK(contains(rows, "handwritten/best, emulated: counts are equal "));
  CHECK(widest_line(text) <= 80 + workshop.path("published").string().size());

  const auto again = workshop.reproduce(workshop.set());  // its text is one of the files of its set
  CHECK(again.exit_code == 0);
  CHECK(text_of(workshop.path("again") / "previous" / "reproduction.txt") == text);
}

TEST_CASE("a set whose libraries took 1.05 times as long is not reproduced") {
  Published workshop;
  const auto outcome = workshop.reproduce(workshop.set(slow_down_libraries));
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, " not reproduced: the ratios of 0 of 6 rows agree (0.0 %;"));
  CHECK(contains(outcome.out, "cold: ratio 0.0656x, here 0.0625x: differs, 0.95"));
}

TEST_CASE("a count that is off by one is named, and the set is not reproduced") {
  Published workshop;
  const auto one_more = [](auto& set) {
    counted(set).outcome.measured()->counters->global_load_bytes = 4001;
  };
  const auto outcome = workshop.reproduce(workshop.set(one_more));
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out,
                 "handwritten/base, emulated: differs: global_load_bytes 4001, here 4000 "));
  CHECK_FALSE(contains(outcome.out, "handwritten/better, emulated: counts"));
  CHECK(contains(outcome.out, "the counts of 3 of 4 rows are equal to the digit "));
  CHECK_FALSE(contains(outcome.out, "counts depend on the rungs and on the compiler"));

  const auto by_another = workshop.reproduce(workshop.set(
      [&](auto& set) { one_more(set), set.software.emulated_compiler = "hay compiler"; }));
  CHECK(by_another.exit_code == 1);
  CHECK(contains(by_another.out, " emulated_compiler: hay compiler, here straw compiler "));
  CHECK(contains(by_another.out, "counts depend on the rungs and on the compiler"));
}

TEST_CASE("a row that passed there and fails here is a difference") {
  Published workshop;
  workshop.environment["FAKE_FORGOTTEN"] = "better";
  const auto outcome = workshop.reproduce(workshop.set());
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out,
                 "handwritten/better, emulated: differs: pass, here crashed: the worker"));
  CHECK(contains(outcome.out, "3 rows have another outcome "));
}

TEST_CASE("what is chosen is run, and the libraries that its ratios need") {
  Published workshop;
  const auto outcome = workshop.reproduce(
      workshop.set(), {"--operation", "red*", "--rung", "bes?", "--size", "1000"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "reproduced: the ratios of 2 of 2 rows agree"));
  CHECK(contains(outcome.out, "the counts of 1 of 1 row are equal"));
  std::set<std::string> rungs;
  for (const reports::Cell& cell : reports::read(workshop.path("again") / "results.json").cells)
    rungs.insert(std::string(name_of(cell.how.backend)) + ' ' + cell.who.rung);
  CHECK(rungs == std::set<std::string>{"emulated best", "host best", "host std_fast"});

  const auto refused = workshop.reproduce(workshop.set(), {"--size", "2000"});
  CHECK(refused.exit_code == 2);
  CHECK(is_one_line(refused.err));
}

TEST_CASE(
    "of a backend and of a rung that are not here the reason is said, and the others are "
    "reproduced") {
  Published workshop;
  const auto file = workshop.set([](auto& set) {
    for (reports::Cell& cell : set.cells)
      if (cell.who.rung == "best") cell.who.rung = "gone";
    for (reports::Rung& rung : set.rungs)
      if (rung.rung == "best") rung.rung = "gone";
  });
  fs::remove(workshop.path("workers") / "worker_emulated");
  const auto outcome = workshop.reproduce(file);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, " 2: host has no handwritten/reduce/gone here "));
  CHECK(contains(outcome.out, " 4: emulated does not run here: its worker program was not built"));
  CHECK(contains(outcome.out, " reproduced: the ratios of 4 of 4 rows agree"));
  CHECK(contains(outcome.out, "6 rows were not run here "));

  const auto nothing = workshop.reproduce(file, {"--rung", "gone"});
  CHECK(nothing.exit_code == 2);
  CHECK(is_one_line(nothing.err));
  CHECK(contains(nothing.err, "can be run here; the first: "));
}

TEST_CASE("what is no set is refused with a sentence, before anything runs") {
  Published workshop;
  std::ofstream(workshop.path("cut.json"))
      << text_of(workshop.results() / "results.json").substr(0, 1000);
  std::ofstream(workshop.path("another.json")) << "{}";
  const auto of_no_machine = workshop.set([](auto& set) { set.rungs.push_back(set.rungs[0]); });
  for (const fs::path& file : {workshop.path("cut.json"), workshop.path("another.json"),
                               workshop.path("nowhere"), of_no_machine}) {
    const auto refused = workshop.reproduce(file);
    INFO(refused.err);
    CHECK(refused.exit_code == 2);
    CHECK((is_one_line(refused.err) || file == of_no_machine));
    CHECK(refused.out.empty());
  }
  CHECK(workshop.begun().empty());
}

TEST_CASE("a row that contradicts itself in the set is not reproduced") {
  Published workshop;
  const auto file = workshop.set();
  auto set = reports::read(file / "results.json");
  for (reports::Cell& cell : set.cells)
    if (cell.who.rung == "best" && cell.timing() != nullptr)
      cell.outcome.measured()->timing->ratios.vs_fastest_library->value *= 1.0001;
  write_set(file / "results.json", set);
  const auto outcome = workshop.reproduce(file);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.err, "is not sound; ./ladder check says why"));
  CHECK(contains(outcome.out, "2 rows of the set contradict themselves"));
}

TEST_CASE("an interrupted reproduction is resumed") {
  Published workshop({"--backend", "host", "--rung", "held", "--size", "2000"});
  const auto file = workshop.set();
  workshop.environment["FAKE_HOLD"] = workshop.path("hold");
  std::ofstream(workshop.path("hold")) << "x";
  const pid_t driver = workshop.start({"reproduce", file, "--out", workshop.path("again")});
  workshop.wait_until(driver, [&] {
    return !workshop.begun().empty() && contains(workshop.begun().back(), "2000 held");
  });
  kill(driver, SIGINT);
  CHECK(workshop.wait(driver).exit_code == 130);
  const auto before = workshop.begun().size();
  fs::remove(workshop.path("hold"));
  const auto outcome = workshop.reproduce(file, {"--resume"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(workshop.begun().size() > before);
  const auto begun = workshop.begun();
  // with the cache cold and warm, before the interruption
  CHECK(std::ranges::count(begun, "i32 1000 base 0") == 2);
}
