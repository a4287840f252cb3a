#include "compare/worker/changed_input.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "compare/worker/run.hpp"

namespace ladder {

std::string complaint_on_changed_input(const Implementation& rung, const Kind& kind,
                                       const ProblemSpec& spec, Contract contract, Trees& trees) {
  constexpr std::uint64_t enough = 1009;  // a prime; every rung takes so many, in no time
  constexpr Stream stream;
  ProblemSpec first = spec;
  first.n = std::min(spec.n, enough);
  ProblemSpec second = first;
  second.seed += 1;

  const std::unique_ptr<Problem> problem = kind.pose(first);
  const auto tree = trees.to_judge(rung, *problem, contract);
  const std::unique_ptr<Prepared> prepared = rung.prepare(problem->device());
  run_to_its_end(*prepared, *problem, contract, stream);
  if (!check(*problem, contract, *tree).pass) return {};
  problem->become(*kind.pose(second));
  run_to_its_end(*prepared, *problem, contract, stream);
  return check(*problem, contract, *tree).reason;
}

}  // namespace ladder
