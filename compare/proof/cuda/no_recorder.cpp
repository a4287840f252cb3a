// In place of recorder.cpp, where the CUDA toolkit has no CUPTI.
#include "compare/proof/cuda/recorder.hpp"

namespace ladder::proof {

Recorder::Recorder() {
  throw NoRecords("built without CUPTI, which this CUDA toolkit does not have");
}

std::vector<double> Recorder::durations_us(std::string_view) const {
  return {};
}

}  // namespace ladder::proof
