// One run as a contract has it, and what has to be forgotten before the first.
#pragma once

#include <exception>

#include "compare/worker/backend.hpp"

namespace ladder {

// Returns when the run is over and its answer is where problem.check(contract) looks for it.
inline void run_to_its_end(Prepared& prepared, Problem& problem, Contract contract, Stream stream) {
  prepared.restore(stream);
  if (contract == Contract::host_result) prepared.run_to_host(stream, problem.host_output());
  else prepared.run(stream);
  prepared.wait(stream);
}

// On a backend that has a clock: what an implementation that ran before left behind is nobody's
// fault now.
inline void forget_what_was() {
  try {
    clock::inspect();
  } catch (const backend::DeviceLost&) {
    throw;
  } catch (const std::exception&) {
  }
}

}  // namespace ladder
