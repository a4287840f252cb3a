// `ladder check-kernels`: every rung under the emulated backend's checker, for which no GPU is
// needed.
#pragma once

#include "compare/driver/plan/selection.hpp"

namespace ladder {

struct CheckKernelsOptions {
  // of operations, operators, rungs, dtypes, sizes, distributions, bins, offsets and devices
  Selection selection;
  // other orders of blocks and threads, besides the one in which each runs to its next barrier
  unsigned seeds = 4;
  bool quick = false;   // fewer sizes, and nothing else varied
  double timeout = 60;  // seconds, of silence: a sign of life comes with each order
  bool as_json = false;
};

// Returns the exit code: 1 where there is a finding in a rung that claims to be right, or none in
// one that is wrong on purpose. Throws UsageError.
int check_kernels_command(CheckKernelsOptions options, const fs::path& workers);

}  // namespace ladder
