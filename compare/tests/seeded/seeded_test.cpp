// Every seeded mistake under the checker: found under each of many schedules, by its name, and its
// twin clean. The kernels are those of mistakes.cu, compiled by g++ in one program and by clang++
// in another.
#include <algorithm>
#include <string>

#include "compare/tests/catch.hpp"
#include "compare/tests/catch_session.hpp"
#include "compare/tests/emulator/findings.hpp"
#include "compare/tests/emulator/schedule.hpp"
#include "compare/tests/register_test.hpp"
#include "compare/tests/seeded/mistakes.hpp"
#include "compare/tests/whole.hpp"

namespace {

using namespace ladder;
using protocol::Finding;

// Seeds, and schedule 0. A wait that never ends takes as long as all other mistakes together, and
// does not go by the schedule: it has few, unless LADDER_WHOLE is set, as .ci/run does.
constexpr unsigned many = 50, few = 8;

void check(const seeded::Mistake& mistake) {
  unsigned seeds = many;
  for (unsigned seed = 0; seed <= seeds; ++seed) {
    const Schedule schedule(seed);
    INFO("seed " << seed);
    const auto wrong = findings_of([&] { mistake.wrong(); });
    if (!tests::run_whole() && in_words(wrong).find("endless wait") != std::string::npos)
      seeds = few;
    if (seed > 0 || mistake.in_order) {
      INFO(mistake.kind << ": " << mistake.words << "\n" << in_words(wrong));
      REQUIRE(std::ranges::any_of(wrong, [&](const Finding& f) {
        return mistake.kind.find(f.kind) != std::string_view::npos &&
               f.message.find(mistake.words) != std::string::npos;
      }));
    }
    REQUIRE(in_words(findings_of([&] { mistake.right(); })) == "");
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const seeded::Mistake& mistake : seeded::mistakes())
    tests::register_test(std::string(mistake.name) + " is found, and its twin is clean", "",
                         [&mistake] { check(mistake); });
  return tests::run_session(argc, argv);
}
