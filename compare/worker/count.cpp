#include "compare/worker/count.hpp"

#include "compare/backend.hpp"
#include "compare/worker/clock.hpp"
#include "compare/worker/counters.hpp"
#include "compare/worker/judge.hpp"
#include "compare/worker/one_by_one.hpp"
#include "compare/worker/run.hpp"

namespace ladder {

void count(const protocol::MeasureRequest& request, Problem& problem, const std::vector<const Implementation*>& rungs, Trees& trees,
           const probe::Reporter& report) {
  constexpr Contract contract = Contract::device_result;
  one_by_one(rungs, problem, report, [&](const Implementation& rung, protocol::MeasuredCell& cell) {
    const auto tree = problem.depends_on_summation() ? trees.of(rung, problem, contract) : std::make_shared<const Tree>();
    trees.release();  // the rung may need the room
    const auto prepared = rung.prepare(problem.device());
    problem.poison();
    run_to_its_end(*prepared, problem, contract, clock::stream());  // the first run of some libraries still sets things up
    if (!judge(rung, check(problem, contract, *tree), cell)) return;
    cell.counters = counters::read(
        [&] {
          problem.poison();
          prepared->restore(clock::stream());
          clock::treat_cache(request.cache.value_or("cold"));
          backend::synchronize(clock::stream());
        },
        [&] {
          prepared->run(clock::stream());
          backend::synchronize(clock::stream());
        });
    if (!judge(rung, check(problem, contract, *tree), cell)) cell.counters.reset();
  });
}

}  // namespace ladder
