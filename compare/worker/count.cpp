#include "compare/worker/count.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "compare/worker/judge.hpp"
#include "compare/worker/run.hpp"
#include "compare/worker/run_each_rung.hpp"

namespace ladder {
namespace {

constexpr Contract contract = Contract::device_result;

void count(const Implementation& rung, reports::Cache cache, Problem& problem, Trees& trees,
           protocol::MeasuredCell& cell) {
  forget_what_was();
  const auto tree = trees.to_judge(rung, problem, contract);
  trees.release();  // the rung may need the room
  const auto prepared = rung.prepare(problem.device());
  if (prepared->devices() > 0)
    throw std::runtime_error("the hardware's counters are read on one device");
  const auto run = [&] { run_to_its_end(*prepared, problem, contract, clock::stream()); };
  problem.poison();
  run();  // the first run of some libraries still sets things up
  if (!judge(rung, check(problem, contract, *tree), cell)) return;
  const auto prepare = [&] {
    if (cache == reports::Cache::warm) run();
    problem.poison();
    prepared->restore(clock::stream());
    clock::treat_cache(cache, 0);
    prepared->wait(clock::stream());
  };
  const auto counted = [&] {
    prepared->run(clock::stream());
    prepared->wait(clock::stream());
  };
  const reports::Counters counters = counters::read(prepare, counted);
  if (judge(rung, check(problem, contract, *tree), cell)) cell.counters = counters;
}

}  // namespace

void count(const protocol::MeasureRequest& request, const std::vector<probe::Entry>& entries,
           Trees& trees, const probe::Reporter& report) {
  run_each_rung(
      entries, report,
      [&](const Implementation& rung, Problem& problem, protocol::MeasuredCell& cell) {
        guarded(
            [&] {
              count(rung, request.cache.value_or(reports::Cache::cold), problem, trees, cell);
            },
            // whatever stood in the way, it says nothing of the answer, and the times stand
            [&](reports::Verdict, const char* reason) {
              cell.verdict = reports::Verdict::skipped;
              cell.reason = fmt::format("not counted: {}", reason);
            });
      });
}

}  // namespace ladder
