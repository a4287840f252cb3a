// `ladder table`, `cite` and `figures` as a user meets them.
#include <fmt/format.h>

#include <fstream>

#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/tests/formats.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

const Workshop::Arguments one_group{"--operator", "sum",    "--dtype",     "i32",       "--size",
                                    "1000",       "--rung", "base,better", "--backend", "host"};

class PaperWorkshop : public Workshop {
 public:
  PaperWorkshop() {
    const auto made = study(one_group);
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
  }
};

}  // namespace

TEST_CASE("table writes every format, to a file too") {
  PaperWorkshop workshop;
  const auto set = workshop.read();
  CHECK(workshop.run({"table", workshop.results(), "--format", "csv"}).out == reports::csv(set));
  CHECK(workshop.run({"table", workshop.results(), "--format", "latex", "--rung", "base"}).out ==
        reports::latex_table(set, {.rungs = {"base"}}));
  for (const char* pattern : {"bas?", "reduce/bas*", "handwritten/reduce/*s[e]", "*/base"})
    CHECK(workshop.run({"table", workshop.results(), "--format", "csv", "--rung", pattern}).out ==
          reports::csv(set, {.rungs = {"base"}}));
  CHECK(workshop.run({"table", workshop.results(), "--format", "csv", "--rung", "handwritten/*"})
            .out == reports::csv(set));
  CHECK(workshop.run({"table", workshop.results() / "results.json"}).out ==
        reports::short_markdown(set));
  const auto written = workshop.run(
      {"table", workshop.results(), "--format", "csv", "--out", workshop.path("cells.csv")});
  CHECK(written.exit_code == 0);
  CHECK(written.out == "table: " + workshop.path("cells.csv").string() + '\n');
  CHECK(text_of(workshop.path("cells.csv")) == reports::csv(set));
  const auto cites = [&](const Workshop::Arguments& selection) {
    Workshop::Arguments words{"cite", workshop.results()};
    words.insert(words.end(), selection.begin(), selection.end());
    return workshop.run(words);
  };
  CHECK(contains(cites({}).out, reports::citation(set)));
  CHECK(cites({}).err.empty());
  CHECK(
      contains(cites({"--rung", "*"}).err,
               "no number is cited, because the options do not choose a single row with a time or "
               "counts"));
  const auto one = cites({"--rung", "base", "--operation", "reduce"});
  CHECK(contains(one.out, "`base` sums "));
  CHECK(one.err.empty());
}

TEST_CASE("without a file these commands take the latest set, where there is one") {
  Workshop workshop;
  const fs::path latest = workshop.path("reports") / "latest";
  workshop.environment["LADDER_PYTHON"] = workshop.path("none");  // which draws no figures
  for (const char* command : {"table", "cite", "figures", "check", "report"}) {
    const auto refused = workshop.run({command});
    CHECK(refused.exit_code == 2);
    CHECK(refused.err ==
          "ladder: there is no result set in " + latest.string() + "; ./ladder makes one\n");
  }
  REQUIRE(workshop.run(Workshop::Arguments{"run"} + one_group).exit_code == 0);
  fs::remove(latest / "report.html");
  for (const char* command : {"table", "cite", "check", "report"}) {
    const auto latest_of = workshop.run({command}), named = workshop.run({command, latest});
    INFO(command << ": " << latest_of.err);
    CHECK(latest_of.exit_code == 0);
    CHECK(latest_of.out == named.out);
  }
  CHECK(fs::exists(latest / "report.html"));
  workshop.run({"figures"});
  CHECK(fs::exists(latest / "figures"));
  fs::remove(latest / "results.json");
  CHECK(contains(workshop.run({"check"}).err, "the set is incomplete"));
}

TEST_CASE("a word that is a name is no pattern") {
  PaperWorkshop workshop;
  auto set = workshop.read();
  for (auto& cell : set.cells)
    if (cell.who.rung == "base") cell.who.rung = "b*";
  write_set(workshop.results() / "results.json", set);
  const auto rows_of = [&](const char* word) {
    return workshop.run({"table", workshop.results(), "--format", "csv", "--rung", word}).out;
  };
  CHECK(rows_of("b*") == reports::csv(workshop.read(), {.rungs = {"b*"}}));
  CHECK(rows_of("b?") == rows_of("b*"));
  CHECK(rows_of("b**") == reports::csv(workshop.read()));
}

TEST_CASE(
    "what a result set does not have is refused by each of the three, with the nearest that it "
    "has") {
  Workshop workshop;  // 2^12 is nearer to 2^16 as a text, and by its difference
  REQUIRE(workshop.study(one_group + Workshop::Arguments{"--size", "2^12,2^19"}).exit_code == 0);
  for (const char* command : {"table", "cite", "figures"}) {
    const auto refused = [&](const Workshop::Arguments& selection, const char* why) {
      Workshop::Arguments words{command, workshop.results()};
      words.insert(words.end(), selection.begin(), selection.end());
      const auto outcome = workshop.run(words);
      INFO(command << ": " << outcome.err);
      CHECK(outcome.exit_code == 2);
      CHECK(is_one_line(outcome.err));
      CHECK(contains(outcome.err, why));
      CHECK(outcome.out.empty());
    };
    refused({"--rung", "bettr"}, "--rung: there is no rung \"bettr\" here; did you mean better?");
    refused({"--rung", "bettr*"}, "--rung: there is no rung \"bettr*\" here; did you mean better?");
    refused({"--operation", "redcue"}, "did you mean reduce?");
    refused({"--operator", "summ"}, "did you mean sum?");
    refused({"--dtype", "i33"}, "did you mean i32?");
    refused({"--size", "2^16"}, "--size: there is no size \"2^16\" here; did you mean 2^19?");
    refused({"--size", "1"}, "--size: there is no size \"1\" here; did you mean 1000?");
  }
  CHECK(contains(workshop.run({"table", workshop.results(), "--format", "latx"}).err,
                 "did you mean latex?"));
  for (const char* width : {"", "x", "39", "nan"})
    CHECK(workshop.run({"figures", workshop.results(), "--width", width}).err ==
          fmt::format("ladder: --width: \"{}\" is not a number of mm from 40 to 400\n", width));
}

TEST_CASE("a figure of several sets needs a folder, takes no selection and tells five sets apart") {
  PaperWorkshop workshop;
  const std::string set = workshop.results();
  CHECK(workshop.run({"figures", set, set}).err ==
        "ladder: a figure of several sets needs a folder of its own: --out DIR\n");
  const std::string out = workshop.path("figures");
  CHECK(workshop.run({"figures", set, set, "--out", out, "--operation", "reduce"}).err ==
        "ladder: a figure of several sets has all operations; leave out the selection\n");
  CHECK(contains(workshop.run({"figures", set, set, set, set, set, set, "--out", out}).err,
                 "name 5 at most"));
  CHECK_FALSE(fs::exists(out));
}

TEST_CASE(
    "figures without what draws them writes the specifications, and says the one command that is "
    "missing") {
  PaperWorkshop workshop;
  const fs::path packages = fs::path(REPOSITORY) / "reports/formats/figures/requirements.txt";
  REQUIRE(fs::exists(packages));
  workshop.environment["LADDER_ROOT"] = REPOSITORY;
  workshop.environment["LADDER_PYTHON"] = workshop.path("none") / "bin" / "python3";
  const auto outcome =
      workshop.run({"figures", workshop.results(), "--out", workshop.path("figures")});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(contains(outcome.err, "pip install --require-hashes -r " + packages.string()));
  for (const auto& [name, text] : reports::paper_figures(workshop.read()))
    CHECK(text_of(workshop.path("figures") / name) == text);
}

TEST_CASE(
    "table makes the folder that it writes into, and never writes over the set that it reads") {
  PaperWorkshop workshop;
  CHECK(workshop
            .run({"table", workshop.results(), "--format", "csv", "--out",
                  workshop.path("new") / "folder" / "cells.csv"})
            .exit_code == 0);
  CHECK(text_of(workshop.path("new") / "folder" / "cells.csv") == reports::csv(workshop.read()));
  const std::string before = text_of(workshop.results() / "results.json");
  const auto refused =
      workshop.run({"table", workshop.results(), "--out", workshop.results() / "results.json"});
  CHECK(refused.exit_code == 2);
  CHECK(is_one_line(refused.err));
  CHECK(contains(refused.err, "is the input; choose another name"));
  CHECK(text_of(workshop.results() / "results.json") == before);
}

TEST_CASE("figures that do not come out are no figures, and leave no picture of other numbers") {
  PaperWorkshop workshop;
  const fs::path tools = workshop.path("tools"), figures = workshop.path("figures");
  fs::create_directories(tools);
  fs::create_directories(figures);
  const auto specifications = reports::paper_figures(workshop.read());
  REQUIRE_FALSE(specifications.empty());
  const std::string name = specifications.begin()->first;
  const fs::path picture = figures / (name.substr(0, name.find(".vl.json")) + ".svg");
  std::ofstream(picture) << "of an earlier run";
  const auto drawn_by = [&](const fs::path& python) {
    workshop.environment["LADDER_PYTHON"] = python;
    const auto outcome = workshop.run({"figures", workshop.results(), "--out", figures});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    return outcome.err;
  };
  // where rsvg-convert and the font are there
  if (!contains(drawn_by("/bin/true"), "which this installs: apt-get")) {
    CHECK(contains(drawn_by("/bin/true"), "the figures cannot be drawn: "));
    CHECK(text_of(picture) == "of an earlier run");
  }
  drawn_by(tools / "none");
  CHECK_FALSE(fs::exists(picture));
  CHECK(text_of(figures / name) == specifications.at(name));
}

TEST_CASE("without a temporary folder figures says which, and how to name another") {
  PaperWorkshop workshop;
  workshop.environment["LADDER_PYTHON"] = "/bin/true";
  workshop.environment["TMPDIR"] = workshop.path("none");
  const auto outcome =
      workshop.run({"figures", workshop.results(), "--out", workshop.path("figures")});
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK((contains(outcome.err, "set TMPDIR to another one") ||
         contains(outcome.err, "which this installs: apt-get")));
}

TEST_CASE("a set that is not sound is cited with a warning, there and on standard error") {
  PaperWorkshop workshop;
  auto set = workshop.read();
  for (auto& cell : set.cells)
    if (cell.timing() != nullptr) cell.outcome.measured()->timing->time_us.ci95_low = 1e9;
  write_set(workshop.results() / "results.json", set);
  for (const char* command : {"cite", "table"}) {
    const auto outcome = workshop.run({command, workshop.results()});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.err, "is not sound; ./ladder check says why"));
    CHECK(contains(outcome.out, "Not sound."));
  }
}
