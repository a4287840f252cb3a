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

// Calls action(). What it throws goes to give_up(verdict, reason), but not that the device is lost:
// then no more can be done in this process.
template <class Action, class GiveUp>
void guarded(const Action& action, const GiveUp& give_up) {
  try {
    action();
  } catch (const backend::OutOfMemory& full) {
    give_up(reports::Verdict::skipped, full.what());
  } catch (const backend::Unsupported& what) {
    give_up(reports::Verdict::skipped, what.what());
  } catch (const backend::DeviceLost&) {
    throw;
  } catch (const std::exception& problem) {
    give_up(reports::Verdict::fail, problem.what());
  }
}

// On a backend that has a clock: what an implementation that ran before left behind is nobody's
// fault now.
inline void forget_what_was() {
  guarded([] { clock::inspect(); }, [](reports::Verdict, const char*) {});
}

}  // namespace ladder
