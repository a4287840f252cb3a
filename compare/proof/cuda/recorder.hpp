// CUPTI's records of the kernels that this process runs: the time of each by the GPU's own account.
#pragma once

#include <stdexcept>
#include <string_view>
#include <vector>

namespace ladder::proof {

// There are no records to be had here; the message says why.
struct NoRecords : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Records from its construction on, which comes before the first CUDA call of the process. One in a
// process. Throws NoRecords.
class Recorder {
 public:
  Recorder();

  // Microseconds of each launch so far of kernels with this word in their name, in order. All
  // launches are over. Throws NoRecords.
  std::vector<double> durations_us(std::string_view kernel) const;
};

}  // namespace ladder::proof
