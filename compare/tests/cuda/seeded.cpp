#include "compare/tests/cuda/seeded.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "compare/driver/catalogue.hpp"
#include "compare/driver/shell.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/cuda/sanitizer.hpp"
#include "compare/tests/seeded/mistakes.hpp"

namespace ladder::tests {
namespace {

constexpr unsigned at_once = 8;  // compute-sanitizer has ports for ten

// One mistake under one tool.
struct Trial {
  std::string name, tool, expected;
  Said wrong, right;
};

std::string program() {
  return fmt::format("'{}'", (workers_folder() / "mistakes").string());
}

constexpr std::string_view wrong = "wrong", right = "right";

// Only what is to hang has a limit: how long the others take is the machine's affair.
Said run(const Trial& trial, std::string_view which) {
  const char* limit = which == wrong && (trial.expected == seeded::hangs || trial.expected == seeded::unknown) ? "timeout -s KILL 60" : "";
  return captured(fmt::format("{} {} {} {} {}", limit, sanitizer(trial.tool), program(), trial.name, which));
}

void run_all(std::vector<Trial>& trials) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k; (k = next++) < trials.size();) {
      trials[k].wrong = run(trials[k], wrong);
      trials[k].right = run(trials[k], right);
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned k = 0; k < at_once; ++k) threads.emplace_back(work);
}

bool is_reported(const Said& said) {
  static const std::regex errors("(ERROR|RACECHECK) SUMMARY: [1-9]");
  return std::regex_search(said.text, errors);
}

std::string seen(const Trial& trial) {
  if (trial.right.text.find("SUMMARY: 0 ") == std::string::npos && !is_reported(trial.right)) return "nothing: the tool did not run";
  if (is_reported(trial.right)) return is_reported(trial.wrong) ? std::string(seeded::in_both) : "found, in the twin only";
  if (trial.right.text.find("ran to its end") == std::string::npos) return "a twin that fails";
  if (is_reported(trial.wrong)) return std::string(seeded::found);
  const bool ended = trial.wrong.text.find("ran to its end") != std::string::npos || trial.wrong.text.find("stopped: ") != std::string::npos;
  return ended ? "" : std::string(seeded::hangs);
}

}  // namespace

void check_seeded() {
  std::vector<nlohmann::json> mistakes;
  std::istringstream lines(captured(program()).text);
  for (std::string line; std::getline(lines, line);) mistakes.push_back(nlohmann::json::parse(line));

  std::vector<Trial> trials;  // of one mistake after another
  for (const auto& mistake : mistakes)
    for (const char* tool : tools) trials.push_back({mistake["name"], tool, mistake["seen_by"][tool], {}, {}});
  run_all(trials);

  std::string table = "| mistake | our checker |";  // as the tests of the emulator hold it to, under g++ and clang++
  for (const char* tool : tools) table += fmt::format(" {} |", tool);
  table += "\n| --- | --- | --- | --- | --- | --- |\n";
  auto trial = trials.begin();
  for (const auto& mistake : mistakes) {
    const std::string name = mistake["name"], kind = mistake["kind"];
    table += fmt::format("| `{}` | {} |", name, kind);
    for ([[maybe_unused]] const char* tool : tools) table += fmt::format(" {} |", seen(*trial++));
    table += '\n';
  }
  fmt::print("{}", table);

  for (const Trial& t : trials) {
    INFO(t.name << " under " << t.tool << "\nwrong: " << t.wrong.text << "\nright: " << t.right.text);
    if (t.expected != seeded::unknown) CHECK(seen(t) == t.expected);
  }
}

}  // namespace ladder::tests
