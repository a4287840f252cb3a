// `ladder completion`: what the scripts complete, in the shells themselves.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>

#include "compare/driver/commands/completion.hpp"
#include "compare/driver/terminal/shell.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"

using namespace ladder;

namespace {

using Words = std::set<std::string>;

Words lines_of(const std::string& text) {
  Words all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) all.insert(line);
  return all;
}

Words matches_in(const std::string& text, const char* form, int group = 1) {
  const std::regex searched(form, std::regex::multiline);
  return {std::sregex_token_iterator(text.begin(), text.end(), searched, group),
          std::sregex_token_iterator()};
}

// A checkout with the script of each shell.
class Completed : public Workshop {
 public:
  Completed() {
    environment["LADDER_ROOT"] = REPOSITORY;
    for (const std::string shell : shells) {
      const auto printed = run({"completion", shell});
      REQUIRE(printed.exit_code == 0);
      REQUIRE(printed.err.empty());
      std::ofstream(path(shell)) << printed.out;
    }
    std::filesystem::create_directories(path("there/apart"));
    std::ofstream(path("there/apart.json")) << "{}";
  }

  // What commands say in this shell.
  Said said(const std::string& shell, const std::string& commands) const {
    std::ofstream(path("commands")) << commands;
    return captured(fmt::format("cd {} && HOME={} LADDER_WORKERS={} {} {}", path("there").string(),
                                path("").string(), environment.at("LADDER_WORKERS"), shell,
                                path("commands").string()));
  }

  Words in_bash(const std::string& line) const {
    std::string words;
    for (const std::string& word : std::vector<std::string>(
             std::sregex_token_iterator(line.begin(), line.end(), space_, -1), {}))
      words += quoted(word) + ' ';
    if (line.ends_with(' ')) words += "''";
    return lines_of(
        said("bash",
             fmt::format(
                 "source {}\nCOMP_WORDS=({})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n_ladder\n"
                 "printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
                 path("bash").string(), words))
            .text);
  }

  Words in_fish(const std::string& line) const {
    const auto said_of_it =
        said("fish --no-config",
             fmt::format("source {}\ncomplete -C {}\n", path("fish").string(), quoted(line)));
    return matches_in(said_of_it.text, "^([^\t\n]*[^\t\n/])/?(\t.*)?$");
  }

 private:
  std::regex space_{" "};
};

bool is_missing(const std::string& shell) {
  if (captured("command -v " + shell).exit_code == 0) return false;
  if (std::getenv("LADDER_REQUIRE_TOOLS") != nullptr) FAIL("there is no " << shell);
  std::cout << "SKIPPED: there is no " << shell << '\n';
  return true;
}

const std::vector<std::pair<std::string, Words>> completions{
    {"./ladder re", {"report", "reproduce"}},
    {"./ladder check", {"check", "check-kernels"}},
    {"./ladder run --pre", {"--preset"}},
    {"./ladder --pre", {"--preset"}},
    {"./ladder --cache ", {"cold", "warm"}},
    {"./ladder run --preset ", {"quick", "notes", "full", "wide", "counters", "devices"}},
    {"./ladder run --preset w", {"wide"}},
    {"./ladder table --format l", {"latex"}},
    {"./ladder completion ", {"bash", "zsh", "fish"}},
    {"./ladder run --rung be", {"better", "best"}},  // which the workers list
    {"./ladder check-kernels --operator ", {"sum", "min"}},
    {"./ladder run --rung std_even,bet", {"std_even,better"}},
    {"./ladder --cache cold,", {"cold,cold", "cold,warm"}},
    {"./ladder run --dtype i32,f64,f", {"i32,f64,f16", "i32,f64,f32", "i32,f64,f64"}},
    {"./ladder run --preset quick,w", {}},  // which takes one
    {"./ladder run --size ", {}},
    {"./ladder report ap", {"apart", "apart.json"}},
    {"./ladder compare apart.json ap", {"apart", "apart.json"}},
    {"./ladder report --out ap", {"apart"}},
    {"./ladder run --out report --dev", {"--device", "--devices"}},
    {"./ladder run apart", {}},
    {"./ladder test --req", {"--require-gpu"}},
    {"./ladder test --re", {"--require-gpu", "--repeat", "--rerun-failed"}},
};

}  // namespace

TEST_CASE("bash completes commands, options, their values, files and folders") {
  const Completed workshop;
  for (const auto& [line, expected] : completions) {
    INFO(line);
    CHECK(workshop.in_bash(line) == expected);
  }
  CHECK(workshop.in_bash("./ladder run --preset = w") == Words{"wide"});  // bash breaks words at =
  CHECK(workshop.in_bash("./ladder run --preset =") ==
        Words{"quick", "notes", "full", "wide", "counters", "devices"});
}

TEST_CASE("fish completes the same") {
  if (is_missing("fish")) return;
  const Completed workshop;
  for (const auto& [line, expected] : completions) {
    INFO(line);
    CHECK(workshop.in_fish(line) == expected);
  }
}

// zsh completes where somebody types. It runs what is completed, and then says so.
TEST_CASE("zsh completes what is typed") {
  if (is_missing("zsh")) return;
  const Completed workshop;
  for (const auto& [typed, expected] : std::vector<std::pair<std::string, std::string>>{
           {"ladder repo\\t", "report"},
           {"ladder run --pres\\tw\\t", "run --preset=wide"},
           {"ladder --cache c\\t", "--cache cold"},
           {"ladder run --rung bet\\t", "run --rung better"},
           {"ladder run --cache cold,w\\t", "run --cache cold,warm"},
           {"ladder run --rung best,bet\\t", "run --rung best,better"},
           {"ladder run --out ap\\t", "run --out apart"},
           {"ladder report apart.\\t", "report apart.json"},
           {"ladder check --js\\t", "check --json"},
           {"ladder test --req\\t", "test --require-gpu"}}) {
    const auto said = workshop.said("zsh -f", fmt::format(R"(zmodload zsh/zpty
zpty typing zsh -f -i
zpty -w typing 'autoload -Uz compinit; compinit -u -D; source {}; ladder() {{ print -r -- "R""AN <$*>" }}'
zpty -w typing $'{}'
zpty -r typing text '*RAN <*>*'
print -r -- $text
)",
                                                          workshop.path("zsh").string(), typed));
    INFO(said.text);
    CHECK(contains(said.text, "RAN <" + expected + '>'));
  }
}

TEST_CASE("every option of every command is completed in every shell, without a list to edit") {
  Completed workshop;
  const auto help = [&](const Workshop::Arguments& words, const char* section) {
    const std::string text = workshop.run(words).out, from = text.substr(text.find(section));
    return from.substr(0, from.find("\n\n"));
  };
  const Words commands = matches_in(help({"--help"}, "Subcommands:"), "^  ([a-z-]+) ");
  REQUIRE(commands.size() > 10);
  CHECK(workshop.in_bash("./ladder ") == commands);
  const bool has_fish = !is_missing("fish");
  for (const std::string& command : commands) {
    Words options{"-h", "--help"};
    if (command != "test")
      options.merge(matches_in(help({command, "--help"}, "Options:"), "^  (--[a-z-]+)"));
    else  // as the script takes them
      for (const std::string& taken :
           matches_in(text_of(REPOSITORY "/ladder"), "^ +(-[-A-Za-z| ]+)\\)"))
        options.merge(matches_in(taken, "-[-A-Za-z]+", 0));
    options.erase("--");
    INFO(command);
    const std::string asked = "./ladder " + command + " -";
    CHECK(workshop.in_bash(asked) == options);
    if (has_fish) CHECK(workshop.in_fish(asked) == options);
    // which zsh shows as it stands
    const std::string told = workshop.run({"--complete", command, "-"}).out;
    CHECK(matches_in(told, "^(-[-A-Za-z]+)=?\t") == options);
  }
}

TEST_CASE("where there are no workers, nothing is said, and all else is completed") {
  Completed workshop;
  workshop.environment["LADDER_WORKERS"] = workshop.path("nowhere");
  CHECK(workshop.in_bash("./ladder run --rung b").empty());
  CHECK(workshop.in_bash("./ladder run --backend h") == Words{"host"});
}

TEST_CASE("list --names lists names alone, and asks no machine") {
  Workshop workshop;
  const auto worker = workshop.path("workers/worker_host"), asked = workshop.path("asked");
  std::filesystem::create_directory(workshop.path("behind"));
  std::filesystem::rename(worker, workshop.path("behind/worker_host"));
  std::ofstream(worker) << fmt::format("#!/bin/sh\ntee -a '{}' | '{}'\n", asked.string(),
                                       workshop.path("behind/worker_host").string());
  std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
  CHECK(lines_of(workshop.run({"list", "--names", "operation"}).out) == Words{"reduce"});
  CHECK(lines_of(workshop.run({"list", "--names", "operator"}).out) == Words{"sum", "min"});
  CHECK(lines_of(workshop.run({"list", "--names", "provider"}).out) == Words{"handwritten", "std"});
  CHECK(lines_of(workshop.run({"list", "--names", "distribution"}).out) ==
        Words{"random", "dyadic"});
  CHECK(lines_of(workshop.run({"list", "--names", "rung"}).out).contains("std_fast"));
  CHECK(contains(text_of(asked), "list"));
  CHECK_FALSE(contains(text_of(asked), "describe"));
}
