// The journal and what is read back from it.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "compare/driver/study/record.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"

using namespace ladder;
using nlohmann::json;
using Mode = Journal::Mode;

namespace {

const json run{{"identity", {{"seed", 1}}}, {"command", "./ladder"}};

Plan plan_of_one(bool timed) {
  Group group;
  group.backend = timed ? reports::Backend::host : reports::Backend::emulated;
  group.problem = {
      .operation = "reduce", .op = "sum", .dtype = "i32", .n = 1000, .distribution = "random"};
  if (timed) {
    group.contract = Contract::host_result;
    group.cache = reports::Cache::cold;
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
  cell.verdict = reports::Verdict::pass;
  return cell;
}

}  // namespace

TEST_CASE("a resumed journal gives back what was appended, one that starts again is empty") {
  Workshop workshop;
  { Journal(workshop.results(), run, Mode::fresh).append({{"event", 1}}); }
  {
    Journal resumed(workshop.results(), run, Mode::resume);
    CHECK(resumed.earlier() == std::vector<std::string_view>{R"({"event":1})"});
    resumed.append({{"event", 2}});
  }
  CHECK(Journal(workshop.results(), run, Mode::resume).earlier().size() == 2);
  CHECK(Journal(workshop.results(), run, Mode::restart).earlier().empty());
  CHECK(Journal(workshop.results(), run, Mode::resume).earlier().empty());
}

TEST_CASE("a fresh journal takes the place of a finished one and of an empty one, of no other") {
  Workshop workshop;
  const auto file = workshop.results() / "journal.jsonl";
  const std::string first = run.dump() + '\n',
                    sample = R"({"event":"start"})"
                             "\n",
                    written = R"({"event":"written","finished":false,"id":""})"
                              "\n",
                    finished = R"({"event":"written","finished":true,"id":""})"
                               "\n";
  std::filesystem::create_directory(workshop.results());
  for (const std::string& nothing_lost :
       {std::string(), first, first.substr(0, 9), first + sample.substr(0, 9),
        first + sample + written + finished}) {
    { std::ofstream(file) << nothing_lost; }
    CHECK(Journal(workshop.results(), run, Mode::fresh).earlier().empty());
    CHECK(text_of(file) == first);
  }
  for (const std::string& unfinished :
       {first + sample, first + written, first + finished + sample, "rubbish\nrubbish\n" + sample,
        first + finished + "[]\n", first + finished + std::string(100'000, '[') + '\n'}) {
    { std::ofstream(file) << unfinished; }
    CHECK_THROWS_WITH(Journal(workshop.results(), run, Mode::fresh),
                      Catch::Matchers::ContainsSubstring(" holds an unfinished run; ") &&
                          Catch::Matchers::ContainsSubstring(" --resume continues it") &&
                          Catch::Matchers::ContainsSubstring("--restart"));
    CHECK(text_of(file) == unfinished);
  }
  for (const char* const of_a_user :
       {"thesis", "{\"my\":\"only line\"}\n", "{\"my\":\"torn line\""}) {
    { std::ofstream(file) << of_a_user; }
    CHECK_THROWS_WITH(
        Journal(workshop.results(), run, Mode::fresh),
        Catch::Matchers::ContainsSubstring(" is not the journal of a run; move it away"));
    CHECK_THROWS_AS(Journal(workshop.results(), run, Mode::resume), UsageError);
    CHECK(text_of(file) == of_a_user);
  }
  // whole, so that it can be typed
  const std::string command = "./ladder run --size " + std::string(5'000, '1');
  {
    std::ofstream(file) << json{{"identity", {{"seed", 1}}}, {"command", command}}.dump() + '\n' +
                               sample;
  }
  CHECK_THROWS_WITH(Journal(workshop.results(), run, Mode::fresh),
                    Catch::Matchers::ContainsSubstring(command + " --resume"));
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
  CHECK(Journal(workshop.results(), run, Mode::resume).earlier() ==
        std::vector<std::string_view>{R"({"event":1})", R"({"event":3})"});
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
  const std::string deep = std::string(60'000, '[') + std::string(60'000, ']');
  const std::string text =
      GENERATE_COPY(as<std::string>{},
                    R"({"identity":{"seed":2},"command":"./ladder"})"
                    "\n",
                    R"({"identity":{"seed":1},"command":5})"
                    "\n",
                    R"({"identity":{"seed":1}})"
                    "\n",
                    "{}\n", "[]\n", "rubbish\n", run.dump() + "\nrubbish\n", run.dump() + "\n\n",
                    run.dump() + "\n17\n", run.dump() + '\n' + std::string(100'000, '[') + '\n',
                    run.dump() + "\n{\"event\":" + deep + "}\n", "{\"identity\":" + deep + "}\n",
                    "line one\nline two, torn", run.dump() + "\nrubbish\n{\"event\"");
  { std::ofstream(workshop.results() / "journal.jsonl") << text; }
  CHECK_THROWS_AS(Journal(workshop.results(), run, Mode::resume), UsageError);
  CHECK(text_of(workshop.results() / "journal.jsonl") == text);
}

TEST_CASE("a journal that is no file of its own is refused, not waited for and not written to") {
  Workshop workshop;
  const Mode mode = GENERATE(Mode::resume, Mode::fresh, Mode::restart);
  std::filesystem::create_directory(workshop.results());
  const auto journal = workshop.results() / "journal.jsonl", other = workshop.path("other");
  { std::ofstream(other) << "of a user"; }
  const auto refused = [&](const std::string& why) {
    CHECK_THROWS_WITH(
        Journal(workshop.results(), run, mode),
        journal.string() + why + "; move it away, or choose another folder with --out");
    CHECK(text_of(other) == "of a user");
    std::filesystem::remove(journal);
  };
  REQUIRE(mkfifo(journal.c_str(), 0600) == 0);
  refused(" exists and is not a regular file");
  std::filesystem::create_symlink(other, journal);
  refused(" exists and is not a regular file");
  std::filesystem::create_symlink(workshop.path("nowhere"), journal);
  refused(" exists and is not a regular file");
  CHECK(!std::filesystem::exists(workshop.path("nowhere")));
  std::filesystem::create_hard_link(other, journal);
  refused(" is not a regular file with one name");
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
    record.add(event::Limits{reports::Backend::host, {}, {}});
    record.add(event::Start{0, 0});
    record.add(event::Sampled{0, 0, {"a", 12.5, 0, 0}});
    record.add(event::Measured{0, 0, passed("a")});
    record.add(event::Lost{0, "b", reports::Verdict::crashed, "bytes that are no text: \xff"});
    record.add(event::Done{0, 0});
  }
  Journal journal(workshop.results(), run, Mode::resume);
  const Record record(plan, journal);
  CHECK(record.has_limits(reports::Backend::host));
  CHECK(!record.has_limits(reports::Backend::cuda));
  CHECK(record.is_done(0, 0));
  CHECK(!record.is_done(0, 1));
  REQUIRE(record.contests(0)[0].samples.at("a").size() == 1);
  CHECK(record.contests(0)[0].samples.at("a")[0].us == 12.5);
  CHECK(record.contests(0)[0].cells.at("a").verdict == reports::Verdict::pass);
  CHECK(record.losses(0).at("b").verdict == reports::Verdict::crashed);
  // what was lost once is not tried again
  CHECK(record.remaining(0, 1) == std::vector<std::string>{"a"});
}

TEST_CASE("an attempt at a race voids the one before, counts stay") {
  Workshop workshop;
  const bool timed = GENERATE(true, false);
  const Plan plan = plan_of_one(timed);
  Journal journal(workshop.results(), run, Mode::fresh);
  Record record(plan, journal);
  record.add(event::Start{0, 0});
  if (timed) record.add(event::Sampled{0, 0, {"a", 1, 0, 0}});
  record.add(event::Measured{0, 0, passed("a")});
  CHECK(record.remaining(0, 0) ==
        (timed ? std::vector<std::string>{"a", "b"} : std::vector<std::string>{"b"}));
  record.add(event::Start{0, 0});
  CHECK(record.contests(0)[0].samples.empty());
  CHECK(record.contests(0)[0].cells.empty() == timed);
}

TEST_CASE("every kind of event is read back as what it was") {
  const reports::Backend host = reports::Backend::host;
  protocol::MeasuredCell cell = passed("a");
  cell.minimum_bytes = {4000, 4};
  cell.back_to_back_us = 1.5;
  const std::vector<std::pair<std::string, Event>> events{
      {"limits", event::Limits{host,
                               {{host, reports::Access::copy, reports::Memory::cache, 1000, 2.5}},
                               {{host, Contract::host_result, "no kernel", 0.5}}}},
      {"start", event::Start{3, 1}},
      {"sample", event::Sampled{3, 1, {"a", 12.5, 7, 1}}},
      {"cell", event::Measured{3, 1, cell}},
      {"lost", event::Lost{3, "a", reports::Verdict::timeout, "it hangs"}},
      {"done", event::Done{3, 1}},
      {"written", event::Written{"sha256:0", true}}};
  REQUIRE(events.size() == std::variant_size_v<Event>);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto& [name, one] = events[i];
    INFO(name);
    CHECK(one.index() == i);
    const json line = to_line(one);
    CHECK(line["event"] == name);
    const Event again = from_line(json::parse(line.dump()));
    CHECK(again.index() == i);
    CHECK(to_line(again) == line);
  }
  CHECK(to_line(events[0].second)["ceilings"][0]["memory"] == "cache");
  CHECK(to_line(events[3].second)["cell"]["minimum_bytes"]["read"] == 4000);
  CHECK(to_line(events[4].second)["verdict"] == "timeout");
}

TEST_CASE("a line that is not an event is refused by its own words") {
  json lost = to_line(event::Lost{0, "a", reports::Verdict::crashed, ""}),
       done = to_line(event::Done{0, 0});
  lost["verdict"] = "bored", done["process"] = -1;
  CHECK_THROWS_WITH(
      from_line(lost),
      Catch::Matchers::StartsWith("the field \"verdict\": there is no \"bored\" among pass "));
  CHECK_THROWS_WITH(from_line(done),
                    "the field \"process\": is not a whole number from 0 to 4294967295");
  done = to_line(event::Done{0, 0}), done["group"] = -1;
  CHECK_THROWS_WITH(from_line(done),
                    "the field \"group\": is not a whole number from 0 to 18446744073709551615");
  done["group"] = 0U, done["event"] = "party";
  CHECK_THROWS_WITH(from_line(done), "there is not an event \"party\"");
}

TEST_CASE("an event that cannot be is refused, and not written down") {
  Workshop workshop;
  const Plan plan = plan_of_one(true);
  {
    Journal journal(workshop.results(), run, Mode::fresh);
    Record record(plan, journal);
    protocol::MeasuredCell ended = passed("a");
    ended.verdict = reports::Verdict::crashed;
    const Event impossible = GENERATE_COPY(values<Event>(
        {event::Measured{0, 0, ended}, event::Lost{0, "a", reports::Verdict::pass, ""},
         event::Lost{0, "a", reports::Verdict::skipped, ""},
         event::Sampled{0, 0, {"a", 0, 0, 0}}}));
    CHECK_THROWS_AS(record.add(impossible), std::invalid_argument);
  }
  CHECK(Journal(workshop.results(), run, Mode::resume).earlier().empty());
}

TEST_CASE("events that make no sense are refused") {
  Workshop workshop;
  const Plan plan = plan_of_one(true);
  json ended_by_itself = passed("a");
  ended_by_itself["verdict"] = "crashed";
  const json event = GENERATE_COPY(
      as<json>{}, json{{"event", "start"}, {"group", 1}, {"process", 0}},
      json{{"event", "start"}, {"group", 0}, {"process", 2}},
      json{{"event", "start"}, {"group", -1}, {"process", 0}},
      json{{"event", "start"}, {"group", "0"}, {"process", 0}},
      json{{"event", "party"}, {"group", 0}, {"process", 0}},
      json{{"event", "lost"}, {"group", 0}, {"path", "a"}, {"verdict", "bored"}, {"reason", ""}},
      json{{"event", "lost"}, {"group", 0}, {"path", "a"}, {"verdict", "pass"}, {"reason", ""}},
      json{{"event", "lost"}, {"group", 0}, {"path", "a"}, {"verdict", 4}, {"reason", ""}},
      json{{"event", "lost"}, {"group", -1}, {"path", "a"}, {"verdict", "crashed"}, {"reason", ""}},
      json{{"event", "limits"},
           {"backend", "straw"},
           {"ceilings", json::array()},
           {"overheads", json::array()}},
      json{{"event", "limits"}, {"backend", "host"}, {"ceilings", 1}, {"overheads", json::array()}},
      json{{"event", "done"}, {"group", 0}, {"process", -1}}, json{{"group", 0}},
      json{{"event", 1}},
      json{{"event", "sample"},
           {"group", 0},
           {"process", 0},
           {"sample", protocol::Sample{"a", -1, 0, 0}}},
      json{{"event", "sample"},
           {"group", 0},
           {"process", 0},
           {"sample", protocol::Sample{"a", std::numeric_limits<double>::infinity(), 0, 0}}},
      json{{"event", "cell"}, {"group", 0}, {"process", 0}, {"cell", ended_by_itself}});
  { Journal(workshop.results(), run, Mode::fresh).append(event); }
  Journal journal(workshop.results(), run, Mode::resume);
  INFO(event.dump());
  const auto start_afresh =
      Catch::Matchers::EndsWith(" and --resume, or start afresh with --restart");
  CHECK_THROWS_WITH(
      Record(plan, journal),
      Catch::Matchers::StartsWith("the journal's line 2 makes no sense (") && start_afresh);
  CHECK_THROWS_WITH(Record(plan, journal), !Catch::Matchers::ContainsSubstring("exception") &&
                                               !Catch::Matchers::ContainsSubstring("vector"));
}
