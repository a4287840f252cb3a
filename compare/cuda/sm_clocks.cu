// How fast the multiprocessors tick: cycles of one of them over nanoseconds of the GPU's timer, and
// what the driver says holds them down.
#include <cuda_runtime.h>

#include <optional>

#include "compare/cuda/nvml.hpp"
#include "compare/launch.hpp"
#include "compare/worker/backend.hpp"

namespace ladder::clock {

namespace {

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
  // freed with the process
  static auto* const ticks = static_cast<Ticks*>(backend::allocate_on_host(sizeof(Ticks)));
  launch(count_cycles, {1, 1}, stream(), long_enough, ticks);
  backend::synchronize(stream());
  return 1e3 * static_cast<double>(ticks->cycles) / static_cast<double>(ticks->nanoseconds);
}

}  // namespace

std::optional<reports::Clocks> clocks() {
  const double mhz = sm_clock_mhz();
  return reports::Clocks{mhz, mhz, gpu::slowdowns()};
}

}  // namespace ladder::clock
