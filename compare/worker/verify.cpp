#include "compare/worker/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "compare/worker/backend.hpp"
#include "compare/worker/judge.hpp"
#include "compare/worker/run.hpp"

namespace ladder {
namespace {

// bytes; of longer outputs an answer carries the checksum
constexpr std::size_t longest_in_full = std::size_t{64} * 1024;

std::string hexadecimal(std::span<const unsigned char> bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

void add_output(Problem& problem, Contract contract, const Summation& summation,
                protocol::Answer& answer) {
  if (problem.output_bytes() > longest_in_full) {
    answer.output = fmt::format("checksum:{:016x}", problem.output_checksum(contract));
    return;
  }
  const auto [dtype, bytes] = problem.output(contract, summation);
  answer.output_type = dtype;
  answer.output = hexadecimal({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
}

void add(const Verdict& verdict, protocol::Answer& answer) {
  answer.pass = verdict.pass;
  answer.reason = verdict.reason;
  answer.ulp_max = std::max(answer.ulp_max, verdict.ulp_max);
  answer.relative = std::max(answer.relative, verdict.relative);
  answer.bound = verdict.bound;
  answer.bounded = verdict.bounded;
}

// Up to the first wrong answer.
void run_all(const protocol::VerifyRequest& request, Problem& problem, Prepared& prepared,
             const Tree& tree, protocol::Answer& answer) {
  const Contract contract = request.contract;
  std::optional<std::string> first_output;
  for (const std::uint64_t schedule : request.schedules) {
    probe::set_schedule(schedule);
    for (unsigned run = 0; run < request.repeats; ++run) {
      problem.poison();
      run_to_its_end(prepared, problem, contract, {});
      add(check(problem, contract, tree), answer);
      add_output(problem, contract, tree.summation, answer);
      if (!first_output) first_output = answer.output;
      if (answer.output != *first_output) answer.same_bits = false;
      if (answer.pass) continue;
      if (request.repeats > 1)
        answer.reason += fmt::format(" (run {} of {})", run + 1, request.repeats);
      if (request.schedules.size() > 1) answer.reason += fmt::format(" (schedule {})", schedule);
      return;
    }
  }
}

// runs that nobody waits for: what the first leaves behind, the second meets, and the third what
// that leaves
constexpr unsigned in_a_row = 3;

// The runs before and after the replays show what each leaves to the other.
void replay(Problem& problem, Prepared& prepared, const Tree& tree, protocol::Answer& answer) {
  constexpr unsigned replays = 4;
  answer.pass = true;
  const auto look = [&](const std::string& when) {
    if (!answer.pass) return;
    add(check(problem, Contract::device_result, tree), answer);
    if (!answer.pass) answer.reason += " (" + when + ")";
  };
  const auto run_alone = [&](const char* when) {
    problem.poison();
    run_to_its_end(prepared, problem, Contract::device_result, {});
    look(when);
  };
  run_alone("before it is replayed");
  unsigned replay = 0;
  const auto poison = [&] { problem.poison(); };
  const auto look_again = [&] { look(fmt::format("replay {} of {}", ++replay, replays)); };
  if (probe::replay(prepared, in_a_row, replays, poison, look_again))
    return run_alone("after it was replayed");
  if (!answer.pass) return;
  answer.pass = false;
  answer.skipped = true;
  answer.reason = "its runs cannot be captured in a graph";
}

struct Instance {
  const char* name;
  Problem& problem;
  Prepared& prepared;
};

void run_together(const std::array<Instance, 2>& instances, const Tree& tree,
                  protocol::Answer& answer) {
  constexpr unsigned rounds = 3;
  constexpr Contract contract = Contract::device_result;
  std::vector<probe::Instance> both;
  for (const Instance& one : instances) {
    run_to_its_end(one.prepared, one.problem, contract, {});
    both.push_back({one.prepared, one.problem.inputs()});
  }
  for (unsigned round = 0; round < rounds; ++round) {
    for (const Instance& one : instances) one.problem.poison();
    backend::synchronize({});
    probe::set_schedule(round);
    probe::run_together(both, in_a_row);
    for (const Instance& one : instances) {
      add(check(one.problem, contract, tree), answer);
      if (answer.pass) continue;
      answer.reason +=
          fmt::format(" ({} of two instances, round {} of {})", one.name, round + 1, rounds);
      return;
    }
  }
}

}  // namespace

void verify(std::string_view how, const protocol::VerifyRequest& request, Problem& problem,
            Problem* another, const Rungs& rungs, Trees& trees, const Begin& begin,
            const Answered& answered) {
  for (const Implementation* rung : rungs) {
    begin(rung->path);
    protocol::Answer answer;
    answer.path = rung->path;
    const auto give_up = [&](reports::Verdict verdict, std::string_view reason) {
      answer.pass = false;
      answer.skipped = verdict == reports::Verdict::skipped;
      answer.reason = reason;
    };
    const auto run = [&] {
      if (const auto reason = reason_to_skip(*rung, problem.spec().n))
        return give_up(reports::Verdict::skipped, *reason);
      const auto tree = trees.to_judge(*rung, problem, request.contract);
      trees.release();  // the rung may need the room
      const std::unique_ptr<Prepared> prepared = rung->prepare(problem.device());
      if (how == "verify") return run_all(request, problem, *prepared, *tree, answer);
      if (how == "verify replayed") return replay(problem, *prepared, *tree, answer);
      const std::unique_ptr<Prepared> other = rung->prepare(another->device());
      run_together({{{"the first", problem, *prepared}, {"the second", *another, *other}}}, *tree,
                   answer);
    };
    guarded(
        [&] {
          try {
            run();
          } catch (const backend::Unsupported&) {
            answer.unsupported = true;
            throw;
          }
        },
        give_up);
    answered(answer);
  }
  probe::set_schedule(0);
}

}  // namespace ladder
