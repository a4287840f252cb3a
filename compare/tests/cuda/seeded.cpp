#include "compare/tests/cuda/seeded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/terminal/shell.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/cuda/sanitizer.hpp"
#include "compare/tests/seeded/mistakes.hpp"

namespace ladder::tests {
namespace {

constexpr unsigned at_once = 8;  // compute-sanitizer has ports for ten

// One mistake under one tool.
struct Trial {
  std::string name, kind, tool, expected;
  Said wrong, right;
};

using Which = Said Trial::*;
constexpr Which wrong = &Trial::wrong, right = &Trial::right;

// Under some schedules such a mistake waits for ever.
bool depends_on_the_schedule(const Trial& trial) {
  return trial.kind == "race or fault";
}

bool may_hang(const Trial& trial, Which which) {
  return trial.expected == seeded::unknown ||
         (which == wrong && (trial.expected == seeded::hangs || depends_on_the_schedule(trial)));
}

Said run(const Trial& trial, Which which, const std::string& names) {
  // Only what may hang has a limit: the machine decides how long the others take.
  const bool is_limited = may_hang(trial, which);
  const std::string form =
      fmt::format("{}{}", which == wrong ? "wrong" : "right", is_limited ? " limited" : "");
  const auto start = std::chrono::steady_clock::now();
  Said said = captured(fmt::format("{} {} '{}' {} {}", is_limited ? "timeout -s KILL 60" : "",
                                   sanitizer(trial.tool), (workers_folder() / "mistakes").string(),
                                   form, names));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  fmt::print(stderr, "{:.1f} s, {}: {} {}\n", seconds.count(), trial.tool, form, names);
  return said;
}

bool is_reported(const Said& said) {
  static const std::regex errors("(ERROR|RACECHECK) SUMMARY: [1-9]");
  return std::regex_search(said.text, errors);
}

bool says(const Said& said, const std::string& what) {
  return said.text.find(what) != std::string::npos;
}

bool ran_to_its_end(const Trial& trial, const Said& said) {
  return says(said, '\n' + trial.name + " ran to its end\n");
}

bool ended(const Trial& trial, const Said& said) {
  return ran_to_its_end(trial, said) || says(said, '\n' + trial.name + " stopped: ");
}

// Starting a tool takes longer than most mistakes do. So those that a tool should not report share
// a process.
bool is_shared(const Trial& trial, Which which) {
  if (trial.expected == seeded::unknown) return false;
  if (which == right) return trial.expected != seeded::in_both;
  // a fault ends its process
  return trial.expected.empty() && trial.kind.find("fault") == std::string::npos;
}

void run_alone(Trial& trial, Which which) {
  trial.*which = run(trial, which, trial.name);
}

// If the tool reports something, each runs alone: that shows which it was.
void run_together(const std::vector<Trial*>& trials, Which which) {
  std::string names;
  for (const Trial* trial : trials) names += trial->name + ' ';
  const Said said = run(*trials.front(), which, names);
  const bool is_silent = !is_reported(said) && std::ranges::all_of(trials, [&](const Trial* trial) {
    return which == right ? ran_to_its_end(*trial, said) : ended(*trial, said);
  });
  for (Trial* trial : trials) {
    if (is_silent) trial->*which = said;
    else run_alone(*trial, which);
  }
}

void run_all(std::vector<Trial>& trials) {
  std::vector<std::function<void()>> tasks, tasks_of_one, tasks_that_may_hang;
  for (const Which which : {wrong, right}) {
    std::map<std::string, std::vector<Trial*>> shared;
    for (Trial& trial : trials) {
      if (is_shared(trial, which)) shared[trial.tool].push_back(&trial);
      else
        (may_hang(trial, which) ? tasks_that_may_hang : tasks_of_one).emplace_back([&trial, which] {
          run_alone(trial, which);
        });
    }
    for (const auto& [tool, its] : shared)
      tasks.emplace_back([its, which] { run_together(its, which); });
  }
  tasks.insert(tasks.end(), tasks_of_one.begin(), tasks_of_one.end());
  // last: they keep the GPU busy
  tasks.insert(tasks.end(), tasks_that_may_hang.begin(), tasks_that_may_hang.end());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k; (k = next++) < tasks.size();) tasks[k]();
  };
  std::vector<std::jthread> threads;
  for (unsigned k = 0; k < at_once; ++k) threads.emplace_back(work);
}

std::string seen(const Trial& trial) {
  if (!says(trial.right, "SUMMARY: 0 ") && !is_reported(trial.right))
    return "nothing: the tool did not run";
  if (!is_reported(trial.right) && !ran_to_its_end(trial, trial.right)) return "a twin that fails";
  if (is_reported(trial.wrong))
    return std::string(is_reported(trial.right) ? seeded::in_both : seeded::found);
  if (!ended(trial, trial.wrong)) return std::string(seeded::hangs);
  return is_reported(trial.right) ? "found, in the twin only" : "";
}

}  // namespace

void check_seeded(unsigned devices) {
  std::vector<nlohmann::json> mistakes;
  std::istringstream lines(
      captured(fmt::format("'{}'", (workers_folder() / "mistakes").string())).text);
  for (std::string line; std::getline(lines, line);)
    mistakes.push_back(nlohmann::json::parse(line));

  std::vector<Trial> trials;  // of one mistake after another
  const auto runs = [&](const nlohmann::json& mistake) { return mistake["devices"] <= devices; };
  for (const auto& mistake : mistakes)
    for (const char* tool : tools)
      if (runs(mistake))
        trials.push_back(
            {mistake["name"], mistake["kind"], tool, mistake["seen_by"][tool], {}, {}});
  run_all(trials);

  // as the tests of the emulator hold it to, under g++ and clang++
  std::string table = "| mistake | our checker |";
  for (const char* tool : tools) table += fmt::format(" {} |", tool);
  table += "\n| --- | --- | --- | --- | --- | --- |\n";
  auto trial = trials.begin();
  for (const auto& mistake : mistakes) {
    const std::string name = mistake["name"], kind = mistake["kind"];
    table += fmt::format("| `{}` | {} |", name, kind);
    for ([[maybe_unused]] const char* tool : tools)
      table += fmt::format(" {} |", runs(mistake) ? seen(*trial++) : "?");
    table += '\n';
  }
  fmt::print("{}", table);

  for (const Trial& t : trials) {
    INFO(t.name << " under " << t.tool << "\nwrong: " << t.wrong.text
                << "\nright: " << t.right.text);
    if (t.expected == seeded::unknown || (depends_on_the_schedule(t) && seen(t) == seeded::hangs))
      continue;
    CHECK(seen(t) == t.expected);
  }
}

}  // namespace ladder::tests
