// The proof that the clock of the cuda backend is right, as far as it takes a GPU: runs kernels,
// worker processes and ncu, and has compare/proof/ judge what comes back.
#pragma once

#include <vector>

#include "compare/driver/terminal/places.hpp"
#include "compare/proof/check.hpp"

namespace ladder {

struct ClockProof {
  std::vector<proof::Check> checks;
  json evidence = json::object();  // all numbers that the checks are made of
};

// workers: the folder of worker_cuda and of proof/. What one part runs into is a row of the proof,
// and the other parts go on. Throws Interrupted.
ClockProof prove_clock(const fs::path& workers);

}  // namespace ladder
