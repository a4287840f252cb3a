// Every CUDA call is checked: a failed one throws with the call's place and the error's name and meaning.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <stdexcept>

namespace ladder::cuda {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void throw_failure(cudaError_t status, const std::source_location& where);

inline void check(cudaError_t status, const std::source_location& where = std::source_location::current()) {
  if (status != cudaSuccess) throw_failure(status, where);
}

}  // namespace ladder::cuda
