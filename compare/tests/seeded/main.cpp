// The seeded mistakes on a GPU. `mistakes` lists them, a line of JSON each; `mistakes wrong|right
// NAME ..` runs these mistakes or their twins, once each. `mistakes wrong|right limited NAME ..` is
// for those that may wait for ever: none has more than ten seconds.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "compare/backend.hpp"
#include "compare/tests/seeded/mistakes.hpp"

namespace {

using namespace ladder;

constexpr unsigned patience = 10;  // seconds, for what hangs on purpose

void list() {
  for (const auto& mistake : seeded::mistakes()) {
    const auto& [memcheck, racecheck, initcheck, synccheck] = mistake.seen_by;
    const nlohmann::json line{{"name", mistake.name},
                              {"kind", mistake.kind},
                              {"devices", mistake.devices},
                              {"seen_by",
                               {{"memcheck", memcheck},
                                {"racecheck", racecheck},
                                {"initcheck", initcheck},
                                {"synccheck", synccheck}}}};
    fmt::print("{}\n", line.dump());
  }
}

int run(std::string_view which, std::span<const char* const> names) {
  const bool is_limited = std::string_view(names.front()) == "limited";
  if (is_limited) names = names.subspan(1);
  const auto& all = seeded::mistakes();
  const auto find = [&](std::string_view name) {
    return std::ranges::find(all, name, &seeded::Mistake::name);
  };
  if ((which != "wrong" && which != "right") || names.empty() ||
      std::ranges::any_of(names, [&](const char* name) { return find(name) == all.end(); })) {
    fmt::print(stderr, "usage: mistakes [wrong|right [limited] NAME ..]\n");
    return 2;
  }
  backend::release(backend::allocate(1));  // the device is ready
  bool all_ran = true;
  for (const char* name : names) {
    const seeded::Mistake& mistake = *find(name);
    if (is_limited) alarm(patience);
    try {
      (which == "right" ? mistake.right : mistake.wrong)();
      backend::synchronize({});
      fmt::print("{} ran to its end\n", name);
    } catch (const std::exception& problem) {
      all_ran = false;
      fmt::print("{} stopped: {}\n", name, problem.what());
      if (dynamic_cast<const backend::DeviceLost*>(&problem) != nullptr) break;
    }
  }
  return all_ran ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 2) return run(argv[1], {argv + 2, argv + argc});
  list();
  return 0;
} catch (const std::exception& problem) {
  fmt::print("stopped: {}\n", problem.what());
  return 1;
}
