// The end of a rung whose threads or blocks each leave a subtotal in a slot of their own in device
// memory.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "compare/launch.hpp"
#include "compare/operations/sum_of_cubes.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

// One block adds `count` slots up: each thread some of them, then a tree in shared memory.
template <class T>
__global__ void add_slots_kernel(const T* slots, unsigned count, T* out) {
  constexpr unsigned adders = 1024;
  __shared__ T tile[adders];
  const Sum plus;
  const unsigned t = threadIdx.x;

  T total = 0;
  for (unsigned k = t; k < count; k += adders) total = plus(total, slots[k]);
  tile[t] = total;
  __syncthreads();

  for (unsigned stride = adders / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = plus(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t == 0) *out = tile[0];
}

// The clock of the multiprocessor, once all threads of its one block have come this far.
__device__ inline long long clock_of_block() {
  __syncthreads();
  return clock64();
}

// A rung of note N2: one block of 1,024 threads, a slot for each. The note adds the slots up on the
// host. It times the kernel by the clock of thread 0, which may be done long before the others;
// here the clock starts and stops when all threads have come to it.
template <class T, void (*kernel)(const T* in, std::size_t n, T* slots, long long* cycles)>
struct OneBlockOfSlots {
  static constexpr unsigned count = 1024;

  typename SumOfCubes<T>::Device device;
  DeviceArray<T> slots{count};
  DeviceArray<long long> cycles{1};
  std::vector<T> on_host = std::vector<T>(count);

  void operator()(Stream stream) {
    fill_slots(stream);
    launch(add_slots_kernel<T>, {1, count}, stream, slots.data(), count, device.out);
  }

  void to_host(Stream stream, T* out) {
    fill_slots(stream);
    backend::download(on_host.data(), slots.data(), count * sizeof(T), stream);
    *out = std::accumulate(on_host.begin(), on_host.end(), T(0), Sum());
  }

  std::uint64_t sm_cycles() {
    long long found = 0;
    backend::download(&found, cycles.data(), sizeof found);
    return static_cast<std::uint64_t>(found);
  }

  void fill_slots(Stream stream) {
    launch(kernel, {1, count}, stream, device.in, device.n, slots.data(), cycles.data());
  }
};

}  // namespace LADDER_UNIT
}  // namespace ladder
