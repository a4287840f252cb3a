#include "compare/tests/cuda/seeded.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <functional>
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

Said run(std::string_view tool, std::string_view which, const std::string& names, const char* limit = "") {
  return captured(fmt::format("{} {} {} {} {}", limit, sanitizer(tool), program(), which, names));
}

// Only a mistake that may hang has a limit: the machine decides how long the others take.
void run_mistake(Trial& trial) {
  const bool may_hang = trial.expected == seeded::hangs || trial.expected == seeded::unknown;
  trial.wrong = run(trial.tool, "wrong", trial.name, may_hang ? "timeout -s KILL 60" : "");
}

bool is_reported(const Said& said) {
  static const std::regex errors("(ERROR|RACECHECK) SUMMARY: [1-9]");
  return std::regex_search(said.text, errors);
}

bool says(const Said& said, std::string_view what) {
  return said.text.find(what) != std::string::npos;
}

// The twins without an expected report share one process. If the tool reports something there, each runs alone, which shows the one it was.
void run_twins(std::vector<Trial>& trials, std::string_view tool) {
  const auto is_shared = [](const Trial& trial) { return trial.expected != seeded::in_both && trial.expected != seeded::unknown; };
  std::string names;
  for (const Trial& trial : trials)
    if (trial.tool == tool && is_shared(trial)) names += trial.name + ' ';
  const Said together = run(tool, "right", names);
  const bool is_clean = !is_reported(together) && says(together, "ran to its end");
  for (Trial& trial : trials)
    if (trial.tool == tool) trial.right = is_clean && is_shared(trial) ? together : run(tool, "right", trial.name);
}

void run_all(std::vector<Trial>& trials) {
  std::vector<std::function<void()>> tasks;
  for (const char* tool : tools) tasks.emplace_back([&trials, tool] { run_twins(trials, tool); });
  for (Trial& trial : trials) tasks.emplace_back([&trial] { run_mistake(trial); });
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k; (k = next++) < tasks.size();) tasks[k]();
  };
  std::vector<std::jthread> threads;
  for (unsigned k = 0; k < at_once; ++k) threads.emplace_back(work);
}

std::string seen(const Trial& trial) {
  if (!says(trial.right, "SUMMARY: 0 ") && !is_reported(trial.right)) return "nothing: the tool did not run";
  if (is_reported(trial.right)) return is_reported(trial.wrong) ? std::string(seeded::in_both) : "found, in the twin only";
  if (!says(trial.right, "ran to its end")) return "a twin that fails";
  if (is_reported(trial.wrong)) return std::string(seeded::found);
  const bool ended = says(trial.wrong, "ran to its end") || says(trial.wrong, "stopped: ");
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
