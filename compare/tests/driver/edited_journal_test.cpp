// A journal that somebody edited, and --resume: it is refused in one sentence before anything is
// measured. So is what no worker should say.
#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/model/json.hpp"

using namespace ladder;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

using Lines = std::vector<json>;

const Workshop::Arguments one_race = {"--backend",  "host", "--dtype", "i32",
                                      "--operator", "sum",  "--size",  "1000,2000",
                                      "--cache",    "cold", "--rung",  "base,better,std_fast"};

json& first(Lines& lines, const std::string& event) {
  return *std::ranges::find_if(lines,
                               [&](const json& line) { return line.value("event", "") == event; });
}

void without(Lines& lines, const std::string& event) {
  std::erase_if(lines, [&](const json& line) { return line.value("event", "") == event; });
}

struct Edit {
  std::string complaint;
  std::function<void(Lines&)> make;
};

Edit set(const std::string& event, const std::string& field, const json& value,
         const std::string& complaint) {
  return {complaint, [=](Lines& lines) { first(lines, event)[json::json_pointer(field)] = value; }};
}

// Names the edit that is refused otherwise, or not at all.
void check_each(const std::vector<Edit>& edits, const Workshop::Arguments& options) {
  Workshop workshop;
  REQUIRE(workshop.study(options).exit_code == 0);
  const fs::path journal = workshop.results() / "journal.jsonl",
                 set = workshop.results() / "results.json";
  const std::string results = text_of(set);
  const auto begun = workshop.begun().size();
  Lines original;
  std::istringstream text(text_of(journal));
  for (std::string line; std::getline(text, line);) original.push_back(json::parse(line));
  const auto resume = [&](const Lines& lines) {
    std::ofstream file(journal);
    for (const json& line : lines) file << line.dump() << '\n';
    file.close();
    Workshop::Arguments again = options;
    again.push_back("--resume");
    return workshop.study(again);
  };
  for (const Edit& edit : edits) {
    Lines lines = original;
    edit.make(lines);
    const Outcome outcome = resume(lines);
    INFO("\"" << edit.complaint << "\" was not said, but\n" << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    CHECK(contains(outcome.err, edit.complaint));
    const bool is_of_a_later_line = contains(outcome.err, "makes no sense");
    CHECK(outcome.err.ends_with(is_of_a_later_line
                                    ? " and --resume, or start afresh with --restart\n"
                                    : "; start afresh with --restart\n"));
    CHECK(workshop.begun().size() == begun);
    CHECK((text_of(set) == results));
  }
  CHECK(resume(original).exit_code == 0);
}

}  // namespace

TEST_CASE("a line of a journal that does not fit the schema of results is refused by its number",
          "[many]") {
  const auto ceiling = [](const char* field, const json& value, const std::string& why) {
    return set("limits", std::string("/ceilings/0/") + field, value,
               "the journal's line 2 makes no sense (/ceilings/0" + why);
  };
  const auto cell = [](const char* field, const json& value, const std::string& why = {}) {
    return set("cell", std::string("/cell/") + field, value,
               " makes no sense (/cell/" + std::string(field) + why);
  };
  const json error{{"ulp_max", 0}, {"relative", 0}, {"bound", -1.0}, {"of_bound", nullptr}},
      clocks{{"sm_mhz_min", -1.0}, {"sm_mhz_max", 5}, {"slowed_by", json::array()}};
  json slowed = clocks;
  slowed["sm_mhz_min"] = 1, slowed["slowed_by"] = json::array({""});
  check_each({ceiling("bandwidth_gbps", -1, "/bandwidth_gbps (-1) does not fit the schema"),
              ceiling("bandwidth_gbps", 0, "/bandwidth_gbps"),
              ceiling("bandwidth_gbps", 1e308, "/bandwidth_gbps"),
              ceiling("bandwidth_gbps", 5e-324, "/bandwidth_gbps"),
              ceiling("bytes", -1, "/bytes"),
              ceiling("bytes", ~0ull, "/bytes"),
              ceiling("bytes", 18446744073709551616.0, "/bytes"),
              ceiling("bytes", 1.5, "/bytes"),
              ceiling("backend", "emulated", "/backend"),
              set("limits", "/overheads/0/of", "x", "(/overheads/0/of"),
              set("limits", "/overheads/0/median_us", -1, "(/overheads/0/median_us"),
              {"(/ceilings has more than 1,000 elements",
               [](Lines& l) {
                 first(l, "limits")["ceilings"] = Lines(2000, first(l, "limits")["ceilings"][0]);
               }},
              set("sample", "/sample/us", 1e-320, "(/sample/us"),
              set("sample", "/sample/us", 1e308, "(/sample/us"),
              cell("flags", {""}),
              cell("flags", {"verified"}),
              cell("flags", Lines(200, "unbounded")),
              cell("sm_cycles", -1.0),
              cell("back_to_back_us", 1e-9),
              cell("minimum_bytes", {{"read", ~0ull}, {"written", 4}}, "/read"),
              cell("minimum_bytes", {{"read", 1e19}, {"written", 4}}, "/read"),
              cell("lost_counts", ~0ull),
              cell("error", error, "/bound"),
              cell("error", json::object()),
              cell("clocks", clocks, "/sm_mhz_min"),
              cell("clocks", slowed, "/slowed_by/0")},
             one_race);
}

TEST_CASE("a journal that contradicts itself or its run is refused", "[many]") {
  const auto lost = [](const std::string& path, const std::string& reason) {
    return json{{"event", "lost"},
                {"group", 0},
                {"path", path},
                {"verdict", "crashed"},
                {"reason", reason}};
  };
  const std::string base = "handwritten/reduce/base";
  check_each(
      {{"line 1 is damaged", [](Lines& l) { l[0]["date"] = "yesterday"; }},
       {"is damaged", [](Lines& l) { l[0]["date"] = 5; }},
       set("limits", "/ceilings", json::array(), "ceilings and overheads"),
       set("limits", "/overheads", json::array(), "ceilings and overheads"),
       set("limits", "/backend", "cuda", "of another backend"),
       set("limits", "/ceilings/0/backend", "cuda", "of another backend"),
       set("sample", "/sample/path", "x", "x is not of its group"),
       set("sample", "/sample/process", 1, "another process"),
       set("sample", "/sample/process", 4294967295, "another process"),
       set("sample", "/sample/order", 4294967295, "not the next sample of its group"),
       set("cell", "/cell/path", "x", "x is not of its group"),
       set("cell", "/cell/verdict", "fail", "nothing says why"),
       set("cell", "/cell/verdict", "expected_wrong", "nothing says why"),
       {"x is not of its group",
        [&](Lines& l) { l.insert(l.begin() + 1, lost("x", "it is gone")); }},
       {"a loss for which there is no reason",
        [&](Lines& l) { l.insert(l.begin() + 1, lost(base, "")); }},
       {"not the next sample of its group",
        [](Lines& l) {
          Lines doubled;
          for (const json& line : l)
            doubled.insert(doubled.end(), line.value("event", "") == "sample" ? 2 : 1, line);
          l = doubled;
        }},
       {"more samples of handwritten/reduce/base than its rule allows",
        [](Lines& l) {
          const auto at = std::ranges::find_if(
              l, [](const json& line) { return line.value("event", "") == "sample"; });
          Lines more(200, *at);
          for (std::size_t i = 0; i < more.size(); ++i) more[i]["sample"]["order"] = i;
          l.insert(l.erase(at), more.begin(), more.end());
        }},
       {"there is no sample of it", [](Lines& l) { without(l, "sample"); }},
       {"there is no outcome of handwritten/reduce/base", [](Lines& l) { without(l, "cell"); }},
       // What only the whole shows:
       set("cell", "/cell/back_to_back_us", 5, "process 0 has a mean back to back"),
       set("cell", "/cell/clocks",
           {{"sm_mhz_min", 5}, {"sm_mhz_max", 5}, {"slowed_by", json::array()}},
           "it has clocks of a GPU"),
       set("cell", "/cell/error/of_bound", 5, "bound")},
      one_race);
}

TEST_CASE(
    "a journal without its ends or its limits is gone on with, and so is one that was cut "
    "anywhere",
    "[many]") {
  Workshop workshop;
  REQUIRE(workshop.study(one_race).exit_code == 0);
  const fs::path journal = workshop.results() / "journal.jsonl";
  Lines original;
  std::istringstream text(text_of(journal));
  for (std::string line; std::getline(text, line);) original.push_back(json::parse(line));
  Workshop::Arguments again = one_race;
  again.push_back("--resume");
  const auto goes_on = [&](const Lines& lines) {
    {
      std::ofstream file(journal);
      for (const json& line : lines) file << line.dump() << '\n';
    }
    const Outcome outcome = workshop.study(again);
    INFO(lines.size() << " lines\n" << outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(workshop.run({"check", workshop.results()}).exit_code == 0);
  };
  for (const char* event : {"done", "limits", "start"}) {
    Lines lines = original;
    without(lines, event);
    if (event == std::string("start")) without(lines, "done");
    goes_on(lines);
  }
  for (std::size_t size = 2; size < original.size(); size += original.size() / 9)
    goes_on({original.begin(), original.begin() + static_cast<std::ptrdiff_t>(size)});
}

TEST_CASE("the refusal of a damaged journal says how to keep the lines before the damage") {
  Workshop workshop;
  REQUIRE(workshop.study(one_race).exit_code == 0);
  const fs::path journal = workshop.results() / "journal.jsonl";
  std::string text = text_of(journal);
  const std::size_t middle = text.find('\n', text.size() / 2) + 1;
  const std::string before = text.substr(0, middle);
  text.replace(middle, 10, 10, '\0');
  std::ofstream(journal) << text;
  Workshop::Arguments again = one_race;
  again.push_back("--resume");
  const std::string refusal = workshop.study(again).err;
  INFO(refusal);
  CHECK((text_of(journal) == text));
  const std::size_t command = refusal.find("sed -i ");
  REQUIRE(command != std::string::npos);
  CHECK(captured(refusal.substr(command, refusal.find(" and --resume") - command)).exit_code == 0);
  CHECK((text_of(journal) == before));
  CHECK(workshop.study(again).exit_code == 0);
  CHECK(text_of(journal).starts_with(before));
  CHECK(workshop.run({"check", workshop.results()}).exit_code == 0);
}

TEST_CASE(
    "what a worker should not say costs its rung, or is said at the end: never is a set that is "
    "not sound a success") {
  const Workshop::Arguments options = {"--backend",  "host", "--dtype", "i32",
                                       "--operator", "sum",  "--size",  "1000",
                                       "--cache",    "cold", "--rung",  "base,better"};
  Workshop workshop;
  SECTION("it forgets a rung") {
    workshop.environment["FAKE_FORGOTTEN"] = "base";
    const Outcome outcome = workshop.study(options);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 1);
    const auto set = workshop.read();
    REQUIRE(set.cells.size() == 2);
    CHECK(set.cells[0].verdict() == reports::Verdict::crashed);
    CHECK(contains(set.cells[0].reason(), "the worker did not report the outcome"));
    CHECK(set.cells[1].passed());
    CHECK(workshop.run({"check", workshop.results()}).exit_code == 0);
  }
  SECTION("it tells of clocks that a CPU does not have") {
    workshop.environment["FAKE_CLOCKED"] = "base";
    const Outcome outcome = workshop.study(options);
    CHECK(outcome.exit_code == 1);
    CHECK(contains(outcome.err,
                   "ladder: this set is not sound: /cells/0 (reduce, sum, i32, n = 1,000, random, "
                   "handwritten/base, host, host_result, "
                   "cold): it has clocks of a GPU, but did not run on one; ./ladder check lists "
                   "all errors\n"));
    CHECK(contains(text_of(workshop.results() / "report.md"), "Not sound"));
    CHECK(workshop.run({"check", workshop.results()}).exit_code == 1);
    CHECK(contains(text_of(workshop.results() / "journal.jsonl"), "\"event\":\"sample\""));
  }
  SECTION("what it describes does not fit the schema") {
    workshop.environment["FAKE_BASE_FOLLOWS"] = std::string(300, 'x');
    const Outcome outcome = workshop.study(options);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "ladder: no results can be written: /rungs/0/follows ("));
    CHECK(outcome.err.ends_with("; the journal holds every sample\n"));
    CHECK(!fs::exists(workshop.results() / "results.json"));
    CHECK(contains(text_of(workshop.results() / "journal.jsonl"), "\"event\":\"sample\""));
  }
}
