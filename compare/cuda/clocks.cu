// How fast the multiprocessors tick: cycles of one of them over nanoseconds of the GPU's timer, and
// what the driver says holds them down.
#include <cuda_runtime.h>

#include <optional>

#include "compare/cuda/check.hpp"
#include "compare/cuda/nvml.hpp"
#include "compare/worker/backend.hpp"

namespace ladder::clock {

namespace {

using gpu::check;

struct Ticks {
  unsigned long long cycles, nanoseconds;
};

__device__ unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// From one step of the timer to another: on some GPUs it steps a microsecond at a time.
__global__ void count_cycles(unsigned long long least_nanoseconds, Ticks* ticks) {
  const unsigned long long before = nanoseconds();
  unsigned long long start = nanoseconds();
  while (start == before) start = nanoseconds();
  const long long first_cycle = clock64();
  unsigned long long now = nanoseconds();
  while (now - start < least_nanoseconds) now = nanoseconds();
  *ticks = {static_cast<unsigned long long>(clock64() - first_cycle), now - start};
}

double sm_clock_mhz() {
  // nanoseconds: a step too many, of 32, is 0.2 %
  constexpr unsigned long long long_enough = 20'000;
  static Ticks* const ticks = [] {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, sizeof(Ticks), cudaHostAllocMapped));
    return static_cast<Ticks*>(memory);  // freed with the process
  }();
  cudaStream_t const stream = clock::stream();
  count_cycles<<<1, 1, 0, stream>>>(long_enough, ticks);
  check(cudaGetLastError());
  check(cudaStreamSynchronize(stream));
  return 1e3 * static_cast<double>(ticks->cycles) / static_cast<double>(ticks->nanoseconds);
}

}  // namespace

std::optional<reports::Clocks> clocks() {
  const double mhz = sm_clock_mhz();
  return reports::Clocks{mhz, mhz, gpu::slowdowns()};
}

}  // namespace ladder::clock
