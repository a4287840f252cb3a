// What a run writes, and what was there before: nothing of a user's is written through, lost, or
// taken for what it is not.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/results/write_result_set.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/file/compression.hpp"
#include "reports/file/result_file.hpp"
#include "reports/file/sha256.hpp"
#include "reports/formats/figures/figures.hpp"
#include "reports/formats/report.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/flat_table.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

using Arguments = Workshop::Arguments;
using Files = std::map<std::string, std::string>;  // by path in a folder

const Arguments small{"--backend", "emulated", "--operator", "sum",    "--dtype",
                      "i32",       "--size",   "1000",       "--rung", "base,better"};
const Arguments timed{"--backend", "host", "--operator", "sum",  "--dtype", "i32",
                      "--size",    "1000", "--cache",    "cold", "--rung",  "base"};
const Arguments endless{"--backend", "emulated", "--operator", "sum",    "--dtype",
                        "i32",       "--size",   "1000",       "--rung", "hangs"};
// "held" waits at n = 2000 for as long as there is the file that FAKE_HOLD names.
const Arguments held{"--backend", "emulated", "--operator", "sum",    "--dtype",
                     "i32",       "--size",   "1000,2000",  "--rung", "base,held"};

Arguments with(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Files files_in(const fs::path& folder) {
  Files all;
  if (!fs::exists(folder)) return all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) all[fs::relative(entry.path(), folder)] = text_of(entry.path());
  return all;
}

bool is_half_written(const Files::value_type& file) {
  return contains(file.first, ".part");
}

std::string id_in(const fs::path& folder) {
  return reports::read(folder / "results.json").run.id;
}

// A set with samples of its own; in `place`, a folder.
std::string study_in(Workshop& workshop, const fs::path& place, const char* seed) {
  const auto outcome = workshop.run(with({"run", "--out", place, "--seed", seed}, timed));
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return id_in(place);
}

// Of a set in this folder, all but its result file.
reports::Files others_of_set(const fs::path& folder) {
  auto files = reports::report_files(reports::read(folder / "results.json"));
  files["samples.jsonl.bz2"] = text_of(folder / "samples.jsonl.bz2");
  return files;
}

bool is_whole(const fs::path& folder) {
  const auto samples = reports::read_packed(folder / "samples.jsonl.bz2", 1 << 20);
  const auto results = reports::read(folder / "results.json");
  static std::map<std::string, reports::Files> reports_of;
  reports::Files& report = reports_of[results.run.id];
  if (report.empty()) report = reports::report_files(results);
  const auto is_there = [&](const auto& file) {
    return text_of(folder / file.first) == file.second;
  };
  return results.run.samples == reports::sha256(samples) && std::ranges::all_of(report, is_there);
}

// Ctrl-C once this many rungs are done, and one has begun.
Outcome interrupted(Workshop& workshop, const Arguments& options, std::ptrdiff_t rungs) {
  const std::size_t before = workshop.begun().size();
  const pid_t driver = workshop.start(with({"run", "--out", workshop.results()}, options));
  workshop.wait_until_begun(driver, before + 1);  // from here on the journal is its own
  workshop.wait_until(driver, [&] {
    std::istringstream journal(text_of(workshop.results() / "journal.jsonl"));
    std::ptrdiff_t done = 0;
    for (std::string line; std::getline(journal, line);)
      done += contains(line, R"("event":"cell")") ? 1 : 0;
    return done >= rungs;
  });
  kill(driver, SIGINT);
  return workshop.wait(driver);
}

class Held : public Workshop {
 public:
  Held() {
    environment["FAKE_HOLD"] = hold();
    std::ofstream(hold()) << "x";
  }
  fs::path hold() const { return path("hold"); }
  fs::path previous() const { return results() / "previous"; }
};

}  // namespace

TEST_CASE(
    "what somebody laid under a name that was once a temporary file's is neither written nor "
    "waited for") {
  Workshop workshop;
  fs::create_directory(workshop.results());
  const auto victim = workshop.path("victim");
  std::ofstream(victim) << "of a user";
  const bool as_links = GENERATE(true, false);
  for (const char* name :
       {"results.json.part", "report.md.part", "report.html.part", "samples.jsonl.bz2.part"}) {
    const fs::path laid = workshop.results() / name;
    if (as_links) fs::create_symlink(victim, laid);
    else REQUIRE(mkfifo(laid.c_str(), 0600) == 0);
  }
  for (const Arguments& command : {with({"run", "--out", workshop.results()}, small),
                                   Arguments{"report", workshop.results()}}) {
    const auto outcome = workshop.run(command);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(text_of(victim) == "of a user");
  }
}

TEST_CASE(
    "drafts that a killed program left go when their file is written again, and nothing else that "
    "is named like them") {
  Workshop workshop;
  const fs::path folder = workshop.results(), victim = workshop.path("victim");
  REQUIRE(workshop.study(small).exit_code == 0);
  const auto lay = [](const fs::path& file) { std::ofstream(file) << "of a user"; };
  lay(victim);
  for (const char* name :
       {"report.md.12-0.part", "results.json.12-0.part", "samples.jsonl.bz2.7-13.part"})
    lay(folder / name);
  const std::vector<std::string> stay{
      "report.md.part",     "report.md.1-.part",  "report.md.-1.part",  "report.md.1-1.part.gz",
      "thesis.1-1.part",    "report.md.a-1.part", "report.md.3-0.part", "report.md.4-0.part",
      "report.md.5-0.part", "report.md.6-0.part"};
  for (std::size_t i = 0; i < 6; ++i) lay(folder / stay[i]);
  fs::create_symlink(victim, folder / stay[6]);
  REQUIRE(mkfifo((folder / stay[7]).c_str(), 0600) == 0);
  fs::create_directory(folder / stay[8]);
  lay(folder / stay[9]);
  const int at_work = open((folder / stay[9]).c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(flock(at_work, LOCK_EX) == 0);

  CHECK(workshop.run({"report", folder}).exit_code == 0);
  CHECK(!fs::exists(folder / "report.md.12-0.part"));
  CHECK(fs::exists(folder / "results.json.12-0.part"));  // which report does not write
  CHECK(workshop.study(small).exit_code == 0);
  CHECK(!fs::exists(folder / "results.json.12-0.part"));
  CHECK(!fs::exists(folder / "samples.jsonl.bz2.7-13.part"));
  for (const std::string& name : stay) {
    INFO(name);
    CHECK(fs::exists(fs::symlink_status(folder / name)));
  }
  CHECK(text_of(victim) == "of a user");
  close(at_work);
  CHECK(workshop.run({"report", folder}).exit_code == 0);
  CHECK(!fs::exists(folder / stay[9]));
}

TEST_CASE("two drafts of one file do not take each other for one that was left") {
  const Workshop workshop;
  Draft first(workshop.path("file"), "first");
  write_file(workshop.path("file"), "second");
  CHECK(text_of(workshop.path("file")) == "second");
  first.keep();
  CHECK(text_of(workshop.path("file")) == "first");
}

TEST_CASE(
    "what is no regular file is refused under each name that a run writes, before anything is "
    "run") {
  struct Case {
    const char* how;
    std::function<void(const fs::path& victim, const fs::path& laid)> lay;
  };
  const std::string name = GENERATE("results.json", "report.md", "report.html", "report",
                                    "report/reduce.md", "samples.jsonl.bz2", "journal.jsonl",
                                    "previous", "previous/results.json", "previous/report");
  const auto given = GENERATE(values<Case>(
      {{"link",
        [](const fs::path& victim, const fs::path& laid) { fs::create_symlink(victim, laid); }},
       {"dangling",
        [](const fs::path&, const fs::path& laid) { fs::create_symlink("nowhere", laid); }},
       {"pipe",
        [](const fs::path&, const fs::path& laid) { REQUIRE(mkfifo(laid.c_str(), 0600) == 0); }}}));
  Workshop workshop;
  const auto victim = workshop.path("victim"), laid = workshop.results() / name;
  std::ofstream(victim) << "of a user";
  fs::create_directories(laid.parent_path());
  given.lay(victim, laid);
  const auto outcome = workshop.study(small);
  INFO(given.how << " at " << name << ": " << outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(contains(outcome.err, laid.string() + " exists and is not a "));
  CHECK(contains(outcome.err, "; move it away, or choose another folder with --out\n"));
  CHECK(workshop.begun().empty());
  CHECK(text_of(victim) == "of a user");
  CHECK(!fs::is_regular_file(fs::symlink_status(laid)));
}

TEST_CASE("report refuses a file of its own that is no regular file") {
  const std::string name = GENERATE("report.md", "report.html", "report/reduce.md");
  Workshop workshop;
  REQUIRE(workshop.study(small).exit_code == 0);
  const auto out = workshop.path("out of a user"), victim = workshop.path("victim");
  fs::create_directories((out / name).parent_path());
  std::ofstream(victim) << "of a user";
  SECTION("a link") {
    fs::create_symlink(victim, out / name);
  }
  SECTION("a pipe") {
    REQUIRE(mkfifo((out / name).c_str(), 0600) == 0);
  }
  SECTION("a folder") {
    fs::create_directory(out / name);
  }
  const auto outcome = workshop.run({"report", workshop.results(), "--out", out});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err == fmt::format("ladder: {} exists and is not a regular file; move it away, or "
                                   "choose another folder with --out\n",
                                   (out / name).string()));
  CHECK(text_of(victim) == "of a user");
}

TEST_CASE("what is written has the permissions that the user's umask leaves") {
  Workshop workshop;
  const mode_t before = umask(027);
  const auto outcome = workshop.study(small);
  umask(before);
  REQUIRE(outcome.exit_code == 0);
  for (const auto& [name, text] : files_in(workshop.results())) {
    INFO(name);
    CHECK(fs::status(workshop.results() / name).permissions() ==
          (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read));
  }
}

// The program is ended after each step, as kill -9 would: no destructor runs.
TEST_CASE(
    "between any two steps of writing a set, what is on the disk is the earlier set, the new one, "
    "or incomplete by every command",
    "[many]") {
  Workshop workshop;
  const auto folder = workshop.results(), previous = folder / "previous";
  const std::string older = study_in(workshop, workshop.path("older"), "1"),
                    old = study_in(workshop, workshop.path("old"), "2"),
                    fresh = study_in(workshop, workshop.path("fresh"), "3");
  const std::string results = text_of(workshop.path("fresh") / "results.json");
  const reports::Files others = others_of_set(workshop.path("fresh"));
  struct Case {
    const char* what;
    bool has_old, has_older;
    Earlier earlier;
  };
  const auto given =
      GENERATE(values<Case>({{"into an empty folder", false, false, Earlier::replaced},
                             {"over an earlier set", true, false, Earlier::set_aside},
                             {"over two earlier sets", true, true, Earlier::set_aside},
                             {"over the run's own", true, true, Earlier::replaced}}));
  std::set<std::string> seen;
  for (int steps = 0, status = 1; status != 0; ++steps) {
    REQUIRE(steps < 100);
    fs::remove_all(folder);
    fs::create_directory(folder);
    if (given.has_old) fs::copy(workshop.path("old"), folder, fs::copy_options::recursive);
    if (given.has_older)
      fs::copy(workshop.path("older"), previous, fs::copy_options::recursive),
          fs::remove(previous / "journal.jsonl");
    std::ofstream(folder / "journal.jsonl") << "of the run that writes";
    const pid_t child = fork();
    if (child == 0) {
      int left = steps;
      put_in_place(folder, results, others, given.earlier, [&left] {
        if (left-- == 0) kill(getpid(), SIGKILL);
      });
      _exit(0);
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    INFO(given.what << ", ended after step " << steps);
    REQUIRE((status == 0 || WIFSIGNALED(status)));

    const bool is_there = fs::exists(folder / "results.json");
    const std::string id = is_there ? id_in(folder) : "";
    seen.insert(is_there ? id : "incomplete");
    if (is_there) CHECK(is_whole(folder));
    CHECK((!is_there || id == fresh || (given.has_old && id == old)));
    for (const Arguments& command :
         {Arguments{"check", folder},
          Arguments{"report", folder, "--out", workshop.path("elsewhere")},
          Arguments{"compare", folder, folder}, Arguments{"check", folder / "results.json"}}) {
      const auto outcome = workshop.run(command);
      INFO(command[0] << ": " << outcome.err);
      CHECK(outcome.exit_code == (is_there ? 0 : 2));
      CHECK(contains(outcome.err, "the set is incomplete") != is_there);
    }
    const bool is_aside = fs::exists(previous / "results.json");
    if (is_aside) CHECK(is_whole(previous));
    if (is_aside) CHECK((id_in(previous) == old || (given.has_older && id_in(previous) == older)));
    // never nowhere
    if (given.earlier == Earlier::set_aside) CHECK((id == old || id_in(previous) == old));
    if (given.earlier == Earlier::replaced) CHECK(is_aside == given.has_older);
    if (status == 0) CHECK(id == fresh);
    put_in_place(folder, results, others, Earlier::replaced);
    CHECK(std::ranges::none_of(files_in(folder), is_half_written));
  }
  CHECK(seen.contains(fresh));
  CHECK(seen.contains("incomplete"));
  CHECK(seen.contains(old) == given.has_old);
}

TEST_CASE("a set that cannot be put in place leaves nothing half-written, and the earlier set") {
  Workshop workshop;
  study_in(workshop, workshop.results(), "1");
  const auto before = files_in(workshop.results());
  const std::string results = text_of(workshop.results() / "results.json");
  const reports::Files others = others_of_set(workshop.results());
  CHECK_THROWS_AS(put_in_place(workshop.results(), results, others, Earlier::set_aside,
                               [] { throw std::runtime_error("a full disk"); }),
                  std::runtime_error);
  CHECK(files_in(workshop.results()) == before);
}

TEST_CASE(
    "a run into the folder of a finished run keeps the earlier set, one of them, and says so") {
  Workshop workshop;
  const std::string first = study_in(workshop, workshop.results(), "1");
  CHECK(!fs::exists(workshop.results() / "previous"));
  const auto set = files_in(workshop.results());
  const auto again = workshop.study(with(timed, {"--seed", "2"}));
  CHECK(again.exit_code == 0);
  CHECK(contains(again.err, "ladder: the earlier set is kept in " +
                                (workshop.results() / "previous").string() + "\n"));
  const auto aside = files_in(workshop.results() / "previous");
  for (const auto& [name, text] : aside) CHECK(set.at(name) == text);
  CHECK(aside.size() == set.size() - 1);  // all but the journal
  CHECK(aside.contains("report/reduce.md"));
  const std::string second = id_in(workshop.results());
  study_in(workshop, workshop.results(), "3");
  CHECK(id_in(workshop.results() / "previous") == second);
  CHECK(workshop.run({"check", workshop.results() / "previous"}).exit_code == 0);
}

TEST_CASE("pages of an earlier report go with it, and nothing else that lies beside them") {
  Workshop workshop;
  study_in(workshop, workshop.results(), "1");
  const auto pages = workshop.results() / "report",
             aside = workshop.results() / "previous" / "report";
  for (const char* name : {"other_operation.md", "thesis.txt"}) std::ofstream(pages / name) << name;
  study_in(workshop, workshop.results(), "2");
  CHECK(text_of(aside / "other_operation.md") == "other_operation.md");
  CHECK(!fs::exists(pages / "other_operation.md"));
  CHECK(text_of(pages / "thesis.txt") == "thesis.txt");
  CHECK(!fs::exists(aside / "thesis.txt"));
  study_in(workshop, workshop.results(), "3");
  CHECK(fs::exists(aside / "reduce.md"));
}

TEST_CASE("a picture beside a report is shown where its specification has the rows of the set") {
  Workshop workshop;
  study_in(workshop, workshop.results(), "1");
  const auto results = workshop.read();
  const auto rows =
      reports::figure_rows("ladder", reports::flat(results),
                           reports::telling_key(results.cells, reports::Order(results)));
  const auto reports_picture = [&] {
    REQUIRE(workshop.run({"report", workshop.results()}).exit_code == 0);
    return contains(text_of(workshop.results() / "report.md"),
                    "\n\n![The ladder of reduce](figures/reduce-ladder.svg)\n\n");
  };
  const auto shown = [&](const std::string& specification) {
    fs::create_directories(workshop.results() / "figures");
    std::ofstream(workshop.results() / "figures" / "reduce-ladder.vl.json") << specification;
    return reports_picture();
  };
  const std::string right = reports::specification("ladder", rows, "light").dump();
  CHECK(!shown(right));  // there is no picture
  std::ofstream(workshop.results() / "figures" / "reduce-ladder.svg") << "<svg/>";
  CHECK(shown(right));
  for (const char* wrong : {"", "{", "[]", "5", "{\"data\":[]}", "{\"data\":{\"values\":[]}}"})
    CHECK(!shown(wrong));

  const fs::path packed = workshop.results() / "figures" / "reduce-ladder.vl.json.bz2";
  std::ofstream(packed) << reports::packed(right);
  CHECK(!shown("{}"));  // where both are there, the plain one
  fs::remove(workshop.results() / "figures" / "reduce-ladder.vl.json");
  CHECK(reports_picture());
  fs::resize_file(packed, 20);
  CHECK(!reports_picture());
}

TEST_CASE("a compressed set is kept too, and what else lies in previous/") {
  Workshop workshop;
  const std::string first = study_in(workshop, workshop.results(), "1");
  fs::create_directory(workshop.results() / "previous");
  std::ofstream(workshop.results() / "previous" / "thesis.txt") << "of a user";
  const std::string packed = reports::packed(text_of(workshop.results() / "results.json"));
  fs::remove(workshop.results() / "results.json");
  std::ofstream(workshop.results() / "results.json.bz2", std::ios::binary) << packed;
  CHECK(study_in(workshop, workshop.results(), "2") != first);
  CHECK(reports::read(workshop.results() / "previous" / "results.json.bz2").run.id == first);
  CHECK(!fs::exists(workshop.results() / "results.json.bz2"));
  CHECK(text_of(workshop.results() / "previous" / "thesis.txt") == "of a user");
}

TEST_CASE("a run that was interrupted before its first row leaves the finished set as it was") {
  Workshop workshop;
  study_in(workshop, workshop.results(), "1");
  auto before = files_in(workshop.results());
  const auto outcome = interrupted(workshop, endless, 0);
  CHECK(outcome.exit_code == 130);
  CHECK(outcome.out.empty());
  CHECK(contains(outcome.err,
                 "ladder: interrupted before the first row was done, so there is no report"));
  auto after = files_in(workshop.results());
  before.erase("journal.jsonl"), after.erase("journal.jsonl");
  CHECK(after == before);
}

TEST_CASE(
    "an interrupted run sets the finished set aside, goes on in its own, and never pushes a "
    "finished set out by an unfinished one") {
  Held workshop;
  const std::string finished = study_in(workshop, workshop.results(), "1");
  REQUIRE(interrupted(workshop, held, 2).exit_code == 130);
  const std::string part = id_in(workshop.results());
  CHECK(!workshop.read().run.complete);
  CHECK(id_in(workshop.previous()) == finished);

  SECTION("it goes on") {
    fs::remove(workshop.hold());
    CHECK(workshop.study(with(held, {"--resume"})).exit_code == 0);
    CHECK(workshop.read().run.complete);
    CHECK(id_in(workshop.previous()) == finished);
    CHECK(workshop.study(with(held, {"--resume"})).exit_code == 0);  // nothing is left to do
    CHECK(id_in(workshop.previous()) == finished);
  }
  SECTION("another run begins") {
    const auto refused = workshop.study(small);
    CHECK(refused.exit_code == 2);
    CHECK(id_in(workshop.results()) == part);
    CHECK(workshop.study(with(small, {"--restart"})).exit_code == 0);
    CHECK(id_in(workshop.previous()) == finished);
  }
  SECTION("another run begins, and the unfinished set was compressed") {
    const std::string packed = reports::packed(text_of(workshop.results() / "results.json"));
    fs::remove(workshop.results() / "results.json");
    std::ofstream(workshop.results() / "results.json.bz2", std::ios::binary) << packed;
    CHECK(workshop.study(with(small, {"--restart"})).exit_code == 0);
    CHECK(id_in(workshop.previous()) == finished);
  }
}

TEST_CASE("an unfinished journal is kept until --restart, and the refusal says what to type") {
  Held workshop;
  const auto folder = workshop.path("reports") / "latest";
  const pid_t driver = workshop.start(held);  // without a command and --out, as ./ladder
  workshop.wait_until(
      driver, [&] { return contains(text_of(folder / "journal.jsonl"), "\"event\":\"cell\""); });
  workshop.kill_and_wait(driver);
  const std::string journal = text_of(folder / "journal.jsonl");

  for (const Arguments& options : {held, small, Arguments{}}) {
    const auto refused = workshop.run(options);
    CHECK(refused.exit_code == 2);
    CHECK(refused.err ==
          fmt::format("ladder: {} holds an unfinished run; ./ladder --backend emulated --operator "
                      "sum --dtype i32 --size 1000,2000 --rung base,held "
                      "--resume continues it, --restart drops it and begins again\n",
                      folder.string()));
    CHECK(text_of(folder / "journal.jsonl") == journal);
  }
  fs::remove(workshop.hold());
  const auto begun = workshop.begun().size();
  SECTION("--resume goes on, and the next run needs neither") {
    CHECK(workshop.run(with(held, {"--resume"})).exit_code == 0);
    CHECK(workshop.begun().size() < begun + 4);
    CHECK(workshop.run(held).exit_code == 0);
  }
  SECTION("--restart begins again, and is in no command that is to be typed") {
    CHECK(workshop.run(with(held, {"--restart"})).exit_code == 0);
    CHECK(workshop.begun().size() == begun + 4);
    CHECK(!contains(reports::read(folder / "results.json").run.command, "--restart"));
    CHECK(workshop.run(held).exit_code == 0);
  }
  SECTION("both at once are refused") {
    CHECK(workshop.run(with(held, {"--restart", "--resume"})).exit_code == 2);
  }
}

TEST_CASE("a folder whose name is no UTF-8 is written to and read from") {
  Workshop workshop;
  const fs::path folder = workshop.path("caf\xe9 \xff");
  const auto said = [&](const Arguments& command, int exit_code) {
    const auto outcome = workshop.run(command);
    INFO(command[0] << ": " << outcome.err);
    CHECK(outcome.exit_code == exit_code);
    CHECK_FALSE(contains(outcome.err, "exception"));
    return outcome;
  };
  said(with({"run", "--out", folder}, small), 0);
  said(with({"run", "--resume", "--out", folder}, small), 0);
  said(with({"run", "--out", folder}, small), 0);
  CHECK(id_in(folder / "previous") != "");
  said({"check", folder}, 0);
  CHECK(nlohmann::json::parse(said({"check", folder, "--json"}, 0).out)["sound"] == true);
  said({"report", folder}, 0);
  said({"compare", folder, folder, "--json"}, 0);
  said({"check", folder / "no such file \xfe"}, 2);
}
