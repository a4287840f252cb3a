// One run as a contract has it.
#pragma once

#include "compare/backend.hpp"
#include "compare/contract.hpp"
#include "compare/operation.hpp"

namespace ladder {

// Returns when the run is over and its answer is where problem.check(contract) looks for it.
inline void run_to_its_end(Prepared& prepared, Problem& problem, Contract contract, Stream stream) {
  prepared.restore(stream);
  if (contract == Contract::host_result) prepared.run_to_host(stream, problem.host_output());
  else prepared.run(stream);
  backend::synchronize(stream);
}

}  // namespace ladder
