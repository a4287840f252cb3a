// The journal and what is read back from it.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <system_error>

#include "compare/driver/errors.hpp"
#include "compare/driver/record.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"

using namespace ladder;
using nlohmann::json;
using Mode = Journal::Mode;

namespace {

const json run{{"identity", {{"seed", 1}}}, {"command", "./ladder"}};

Plan plan_of_one(bool timed) {
  Group group;
  group.backend = timed ? "host" : "emulated";
  group.problem = {.operation = "reduce", .op = "sum", .dtype = "i32", .n = 1000, .distribution = "random"};
  if (timed) {
    group.contract = "host_result";
    group.cache = "cold";
  }
  group.effort.processes = timed ? 2 : 1;
  for (const char* name : {"a", "b"}) {
    protocol::Listing rung;
    rung.path = name;
    group.rungs.push_back(rung);
  }
  return {1, {group}};
}

protocol::MeasuredCell passed(const std::string& path) {
  protocol::MeasuredCell cell;
  cell.path = path;
  cell.verdict = "pass";
  return cell;
}

}  // namespace

TEST_CASE("a resumed journal gives back what was appended; a fresh one starts empty") {
  Workshop workshop;
  { Journal(workshop.results(), run, Mode::fresh).append({{"event", 1}}); }
  {
    Journal resumed(workshop.results(), run, Mode::resume);
    CHECK(resumed.earlier() == std::vector<json>{{{"event", 1}}});
    resumed.append({{"event", 2}});
  }
  CHECK(Journal(workshop.results(), run, Mode::resume).earlier().size() == 2);
  CHECK(Journal(workshop.results(), run, Mode::fresh).earlier().empty());
  CHECK(Journal(workshop.results(), run, Mode::resume).earlier().empty());
}

TEST_CASE("resuming where no journal is starts one") {
  Workshop workshop;
  CHECK(Journal(workshop.results(), run, Mode::resume).earlier().empty());
  CHECK(json::parse(text_of(workshop.results() / "journal.jsonl")) == run);
}

TEST_CASE("a torn last line is dropped, and the next one stands on its own") {
  Workshop workshop;
  { Journal(workshop.results(), run, Mode::fresh).append({{"event", 1}}); }
  const std::string torn = GENERATE("{", "{\"event\": 2}", "\xff\xfe");
  { std::ofstream(workshop.results() / "journal.jsonl", std::ios::app) << torn; }
  { Journal(workshop.results(), run, Mode::resume).append({{"event", 3}}); }
  CHECK(Journal(workshop.results(), run, Mode::resume).earlier() == std::vector<json>{{{"event", 1}}, {{"event", 3}}});
}

TEST_CASE("a journal torn in its first line starts again") {
  Workshop workshop;
  std::filesystem::create_directory(workshop.results());
  { std::ofstream(workshop.results() / "journal.jsonl") << run.dump().substr(0, 10); }
  { Journal(workshop.results(), run, Mode::resume).append({{"event", 1}}); }
  CHECK(Journal(workshop.results(), run, Mode::resume).earlier().size() == 1);
}

TEST_CASE("a journal that is damaged or of another run is refused and left as it is") {
  Workshop workshop;
  std::filesystem::create_directory(workshop.results());
  const std::string text = GENERATE(as<std::string>{}, "{\"identity\":{\"seed\":2}}\n", "{}\n", "[]\n", "rubbish\n", run.dump() + "\nrubbish\n",
                                    run.dump() + "\n\n", run.dump() + "\n17\n");
  { std::ofstream(workshop.results() / "journal.jsonl") << text; }
  CHECK_THROWS_AS(Journal(workshop.results(), run, Mode::resume), UsageError);
  CHECK(text_of(workshop.results() / "journal.jsonl") == text);
}

TEST_CASE("a journal that is no file is refused, not waited for") {
  Workshop workshop;
  const Mode mode = GENERATE(Mode::resume, Mode::fresh);
  std::filesystem::create_directory(workshop.results());
  const auto journal = workshop.results() / "journal.jsonl";
  REQUIRE(mkfifo(journal.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(Journal(workshop.results(), run, mode), journal.string() + " is not a regular file; choose another folder with --out");
}

TEST_CASE("a journal is one driver's at a time") {
  Workshop workshop;
  const Journal first(workshop.results(), run, Mode::fresh);
  CHECK_THROWS_AS(Journal(workshop.results(), run, Mode::fresh), UsageError);
  CHECK_THROWS_AS(Journal(workshop.results(), run, Mode::resume), UsageError);
  CHECK(json::parse(text_of(workshop.results() / "journal.jsonl")) == run);
}

TEST_CASE("a journal that can grow no further says so") {
  Workshop workshop;
  const pid_t child = fork();  // limits are for a whole process
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      Journal journal(workshop.results(), run, Mode::fresh);
      journal.append({{"event", std::string(200, 'x')}});
    } catch (const std::system_error&) {
      _exit(7);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("a record read back is the record that was written") {
  Workshop workshop;
  const Plan plan = plan_of_one(true);
  {
    Journal journal(workshop.results(), run, Mode::fresh);
    Record record(plan, journal);
    record.backend("host", json::array());
    record.start(0, 0);
    record.sample(0, 0, {"a", 12.5, 0, 0});
    record.cell(0, 0, passed("a"));
    record.lost(0, "b", {"crashed", "bytes that are no text: \xff"});
    record.done(0, 0);
  }
  Journal journal(workshop.results(), run, Mode::resume);
  const Record record(plan, journal);
  CHECK(record.has_backend("host"));
  CHECK(!record.has_backend("cuda"));
  CHECK(record.is_done(0, 0));
  CHECK(!record.is_done(0, 1));
  REQUIRE(record.races(0)[0].samples.at("a").size() == 1);
  CHECK(record.races(0)[0].samples.at("a")[0].us == 12.5);
  CHECK(record.races(0)[0].cells.at("a").verdict == "pass");
  CHECK(record.losses(0).at("b").verdict == "crashed");
  CHECK(record.remaining(0, 1) == std::vector<std::string>{"a"});  // what was lost once is not tried again
}

TEST_CASE("an attempt at a race voids the one before; counts stay") {
  Workshop workshop;
  const bool timed = GENERATE(true, false);
  const Plan plan = plan_of_one(timed);
  Journal journal(workshop.results(), run, Mode::fresh);
  Record record(plan, journal);
  record.start(0, 0);
  record.sample(0, 0, {"a", 1, 0, 0});
  record.cell(0, 0, passed("a"));
  CHECK(record.remaining(0, 0) == (timed ? std::vector<std::string>{"a", "b"} : std::vector<std::string>{"b"}));
  record.start(0, 0);
  CHECK(record.races(0)[0].samples.empty() == timed);
  CHECK(record.races(0)[0].cells.empty() == timed);
}

TEST_CASE("events that make no sense are refused") {
  Workshop workshop;
  const Plan plan = plan_of_one(true);
  const json event = GENERATE(
      as<json>{}, json{{"event", "start"}, {"group", 1}, {"process", 0}}, json{{"event", "start"}, {"group", 0}, {"process", 2}},
      json{{"event", "start"}, {"group", -1}, {"process", 0}}, json{{"event", "start"}, {"group", "0"}, {"process", 0}},
      json{{"event", "party"}, {"group", 0}, {"process", 0}},
      json{{"event", "lost"}, {"group", 0}, {"path", "a"}, {"verdict", "bored"}, {"reason", ""}}, json{{"group", 0}}, json{{"event", 1}},
      json{{"event", "sample"}, {"group", 0}, {"process", 0}, {"sample", protocol::Sample{"a", -1, 0, 0}}},
      json{{"event", "sample"}, {"group", 0}, {"process", 0}, {"sample", protocol::Sample{"a", std::numeric_limits<double>::infinity(), 0, 0}}},
      json{{"event", "cell"}, {"group", 0}, {"process", 0}, {"cell", protocol::MeasuredCell{}}});
  { Journal(workshop.results(), run, Mode::fresh).append(event); }
  Journal journal(workshop.results(), run, Mode::resume);
  INFO(event.dump());
  const auto start_afresh = Catch::Matchers::EndsWith("); start afresh without --resume");
  CHECK_THROWS_WITH(Record(plan, journal), Catch::Matchers::StartsWith("the journal's line 2 makes no sense (") && start_afresh);
  CHECK_THROWS_WITH(Record(plan, journal), !Catch::Matchers::ContainsSubstring("exception") && !Catch::Matchers::ContainsSubstring("vector"));
}
