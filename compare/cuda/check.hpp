// Every CUDA call is checked: a failed one throws with the call's place and the error's name and
// meaning.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <source_location>
#include <stdexcept>

namespace ladder::gpu {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// some call of this process succeeded: there is a device, and if it no longer answers, it is lost
inline std::atomic<bool> has_answered = false;

// Throws backend::DeviceLost where no further call would succeed, else Failure.
[[noreturn]] void throw_failure(cudaError_t status, const std::source_location& where);

inline void check(cudaError_t status,
                  const std::source_location& where = std::source_location::current()) {
  if (status != cudaSuccess) throw_failure(status, where);
  has_answered = true;
}

// Of the device in use.
inline int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

}  // namespace ladder::gpu
