// `ladder check` as a user meets it: what it says, its exit codes, and files made to harm.
#include <fmt/format.h>
#include <sys/stat.h>
#include <algorithm>
#include <fstream>
#include <functional>
#include <regex>
#include <utility>

#include "compare/driver/disk/write_files.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/file/compression.hpp"
#include "reports/file/result_file.hpp"
#include "reports/file/sha256.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/soundness/soundness.hpp"
#include "reports/tests/report_in_page.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

// A workshop with a small study in results().
class Studied : public Workshop {
 public:
  Studied() {
    const auto outcome =
        study({"--backend", "host", "--dtype", "i32", "--operator", "sum", "--size", "1000,2000",
               "--cache", "cold", "--rung", "base,better,std_fast,std_even,small"});
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
  }

  fs::path samples() const { return results() / "samples.jsonl.bz2"; }

  std::string unpacked() const { return reports::read_packed(samples(), 1 << 20); }

  // Other samples, to which the results bear witness.
  void replace_samples(const std::string& text) const {
    write_file(samples(), reports::packed(text));
    auto set = read();
    set.run.samples = reports::sha256(text);
    write_set(results() / "results.json", set);
  }
};

reports::Time& time_of_first(reports::Results& set) {
  return set.cells.at(0).outcome.measured()->timing.value().time_us;
}

}  // namespace

TEST_CASE("what a study writes is sound, and so is what its samples make of it") {
  Studied workshop;
  const auto outcome = workshop.run({"check", workshop.results()});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK_FALSE(contains(outcome.out, "errors\n"));
  CHECK(contains(outcome.out, "sound: 10 rows, 0 errors, "));
  CHECK(contains(outcome.out, "; samples: checked\n"));
  CHECK(outcome.out.ends_with(
      "\nNo check can detect a forgery whose numbers all fit each other. Samples beside\n"
      "the set make one harder, and ./ladder compare with a run of your own shows it.\n"));

  fs::remove(workshop.samples());
  const auto alone = workshop.run({"check", workshop.results() / "results.json", "--json"});
  CHECK(alone.exit_code == 0);
  const auto json = nlohmann::json::parse(alone.out);
  CHECK(json["sound"] == true);
  CHECK(json["rows"] == 10);
  CHECK(json["errors"].empty());
  CHECK(json["samples"] == "not beside the file");
  const nlohmann::json missed{
      {"where", workshop.samples().string()},
      {"what", "there is no such file, so no time was checked against its samples"}};
  CHECK(std::ranges::count(json["warnings"], missed) == 1);
}

TEST_CASE("a set that is not sound: exit code 1, a line for each error, then the verdict") {
  Studied workshop;
  const fs::path file = workshop.results() / "results.json";
  auto set = workshop.read();
  time_of_first(set).samples = 2;
  write_set(file, set);
  const auto outcome = workshop.run({"check", file});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out,
                 "errors\n  /cells/0 (reduce, sum, i32, n = 1,000, random, handwritten/base, host, "
                 "host_result, cold): 2 samples in 3 processes\n"));
  CHECK(contains(outcome.out, "time_us/samples is 2, the samples make 27\n"));
  CHECK(contains(outcome.out, "\nnot sound: 10 rows, 2 errors, "));
  const auto json = nlohmann::json::parse(workshop.run({"check", file, "--json"}).out);
  CHECK(json["sound"] == false);
  CHECK(json["errors"].size() == 2);
  CHECK(json["errors"][0]["what"] == "2 samples in 3 processes");
}

TEST_CASE(
    "check says on how many inputs a library is faster, and holds the report beside it to that") {
  Workshop workshop;
  workshop.add_gpu();
  REQUIRE(workshop
              .study({"--backend", "cuda", "--dtype", "i32", "--operator", "sum", "--size", "1024",
                      "--cache", "cold", "--rung", "base,std_fast"})
              .exit_code == 0);
  const fs::path file = workshop.results() / "results.json",
                 page = workshop.results() / "report.md";
  fs::remove(workshop.results() / "samples.jsonl.bz2");
  CHECK_FALSE(contains(workshop.run({"check", file}).out, "targets: "));
  CHECK(nlohmann::json::parse(workshop.run({"check", file, "--json"}).out)["targets"].empty());

  auto set = workshop.read();
  for (auto& cell : set.cells)
    if (cell.who.rung == "base") cell.who.rung = "packed";
  for (auto& card : set.rungs)
    if (card.rung == "base") card.rung = "packed";
  write_set(file, set);
  const auto text = workshop.run({"check", file});
  INFO(text.out << text.err);
  CHECK(std::regex_search(
      text.out,
      std::regex(
          "\ntargets: faster on \\d+ of \\d+ inputs?, slower on \\d+, no difference shown on "
          "\\d+\nNo check ")));
  const auto json = nlohmann::json::parse(workshop.run({"check", file, "--json"}).out)["targets"];
  REQUIRE(json.size() == 1);
  const auto& one = json[0];
  CHECK(one["operation"] == "reduce");
  CHECK(one["n"] == "below 2^14");
  CHECK(one["input"]["n"] == 1024);
  CHECK(one["rung"]["rung"] == "packed");
  CHECK(one["against"]["rung"] == "std_fast");
  CHECK(one["lowest"]["ci95_low"].is_number());
  CHECK(one["faster"].get<int>() + one["slower"].get<int>() +
            one["no_difference_shown"].get<int>() ==
        1);

  const auto complaint = [&] {
    return contains(workshop.run({"check", file}).out,
                    page.string() + ": its table of targets does not match the set");
  };
  REQUIRE(workshop.run({"report", file}).exit_code == 0);
  REQUIRE(fs::exists(page));
  CHECK_FALSE(complaint());
  const std::string edited =
      std::regex_replace(text_of(page), std::regex("below 2\\^14"), "2^14 to 2^20");
  std::ofstream(page) << edited;
  CHECK(complaint());
}

TEST_CASE("a file edited by hand is not sound: by its id, or by the schema") {
  Studied workshop;
  const fs::path file = workshop.results() / "results.json";
  auto document = nlohmann::json::parse(text_of(file));
  document["run"]["seed"] = 2;
  std::ofstream(file) << document;
  const auto edited = workshop.run({"check", file});
  CHECK(edited.exit_code == 1);
  CHECK(
      contains(edited.out,
               "  /run/id: it is not the hash of the content, which was changed after the run\n"));

  document["cells"][0]["input"]["n"] = "many";
  std::ofstream(file) << document;
  const auto misshapen = workshop.run({"check", file});
  CHECK(misshapen.exit_code == 1);
  CHECK(contains(
      misshapen.out,
      "  the schema: /cells/0/input/n (\"many\") is not of the type that the schema asks for\n"));
  CHECK(contains(misshapen.out, "samples: not read"));
}

TEST_CASE("what does not follow from the samples is not sound") {
  Studied workshop;
  const fs::path file = workshop.results() / "results.json";
  auto set = workshop.read();
  set.cells[1].outcome.measured()->timing.value().ratios.vs_followed.value().value *= 2;
  write_set(file, set);
  const auto ratio = workshop.run({"check", file});
  CHECK(ratio.exit_code == 1);
  CHECK(contains(ratio.out, "ratios/vs_followed/value is "));
  CHECK(contains(ratio.out, ", the samples make "));

  set = workshop.read();
  set.cells[1].outcome.measured()->timing.value().processes.at(2).time_us *= 1.0001;
  reports::derive(set);  // then nothing in the file is at odds
  write_set(file, set);
  const auto median = workshop.run({"check", file});
  CHECK(median.exit_code == 1);
  CHECK(contains(median.out, "processes/2/time_us is "));
}

TEST_CASE("a compressed set is found in its folder, and is worth what it was") {
  Studied workshop;
  const fs::path plain = workshop.results() / "results.json",
                 compressed = workshop.results() / "results.json.bz2",
                 report = workshop.results() / "report.md";
  const std::string text = text_of(plain), rendered = text_of(report);
  write_file(workshop.path("plain.json"), text);
  write_file(compressed, reports::packed(text));
  fs::remove(plain);
  fs::remove(report);
  const auto check = workshop.run({"check", workshop.results()});
  INFO(check.out << check.err);
  CHECK(check.exit_code == 0);
  CHECK(contains(check.out, "sound: 10 rows, 0 errors, "));
  CHECK(contains(check.out, "; samples: checked\n"));
  CHECK(workshop.run({"check", compressed}).out == check.out);
  CHECK(workshop.run({"report", workshop.results()}).exit_code == 0);
  CHECK(text_of(report) == rendered);
  const auto compare = workshop.run({"compare", workshop.path("plain.json"), workshop.results()});
  INFO(compare.out << compare.err);
  CHECK(compare.exit_code == 0);
  CHECK(contains(compare.out, "times: 8 compared, 0 faster, 0 slower, 8 no difference shown"));

  write_file(compressed, "not the set");  // where there is a results.json, it is the one
  write_file(plain, text);
  CHECK(workshop.run({"check", workshop.results()}).out == check.out);
}

TEST_CASE("a compressed set that is cut off is refused in one sentence") {
  Studied workshop;
  const std::string packed = reports::packed(text_of(workshop.results() / "results.json"));
  fs::remove(workshop.results() / "results.json");
  write_file(workshop.results() / "results.json.bz2", packed.substr(0, packed.size() / 2));
  for (const char* command : {"check", "report"}) {
    const auto outcome = workshop.run({command, workshop.results()});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    CHECK(contains(outcome.err, "results.json.bz2: "));
  }
}

TEST_CASE("more errors than anyone reads are counted") {
  Studied workshop;
  auto set = workshop.read();
  const reports::Cell first = set.cells[0];
  const reports::Rung card = set.rungs[0];
  REQUIRE(card.rung == first.who.rung);
  time_of_first(set).samples = 0;
  const reports::Cell wrong = std::exchange(set.cells[0], first);
  for (int i = 0; i < 200; ++i) {
    set.rungs.push_back(card), set.cells.push_back(wrong);
    set.rungs.back().rung = set.cells.back().who.rung = fmt::format("copy{}", i);
  }
  write_set(workshop.results() / "results.json", set);
  fs::remove(workshop.samples());
  const auto outcome = workshop.run({"check", workshop.results()});
  CHECK(contains(outcome.out, "  and 100 more, all of them with --json\n"));
  CHECK(contains(outcome.out, " 200 errors, "));
}

TEST_CASE("samples that are not those of the results", "[many]") {
  Studied workshop;
  const std::string text = workshop.unpacked();
  const std::size_t second_line = text.find('\n') + 1, us = text.find(":[") + 2;
  const std::string first_group = text.substr(0, second_line),
                    without_times = first_group.substr(0, first_group.find(",\"us\":")) + "}\n";
  const auto with = [&](const std::string& old, const std::string& in_its_place) {
    std::string changed = text;
    changed.replace(changed.find(old), old.size(), in_its_place);
    return changed;
  };
  const auto with_times = [&](const std::string& path, const std::string& times) {
    return with("\"us\":{", fmt::format("\"us\":{{\"handwritten/reduce/{}\":{},", path, times));
  };
  struct Case {
    std::string text, complaint;
  };
  const std::vector<Case> cases{
      {"", "there is a time, and no sample of it"},
      {without_times, "makes no sense: a group without a sample"},
      {without_times + text, "makes no sense: a group without a sample"},
      {text + first_group, "makes no sense: a group that appears twice"},
      {with("\"seed\":1", "\"seed\":2"),
       "line 1 makes no sense: a group with another seed than the run"},
      {with("\"offset\":0", "\"offset\":3"), "n = 1,000, random, displaced by 3, handwritten/"},
      {with("\"counters\":false", "\"counters\":true"),
       "line 1 makes no sense: a group that is not timed as it should be"},
      {with("{\"backend\"", "{\"approved\":\"yes\",\"backend\""),
       "line 1 makes no sense: an unknown field"},
      {with("\"op\":\"sum\"", "\"op\":\"" + std::string(50'000, 'x') + "\""), "makes no sense: "},
      {first_group, "processes has 3 elements, the samples make 1"},
      {text.substr(0, us) + "9" + text.substr(us), "processes/0/time_us is "},
      {"{}\n" + text, "line 1 makes no sense: a field is missing, or not what it should be"},
      {"[]\n" + text, "line 1 makes no sense: a field is missing, or not what it should be"},
      {with("\"max_samples\":100", "\"max_samples\":99"),
       "line 1 makes no sense: a group whose rule is not in /run/efforts"},
      {with("\"min_samples\":10", "\"min_samples\":11"),
       "line 1 makes no sense: a group whose rule is not in /run/efforts"},
      {with("\"process\":0", "\"process\":3"),
       "line 1 makes no sense: a group whose rule is not in /run/efforts"},
      {with_times("none", "[1]"),
       "a sample of reduce, sum, i32, n = 1,000, random, handwritten/none, host, host_result, "
       "cold, "
       "which is no row of the results"},
      {with_times("new", "[null]"), "a field is missing, or not what it should be"},
      {with_times("new", "7"), "a field is missing, or not what it should be"},
      {with_times("base", "[1]"), "twice in one object"},
      {with("\"us\":{", "\"us\":[7],\"u\":{"), "a field is missing, or not what it should be"},
      {text + "{\"backend\": \"host\"}\n", "makes no sense: "},
      {text + "[]\n", "makes no sense: "},
      {text + "{\"path\": 7}\n", "makes no sense: "},
      {text + "\x1b[31m\n", "makes no sense: "},
      {text + std::string(20'000, '[') + '\n', "makes no sense: it is nested too deeply"},
      {text + std::string(2'000'000, '['), "is longer than any sample"},
      {text + std::string(2'000'000, '[') + '\n', "is longer than any sample"},
  };
  for (const Case& given : cases) {
    workshop.replace_samples(given.text);
    const auto outcome = workshop.run({"check", workshop.results()});
    INFO(given.complaint << ": " << outcome.out << outcome.err);
    CHECK(outcome.exit_code == 1);
    CHECK(contains(outcome.out, given.complaint));
    CHECK_FALSE(contains(outcome.out, "\x1b"));
  }
  for (const char* no_number : {"01", "+1", ".5", "5.", "0x1", "inf", "-1", "1e"}) {
    workshop.replace_samples(text.substr(0, us) + no_number + text.substr(text.find(',', us)));
    INFO(no_number);
    CHECK(contains(workshop.run({"check", workshop.results()}).out, "line 1 makes no sense: "));
  }
  workshop.replace_samples(text);
  const auto sound = workshop.run({"check", workshop.results()});
  CHECK(sound.exit_code == 0);
  // the same in JSON
  workshop.replace_samples(std::regex_replace(text, std::regex("\":"), "\" : "));
  CHECK(workshop.run({"check", workshop.results()}).out == sound.out);
  // a last line without its end is a line
  workshop.replace_samples(text.substr(0, text.size() - 1));
  CHECK(workshop.run({"check", workshop.results()}).exit_code == 0);
}

TEST_CASE("no rule lets a rung take more samples than its most") {
  Studied workshop;
  std::string text = workshop.unpacked();
  auto set = workshop.read();
  set.run.efforts.at(0).min_samples = set.run.efforts[0].max_samples = 8;
  for (reports::Cell& cell : set.cells)
    if (cell.timing() != nullptr) cell.outcome.measured()->timing->time_us.samples = 24;
  write_set(workshop.results() / "results.json", set);
  for (const auto& [old, now] : {std::pair("\"max_samples\":100", "\"max_samples\":8"),
                                 std::pair("\"min_samples\":10", "\"min_samples\":8")})
    for (std::size_t at = text.find(old); at != text.npos; at = text.find(old))
      text.replace(at, std::string(old).size(), now);
  workshop.replace_samples(text);
  const auto outcome = workshop.run({"check", workshop.results()});
  INFO(outcome.out);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "makes no sense: more than 8 samples of handwritten/reduce/"));
}

TEST_CASE(
    "a set that agrees with itself is held against its samples: a forger has to change them too") {
  Studied workshop;
  const auto original = workshop.read();
  const std::size_t library = [&] {
    for (std::size_t i = 0; i < original.cells.size(); ++i)
      if (original.cells[i].who.rung == "std_fast") return i;
    return original.cells.size();
  }();
  const auto timing = [](reports::Cell& cell) -> reports::Timing& {
    return cell.outcome.measured()->timing.value();
  };
  const auto slower = [&](reports::Cell& cell, double factor) {
    reports::Timing& its = timing(cell);
    for (reports::ProcessMedian& one : its.processes) one.time_us *= factor;
    for (auto which : {&reports::Time::min, &reports::Time::p5, &reports::Time::p25,
                       &reports::Time::p75, &reports::Time::p95, &reports::Time::max})
      its.time_us.*which *= factor;
  };
  struct Forgery {
    std::string complaint;
    std::function<void(reports::Results&)> commit;
  };
  const std::vector<Forgery> forgeries{
      {"time_us/p5 is ",
       [&](auto& set) { timing(set.cells[0]).time_us.p5 = timing(set.cells[0]).time_us.min; }},
      {"time_us/max is ", [&](auto& set) { timing(set.cells[0]).time_us.max *= 2; }},
      {"time_us/outliers is 1, the samples make 0",
       [&](auto& set) { timing(set.cells[0]).time_us.outliers = 1; }},
      {"time_us/samples is 30, the samples make 27",
       [&](auto& set) { timing(set.cells[0]).time_us.samples = 30; }},
      {"processes has 2 elements, the samples make 3",
       [&](auto& set) { timing(set.cells[0]).processes.pop_back(); }},
      {"processes has 2 elements, the samples make 3",
       [&](auto& set) { timing(set.cells[library]).processes.pop_back(); }},
      {"processes/0/time_us is ", [&](auto& set) { slower(set.cells[library], 1.3); }},
      {"handwritten/base, host, host_result, cold, which is no row of the results",
       [](auto& set) { set.cells.erase(set.cells.begin()); }},
      {"there is a time, and no sample of it",
       [&](auto& set) {  // a second library, as fast as the fastest
         set.cells.push_back(set.cells[library]);
         reports::Rung& twin = set.rungs.emplace_back();
         twin.operation = "reduce", twin.provider = "std", twin.rung = "std_twin";
         set.cells.back().who.rung = "std_twin";
       }},
  };
  for (const Forgery& forgery : forgeries) {
    auto set = original;
    forgery.commit(set);
    reports::derive(set);
    write_set(workshop.results() / "results.json", set);
    CHECK(reports::soundness(set).sound());
    const auto outcome = workshop.run({"check", workshop.results()});
    INFO(forgery.complaint << ": " << outcome.out << outcome.err);
    CHECK(outcome.exit_code == 1);
    CHECK(contains(outcome.out, forgery.complaint));
  }
}

TEST_CASE(
    "a row without a time that was sampled all the same draws a warning: a competitor may have "
    "been hidden") {
  Studied workshop;
  auto set = workshop.read();
  const auto fastest =
      std::ranges::find(set.cells, "std_fast", [](const reports::Cell& c) { return c.who.rung; });
  const auto [verdict, name] = GENERATE(std::pair{reports::Verdict::skipped, "skipped"},
                                        std::pair{reports::Verdict::crashed, "crashed"});
  fastest->outcome = reports::Failure{verdict, "it needs too much memory"};
  reports::derive(set);
  write_set(workshop.results() / "results.json", set);
  const auto outcome = workshop.run({"check", workshop.results()});
  INFO(outcome.out);
  CHECK(outcome.exit_code == 0);
  CHECK(
      contains(outcome.out, fmt::format("the verdict is {}, and there are samples of it\n", name)));
}

TEST_CASE(
    "a set that does not follow from its samples is named as unsound wherever it is used, and a "
    "report begins with that") {
  Studied workshop;
  auto set = workshop.read();
  time_of_first(set).max *= 2;
  reports::derive(set);
  write_set(workshop.results() / "results.json", set);
  const std::string not_sound = "ladder: " + (workshop.results() / "results.json").string() +
                                " is not sound; ./ladder check says why\n";
  const auto report = workshop.run({"report", workshop.results()});
  CHECK(report.exit_code == 0);
  CHECK(contains(report.err, not_sound));
  CHECK(text_of(workshop.results() / "report.md")
            .starts_with("# Kernel Ladder report\n\n> [!WARNING]\n> **Not sound.** ./ladder check "
                         "finds 1 error. The first, at /cells/0 (reduce, sum, "));
  const std::string page = text_of(workshop.results() / "report.html");
  CHECK(reports::report_in(page)["warnings"][0]["what"] == "Not sound");
  CHECK(contains(workshop.run({"compare", workshop.results(), workshop.results()}).err, not_sound));

  fs::remove(workshop.samples());
  CHECK(workshop.run({"report", workshop.results()}).err.empty());
  CHECK_FALSE(contains(text_of(workshop.results() / "report.md"), "Not sound"));
}

TEST_CASE(
    "samples without end, and no room for them, are refused in one sentence, and make no set "
    "unsound",
    "[memory]") {
  Studied workshop;
  const auto refused = [&](const std::string& why) {
    const auto outcome = workshop.run({"check", workshop.results()});
    INFO(outcome.out << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(is_one_line(outcome.err));
    CHECK(contains(outcome.err, why));
  };
  const std::string packed = text_of(workshop.samples());
  write_file(workshop.samples(),
             reports::packed(workshop.unpacked() + std::string(200u << 20, ' ')));
  refused("samples.jsonl.bz2: it holds more than 160 MiB, which no file of a study does; ");
  CHECK(workshop.run({"report", workshop.results()}).exit_code == 0);

  write_file(workshop.samples(), packed);
  const std::string padding(60u << 20, ' ');
  std::ofstream(workshop.results() / "results.json", std::ios::app) << padding;
  CHECK(workshop.run({"check", workshop.results()}).exit_code == 0);
  workshop.memory = padding.size() / 2;
  refused("there is not enough memory to read it");
}

TEST_CASE("a file of samples that is another, damaged, or none") {
  Studied workshop;
  const auto packed = text_of(workshop.samples());
  const auto complaint = [&] {
    const auto outcome = workshop.run({"check", workshop.results()});
    CHECK(outcome.exit_code == 1);
    return outcome.out;
  };
  std::ofstream(workshop.samples(), std::ios::binary) << packed.substr(0, packed.size() / 2);
  const auto cut_off = complaint();
  CHECK(contains(cut_off, "it is damaged or cut off"));
  CHECK(contains(cut_off, "samples: not checked: the errors say why\n"));
  std::ofstream(workshop.samples(), std::ios::binary) << "not packed";
  CHECK(contains(complaint(), "their hash is not the one in /run/samples"));
  fs::remove(workshop.samples());
  fs::create_directory(workshop.samples());
  CHECK(contains(complaint(), "it is not a regular file"));
  fs::remove(workshop.samples());
  fs::create_symlink("nowhere", workshop.samples());
  CHECK(contains(complaint(), "it is a link to a file that is not there"));
  fs::remove(workshop.samples());
  REQUIRE(mkfifo(workshop.samples().c_str(), 0600) == 0);  // would be waited for without end
  CHECK(contains(complaint(), "it is not a regular file"));
}

TEST_CASE("what a file says never commands the terminal") {
  Studied workshop;
  auto set = workshop.read();
  set.cells[0].who.rung =
      "\x1b[2J\xc2\x9b"
      "31m\nsound: 1 row";
  time_of_first(set).samples = 0;
  write_set(workshop.results() / "results.json", set);
  for (const auto& command : std::vector<Workshop::Arguments>{
           {"check", workshop.results()}, {"check", workshop.results(), "--json"}}) {
    const auto outcome = workshop.run(command);
    INFO(outcome.out);
    CHECK(outcome.exit_code == 1);
    CHECK_FALSE(contains(outcome.out, "\x1b"));
    CHECK_FALSE(contains(outcome.out, "\x9b"));
    CHECK_FALSE(contains(outcome.out, "\nsound"));
  }
}
