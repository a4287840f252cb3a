// Every CUDA call is checked: a failed one throws with the call's place and the error's name and
// meaning. Also what such calls make: a stream, a stopwatch of two events.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cmath>
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

// On the device in use; it waits for no other.
inline cudaStream_t new_stream() {
  cudaStream_t made{};
  check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
  return made;
}

// The time from one place in a stream to another: two events, on the device in use, which stay with
// the process.
struct Stopwatch {
  Stopwatch() {
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
  }

  // Microseconds from start to stop, both of which are over, in whole nanoseconds: a step of the
  // GPU's clock has 32.
  double us() const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start, stop));
    return std::round(static_cast<double>(milliseconds) * 1e6) / 1e3;
  }

  cudaEvent_t start{}, stop{};
};

// Of the device in use.
inline int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

}  // namespace ladder::gpu
