// What the emulated worker finds out by running a rung: whether it is right, and its counts. Never
// a time.
#include "compare/worker/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <regex>
#include <string>

#include "compare/emulated/worker/control.hpp"
#include "compare/emulated/worker/whereabouts.hpp"
#include "compare/worker/judge.hpp"
#include "compare/worker/processes.hpp"
#include "compare/worker/run.hpp"
#include "compare/worker/run_each_rung.hpp"
#include "compare/worker/trees.hpp"

namespace ladder::probe {

namespace {

namespace checker = emulated::checker;

constexpr const char* output_array = "output";

// Random schedules tried on a rung that is expected to be wrong and came out right.
constexpr std::uint64_t seeds_for_a_mistake = 16;

reports::Counters in_report(const emulated::Counts& counts, const Tree& tree, bool over_devices) {
  reports::Counters report;
  report.global_load_bytes = counts.loads.bytes;
  report.global_load_requests = counts.loads.requests;
  report.global_load_sectors = counts.loads.sectors;
  report.global_store_bytes = counts.stores.bytes;
  report.global_store_requests = counts.stores.requests;
  report.global_store_sectors = counts.stores.sectors;
  report.shared_requests = counts.shared.requests;
  report.shared_wavefronts = counts.shared.wavefronts;
  report.atomics = counts.atomics;
  report.barriers = counts.barriers;
  if (const std::uint64_t requests = counts.loads.requests + counts.stores.requests; requests > 0) {
    report.active_lanes = static_cast<double>(counts.loads.lanes + counts.stores.lanes) /
                          static_cast<double>(requests);
  }
  report.atomic_requests = counts.atomic.requests;
  if (counts.atomic.requests > 0)
    report.atomic_contention = static_cast<double>(counts.atomic.on_one_word) /
                               static_cast<double>(counts.atomic.requests);
  if (counts.threads > 0)
    report.barriers_per_thread =
        static_cast<double>(counts.barrier_arrivals) / static_cast<double>(counts.threads);
  report.launches = counts.launches;
  report.blocks = counts.blocks;
  report.steps = tree.steps;
  report.work = tree.work;
  if (over_devices) {
    report.peer_load_bytes = counts.peer_load_bytes;
    report.peer_store_bytes = counts.peer_store_bytes;
  }
  return report;
}

Verdict run_once(Prepared& prepared, Problem& problem, Contract contract, const Tree& tree,
                 std::uint64_t schedule) {
  set_schedule(schedule);
  problem.poison();
  run_to_its_end(prepared, problem, contract, {});
  return check(problem, contract, tree);
}

// The sums over all processes that have a device of the team.
emulated::Counts of_team(const emulated::Counts& own) {
  using Words = std::array<std::uint64_t, sizeof own / sizeof(std::uint64_t)>;
  Words sums{};
  for (const Words& its : of_all(std::bit_cast<Words>(own)))
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += its[k];
  return std::bit_cast<emulated::Counts>(sums);
}

// One run, under the schedule that does not vary, is counted; a second one of the same instance,
// under a random schedule, shows what the first may hide: a race, or a state left behind.
void count(const Implementation& rung, Problem& problem, Trees& trees,
           protocol::MeasuredCell& cell) {
  const Contract contract = rung.enqueues ? Contract::device_result : Contract::host_result;
  const auto tree = trees.of(rung, problem, contract);
  trees.release();  // the rung may need the room
  const auto prepared = rung.prepare(problem.device());
  Verdict answer;
  emulated::Counts counts =
      emulated::count([&] { answer = run_once(*prepared, problem, contract, *tree, 0); });
  if (prepared->devices() > 0) counts = of_team(counts);

  if (rung.card.expected_wrong) {
    for (std::uint64_t seed = 1; answer.pass && seed <= seeds_for_a_mistake; ++seed)
      answer = run_once(*prepared, problem, contract, *tree, seed);
    if (answer.pass) cell.flags.emplace_back("expected_wrong_but_right");
  }
  if (answer.pass && !rung.card.expected_wrong)
    answer = run_once(*prepared, problem, contract, *tree,
                      problem.spec().seed + 1);  // 0 is the first schedule
  judge(rung, answer, cell);
  cell.counters = in_report(counts, *tree, problem.spec().devices > 0);
  if (counts.shuffles_of_absent_lanes > 0) cell.flags.emplace_back("shuffles_of_absent_lanes");
}

// A wrong answer shows a mistake, with other findings or without. The line of an undefined shuffle
// may show its place.
protocol::Finding wrong_answer(const ProblemSpec& spec, std::uint64_t schedule, bool again,
                               Contract contract, const Verdict& answer) {
  const std::string absent_lanes = checker::absent_lanes(), older = checker::older_values();
  protocol::Finding finding{"wrong answer", {}, absent_lanes, {}, {}, {}, 1};
  finding.message = fmt::format(
      "{}, {}{}{}: {}", spec.in_words(),
      schedule == 0 ? "in the regular order" : fmt::format("in the order of seed {}", schedule),
      again ? ", a later run, on new input" : "",
      contract == Contract::host_result ? ", to the host" : "", answer.reason);
  finding.advice =
      absent_lanes.empty() && older.empty()
          ? "Look at the arithmetic, at elements that are never written, at the order of blocks, "
            "and at state that one run leaves for the next: flags, tags and counters must be as "
            "good as new."
      : absent_lanes.empty()
          ? fmt::format(
                "{}: nothing orders the two. Put a __threadfence() between the value and its flag "
                "in the writer, and between the flag and the "
                "value in the reader, or both into one word. Or look at the order of blocks, and "
                "at state that one run leaves for the next.",
                older)
          : fmt::format(
                "The shuffle in {} took a value from a lane that had exited or was not in the "
                "mask, which is undefined: "
                "let all lanes of the mask reach it, and read only from lanes in the mask.",
                absent_lanes);
  return finding;
}

// "f, in a.cu:20, block 0: .." -> "a.cu:20": two faults with one are the same.
std::string first_line_in(const std::string& message) {
  static const std::regex line(R"([^\s:]+\.\w+:\d+)");
  std::smatch found;
  return std::regex_search(message, found, line) ? found.str() : "";
}

// A ticket that nobody sets back lets the next run do what the code forbids.
constexpr std::string_view of_later_runs =
    "The first run was clean, a later one is not: is every counter and flag as it was at first?";

// One run for each schedule, all of one instance; from the second on the input is that of `next`.
// The last one goes to the host. What stops a kernel is a finding, and ends the check of the rung:
// what it left behind is in no order.
protocol::Checked check_rung(const Implementation& rung, Problem& problem, const Problem& first,
                             const Problem& next, const std::vector<std::uint64_t>& schedules,
                             const std::function<void(std::string_view path)>& begin) {
  protocol::Checked checked{.path = std::string(rung.path)};
  const auto skip = [&](std::string_view reason) {
    checked.skipped = true;
    checked.reason = reason;
  };
  if (const auto reason = reason_to_skip(rung, problem.spec().n)) {
    skip(*reason);
    return checked;
  }
  bool first_is_clean = false;
  const std::uint64_t accesses_before = checker::accesses;
  checker::forget_findings();
  checker::call_arrays("scratch array", "scratch array");
  try {
    problem.become(first);
    const auto prepared = rung.prepare(problem.device());
    for (std::size_t run = 0; run < schedules.size(); ++run) {
      begin(rung.path);  // a sign of life
      if (run == 1) problem.become(next);
      const bool to_host = !rung.enqueues || (run > 0 && run + 1 == schedules.size());
      const Contract contract = to_host ? Contract::host_result : Contract::device_result;
      set_schedule(schedules[run]);
      problem.poison();
      checker::unwritten(output_array);  // poison is no value
      // Runs that nobody waits for: the next ones begin while devices are still at it.
      for (unsigned unwaited = 0; unwaited < 2 && prepared->devices() > 0 && rung.enqueues;
           ++unwaited) {
        prepared->restore({});
        prepared->run({});
      }
      run_to_its_end(*prepared, problem, contract, {});
      // the check is of the order, so any order of a sum will do
      const Verdict answer = check(problem, contract, {.summation = as_said(rung.card)});
      if (!answer.pass && !rung.card.expected_wrong && checked.findings.empty())
        checked.findings.push_back(
            wrong_answer(problem.spec(), schedules[run], run > 0, contract, answer));
      if (run == 0) first_is_clean = checked.findings.empty() && checker::findings().empty();
    }
  } catch (const backend::OutOfMemory& error) {
    skip(error.what());
  } catch (const backend::Unsupported& error) {
    skip(error.what());
    checked.unsupported = true;
  } catch (const std::exception& error) {  // a KernelFault, most often
    checked.findings.push_back(
        {.kind = "fault",
         .line = first_line_in(error.what()),
         .message = fmt::format("{} ({})", error.what(), problem.spec().in_words()),
         .times = 1});
  }
  checked.accesses = checker::accesses - accesses_before;
  std::ranges::move(checker::findings(), std::back_inserter(checked.findings));
  for (protocol::Finding& one : checked.findings)
    if (first_is_clean && one.kind != "wrong answer")
      one.advice += (one.advice.empty() ? "" : " ") + std::string(of_later_runs);
  checked.remarks = checker::findings(true);
  return checked;
}

}  // namespace

bool replay(Prepared&, unsigned, unsigned, const std::function<void()>&,
            const std::function<void()>&) {
  return false;
}

void run_together(const std::vector<Instance>& instances, unsigned runs) {
  take_turns(instances, runs);
}

void measure(const protocol::MeasureRequest&, const std::vector<Entry>& entries, Trees& trees,
             const Reporter& report) {
  run_each_rung(entries, report,
                [&](const Implementation& rung, Problem& problem, protocol::MeasuredCell& cell) {
                  count(rung, problem, trees, cell);
                });
}

void check(const protocol::CheckRequest& request, const Kind& kind,
           const std::vector<const Implementation*>& rungs,
           const std::function<void(std::string_view path)>& begin,
           const std::function<void(const protocol::Checked&)>& checked,
           const std::function<void(const std::string& where)>& asked_where) {
  const emulated::Whereabouts whereabouts(asked_where);
  emulated::set_multiprocessors(request.multiprocessors);
  const emulated::Checking checking;
  checker::call_arrays(output_array, "input");  // in the order in which TypedProblem allocates them
  try {
    const auto problem = kind.pose(request.problem);
    checker::call_arrays("other problem", "other problem");
    ProblemSpec next = request.problem;
    ++next.seed;
    const auto first_input = kind.pose(request.problem), next_input = kind.pose(next);
    for (const Implementation* rung : rungs) {
      begin(rung->path);
      checked(check_rung(*rung, *problem, *first_input, *next_input, request.schedules, begin));
    }
  } catch (const backend::OutOfMemory&
               error) {  // of the problem itself; a rung's own is check_rung's to report
    for (const Implementation* rung : rungs)
      checked({.path = std::string(rung->path), .skipped = true, .reason = error.what()});
  }
  set_schedule(0);
  emulated::set_multiprocessors(0);
}

void set_schedule(std::uint64_t schedule) {
  emulated::set_schedule(schedule);
}

std::optional<std::uint64_t> count_joins(const std::function<void()>& run) {
  const std::uint64_t before = emulated::traffic::joins;
  run();
  return emulated::traffic::joins - before;
}

void describe(reports::Machine&, reports::Software& software) {
  software.emulated_compiler = LADDER_EMULATED_COMPILER;
  software.emulated_flags = LADDER_EMULATED_FLAGS;
}

const Mover* mover() {
  return nullptr;
}

Limits limits(unsigned) {
  return {};
}

std::vector<Contract> contracts() {
  return {};
}

}  // namespace ladder::probe

std::string ladder::counters::unavailable() {
  return {};  // every request is for them
}
