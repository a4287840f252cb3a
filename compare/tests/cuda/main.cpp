// Makes the tests from what the workers list, and runs them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compare/driver/disk/temporary_folder.hpp"
#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/terminal/shell.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/catch_session.hpp"
#include "compare/tests/cuda/sanitizer.hpp"
#include "compare/tests/cuda/seeded.hpp"
#include "compare/tests/gpu.hpp"
#include "compare/tests/register_test.hpp"
#include "compare/tests/title.hpp"
#include "reports/file/result_file.hpp"

namespace {

using namespace ladder;

using Listings = std::vector<protocol::Listing>;

// What a tool reports though nothing is wrong.
struct KnownReport {
  std::string_view rung, tool, functions;
};
constexpr KnownReport known[] = {
    // Warps of a block come to a barrier by different instructions (handwritten/scan/extra_warp.hpp
    // says why), and synccheck wants one instruction. It ends the process there, so it sees no
    // further input.
    {"waves", "synccheck", " at void ladder::meet<"},
    {"cub_run_to_run", "synccheck", "cub::"},
    // Thrust's scatter. One warp executes both accesses, in order: mbarrier.init as a uniform
    // instruction, then mbarrier.arrive by an elected lane. racecheck takes them for accesses of
    // two threads, and warns. It names the kernel, or the functions inlined there.
    {"thrust_sort_reduce", "racecheck",
     "::detail::transform::transform_kernel<| cuda::ptx::.*mbarrier_(init|arrive_expect_tx)<"},
};

// Without a tool: of any.
const KnownReport* known_report_of(const protocol::Listing& rung, std::string_view tool = {}) {
  const auto* const found = std::ranges::find_if(known, [&](const KnownReport& one) {
    return rung.rung.starts_with(one.rung) && (tool.empty() || one.tool == tool);
  });
  return found == std::end(known) ? nullptr : found;
}

// The rungs of a folder that do one operation: "handwritten/scan as inclusive_scan". One with a
// known report is alone, and collective ones are among themselves.
std::map<std::string, Listings> groups_of(const Listings& rungs) {
  std::map<std::string, Listings> groups;
  for (const auto& rung : rungs) {
    if (rung.expected_wrong) continue;  // its race is the lesson
    std::string name = tests::title(rung);
    const std::size_t as = name.find(" as "), slash = name.rfind('/', as);
    if (known_report_of(rung) == nullptr)
      name.erase(slash, as == std::string::npos ? as : as - slash);
    if (rung.collective) name += " (collective)";
    groups[name].push_back(rung);
  }
  return groups;
}

void register_clean(const Backend& backend, const Listings& all) {
  for (const auto& [name, rungs] : groups_of(all)) {
    for (const std::string_view tool : tests::tools) {
      tests::register_test(
          fmt::format("cuda: {} is clean under {}", name, tool),
          fmt::format("[cuda][sanitizer][{}]", tool), [&backend, rungs, tool] {
            for (const auto& rung : rungs) CHECK(tests::is_asked(backend, rung));
            if (tests::skipped_without(backend)) return;
            const auto run = tests::sanitized(tool, backend, rungs);
            INFO(run.complaints());
            const KnownReport* const one = known_report_of(rungs.front(), tool);
            CHECK((one != nullptr ? tests::is_clean_but_for(std::string(one->functions), run)
                                  : tests::is_clean(run)));
          });
    }
  }
}

// Of many under the same names but for a number.
Listings first_of_each_kind(const Backend& twins) {
  Listings first;
  for (const auto& rung : twins.implementations)
    if (rung.rung.ends_with("_0")) first.push_back(rung);
  return first;
}

// In a process that also runs a right one.
void register_found(const Backend& faulty, const char* tool, std::string_view rung) {
  tests::register_test(fmt::format("cuda: {} finds {}", tool, rung),
                       fmt::format("[cuda][sanitizer][{}]", tool), [&faulty, tool, rung] {
                         if (tests::skipped_without(faulty)) return;
                         Listings both;
                         for (const auto& one : faulty.implementations)
                           if (one.rung == "right" || one.rung == rung) both.push_back(one);
                         REQUIRE(both.size() == 2);
                         const auto run = tests::sanitized(tool, faulty, both);
                         INFO(run.complaints());
                         CHECK_FALSE(tests::is_clean(run));
                         CHECK(run.said.exit_code == 99);
                       });
}

reports::Results study(const Backend& faulty, const std::string& options, int exit_code) {
  const TemporaryFolder folder;
  const auto said = captured(
      fmt::format("LADDER_WORKERS='{}' '{}' run --backend cuda --operator sum {} --out '{}'",
                  faulty.program.parent_path().string(), (workers_folder() / "ladder").string(),
                  options, (folder / "results").string()));
  INFO(said.text);
  REQUIRE(said.exit_code == exit_code);
  return reports::read(folder / "results/results.json");
}

const reports::Cell& cell(const reports::Results& results, std::string_view rung) {
  const auto found =
      std::ranges::find(results.cells, rung, [](const reports::Cell& c) { return c.who.rung; });
  REQUIRE(found != results.cells.end());
  return *found;
}

void check_costs_its_own_cell(const Backend& faulty) {
  if (tests::skipped_without(faulty)) return;
  const std::string options = "--dtype i32 --cache warm --size 1000 --contract device_result ";
  // alone: no other has to be done in ten seconds
  const auto endless = study(faulty, options + "--timeout 10 --rung endless_loop", 1);
  CHECK(cell(endless, "endless_loop").verdict() == reports::Verdict::timeout);
  CHECK(cell(endless, "endless_loop").reason().find("no reply for 10 s") != std::string::npos);
  const auto results = study(faulty, options + "--rung right,illegal_address,hungry", 1);
  CHECK(cell(results, "right").verdict() == reports::Verdict::pass);
  CHECK(cell(results, "right").timing() != nullptr);
  CHECK(cell(results, "illegal_address").verdict() == reports::Verdict::crashed);
  CHECK(cell(results, "illegal_address").reason().find("cudaErrorIllegalAddress") !=
        std::string::npos);
  CHECK(cell(results, "hungry").verdict() == reports::Verdict::skipped);
  CHECK(cell(results, "hungry").reason().find("needs 4503599627370496 bytes of device memory, ") !=
        std::string::npos);
}

void check_input_that_does_not_fit(const Backend& faulty) {
  if (tests::skipped_without(faulty)) return;
  const auto results = study(
      faulty, "--dtype i32 --cache warm --size 2^40 --contract device_result --rung right", 2);
  CHECK(cell(results, "right").verdict() == reports::Verdict::skipped);
  CHECK(cell(results, "right").reason().find("bytes of device memory") != std::string::npos);
}

// No cheat has a number.
void check_cheats(const Backend& faulty) {
  if (tests::skipped_without(faulty)) return;
  const std::map<std::string, std::string> how{
      {"other_stream", "works outside the stream"},
      {"skipped_launch", "wrote nothing"},
      {"cached_answer", "answers for an input that it had before"},
      {"earlier_output", "answers for an input that it had before"},
      {"persisting_l2", "leaves L2 lines set aside"},
      {"swallowed_error", "cudaErrorInvalid"},
      {"waits", "waits for its stream on the host"},
      {"changes_input", "modified its input: in["},
      {"writes_beside", "wrote outside its output, after its end, at byte 0"},
      {"zeros", "out[0] is 0"}};
  std::string rungs = "right";
  for (const auto& [rung, reason] : how) rungs += "," + rung;
  const auto results = study(
      faulty,
      "--dtype i32 --cache cold --size 1000,1000000 --contract device_result --rung " + rungs, 1);
  CHECK(cell(results, "right").verdict() == reports::Verdict::pass);
  for (const auto& [rung, reason] : how) {
    INFO(rung << " is to be told: " << reason << "; it is told: " << cell(results, rung).reason());
    CHECK(cell(results, rung).reason().find(reason) != std::string::npos);
    for (const auto& c : results.cells) {  // at every size
      if (c.who.rung != rung) continue;
      INFO(rung << ", n = " << c.input.n << ": " << c.reason());
      CHECK(c.verdict() == reports::Verdict::fail);
      CHECK(c.timing() == nullptr);
    }
  }
  const auto of_floats = study(
      faulty, "--dtype f32 --cache cold --size 1000 --contract device_result --rung all_nan", 1);
  CHECK(cell(of_floats, "all_nan").verdict() == reports::Verdict::fail);
  CHECK(cell(of_floats, "all_nan").timing() == nullptr);
}

void check_is_clean() {
  const std::string right = R"({"answer":{"output":"00","pass":true,"path":"a"}})"
                            "\n",
                    summary = "========= ERROR SUMMARY: 0 errors\n";
  const auto clean = [](const std::string& text, std::size_t answers, int exit_code = 0) {
    return tests::is_clean({{exit_code, text}, answers});
  };
  CHECK(clean("========= COMPUTE-SANITIZER\n" + right + right + summary, 2));
  CHECK(clean(right + "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n",
              1));
  CHECK_FALSE(clean(right + summary, 2));
  CHECK_FALSE(clean(summary, 0));
  CHECK_FALSE(clean(right, 1));
  CHECK_FALSE(clean(right + "========= ERROR SUMMARY: 3 errors\n", 1));
  CHECK_FALSE(clean(right + summary, 1, 2));
  CHECK_FALSE(clean(R"({"answer":{"output":"00","pass":false,"path":"a"}})"
                    "\n" +
                        summary,
                    1));
  CHECK_FALSE(clean(
      "{\"answer\":{\"output\":\"0\n=========\n0\",\"pass\":false,\"path\":\"a\"}}\n" + summary,
      1));
  const auto error = [](const std::string& where) {
    return "========= Barrier error detected. Divergent thread(s) in block.\n=========     at void "
           "ladder::" +
           where + "<512>()+0x10\n";
  };
  const auto but_for_meet = [](const std::string& text) {
    return tests::is_clean_but_for(" at void ladder::meet<", {{99, text}, 1});
  };
  CHECK(
      but_for_meet(right + error("meet") + error("meet") + "========= ERROR SUMMARY: 2 errors\n"));
  CHECK_FALSE(but_for_meet(right + error("meet") + error("another") +
                           "========= ERROR SUMMARY: 2 errors\n"));
  CHECK_FALSE(but_for_meet(right + "========= ERROR SUMMARY: 1 error\n"));
  CHECK_FALSE(but_for_meet(right + error("meet") + "========= ERROR SUMMARY: 2 errors\n"));
  CHECK(but_for_meet(error("meet") + "========= ERROR SUMMARY: 1 error\n"));
  CHECK_FALSE(but_for_meet(R"({"answer":{"output":"00","pass":false,"path":"a"}})"
                           "\n" +
                           error("meet") + "========= ERROR SUMMARY: 1 error\n"));
  const auto race = [](const std::string& how) {
    return "========= " + how +
           ": Race reported between Write access at void cub::one<int>()+0x330\n=========     and "
           "Read access at void cub::one<int>()+0x6d0 [8 "
           "hazards]\n";
  };
  const auto but_for_one = [](const std::string& text) {
    return tests::is_clean_but_for("cub::one<", {{99, text}, 1});
  };
  const std::string two =
      "========= RACECHECK SUMMARY: 2 hazards displayed (0 errors, 2 warnings)\n";
  CHECK(but_for_one(right + race("Warning") + race("Warning") + two));
  CHECK_FALSE(but_for_one(right + race("Warning") + two));
  CHECK_FALSE(but_for_one(race("Warning") + race("Warning") + two));
  CHECK_FALSE(but_for_one(right + race("Warning") +
                          "========= Warning: Race reported between Write access at void "
                          "another<int>()+0x330\n=========     and Read access at void "
                          "cub::one<int>()+0x6d0 [8 hazards]\n" +
                          two));
  CHECK(tests::is_clean_but_for("another<|cub::one<",
                                {{99, right + race("Warning") + race("Warning") + two}, 1}));
  CHECK_FALSE(tests::is_clean_but_for("cub::one<",
                                      {{1, right + race("Warning") + race("Warning") + two}, 1}));
  CHECK_FALSE(
      but_for_one(right + race("Warning") + race("Error") +
                  "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n"));
}

}  // namespace

int main(int argc, char** argv) try {
  const Catalogue catalogue = read_catalogue(workers_folder()),
                  faulty = read_catalogue(workers_folder() / "faulty"),
                  proof = read_catalogue(workers_folder() / "proof");
  const Backend& wrong = faulty.backend(reports::Backend::cuda);
  const Backend &right = catalogue.backend(reports::Backend::cuda),
                &twins = proof.backend(reports::Backend::cuda);
  register_clean(right, right.implementations);
  register_clean(twins, first_of_each_kind(twins));
  register_found(wrong, "memcheck", "past_the_end");
  register_found(wrong, "memcheck", "illegal_address");
  register_found(wrong, "racecheck", "race");
  register_found(wrong, "initcheck", "uninitialised");
  register_found(wrong, "synccheck", "wrong_mask");
  tests::register_test(
      "cuda: a kernel that crashes or hangs, or wants too much memory, costs its own cell",
      "[cuda]", [&] { check_costs_its_own_cell(wrong); });
  tests::register_test("cuda: no cheat has a time", "[cuda]", [&] { check_cheats(wrong); });
  tests::register_test("cuda: an input that does not fit is skipped, with the figure", "[cuda]",
                       [&] { check_input_that_does_not_fit(wrong); });
  tests::register_test("cuda: of the seeded mistakes, each tool sees what is expected of it",
                       "[cuda][sanitizer][alone]", [&] {
                         if (!tests::skipped_without(right)) tests::check_seeded(right.devices);
                       });
  tests::register_test(
      "a run under a tool is clean if it says so and all answers are there and right",
      "[sanitizer]", check_is_clean);
  return tests::run_session(argc, argv);
} catch (const std::exception& problem) {
  fmt::print(stderr, "{}\n", problem.what());
  return 2;
}
