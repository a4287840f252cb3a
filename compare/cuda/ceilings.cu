// What this GPU's memory can do at best: reading, writing and copying, each by the best of the ways
// tried here. And what lies between two GPUs.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cuda/atomic>
#include <functional>
#include <type_traits>
#include <vector>

#include "compare/cuda/check.hpp"
#include "compare/launch.hpp"
#include "compare/worker/backend.hpp"
#include "reports/numbers/statistics.hpp"

namespace ladder::probe {

namespace {

using gpu::check;

constexpr unsigned threads = 512;

// Calls visit(first, step, k) for k elements at a time, first, first + step, .., until each thread
// has had its share of `count`; `rounds` times over: more than once where the data stays in the L2
// cache, so that the launch does not count.
template <class Visit>
__device__ void visit_all(std::size_t count, unsigned rounds, Visit visit) {
  constexpr unsigned at_once = 4;  // loads in flight
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (unsigned round = 0; round < rounds; ++round) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i + (at_once - 1) * stride < count; i += at_once * stride)
      visit(i, stride, std::integral_constant<unsigned, at_once>());
    for (; i < count; i += stride) visit(i, stride, std::integral_constant<unsigned, 1>());
  }
}

// __ldcg: past the L1 cache.
template <unsigned many>
__device__ void load(const uint4* from, std::size_t step, uint4 (&to)[many]) {
#pragma unroll
  for (unsigned k = 0; k < many; ++k) to[k] = __ldcg(from + k * step);
}

template <unsigned many>
__device__ void store(const uint4 (&from)[many], uint4* to, std::size_t step) {
#pragma unroll
  for (unsigned k = 0; k < many; ++k) __stcg(to + k * step, from[k]);
}

// Writes only if the sum is one that no input here has, so that the reads are not removed.
__global__ void read_all(const uint4* in, std::size_t count, unsigned rounds, unsigned* sink) {
  unsigned sum = 0;
  visit_all(count, rounds, [&](std::size_t i, std::size_t step, auto many) {
    uint4 loaded[many];
    load(in + i, step, loaded);
#pragma unroll
    for (const uint4& one : loaded) sum |= one.x | one.y | one.z | one.w;
  });
  if (sum == 0xdeadbeef) *sink = sum;
}

__global__ void write_all(uint4* out, std::size_t count, unsigned rounds) {
  visit_all(count, rounds, [&](std::size_t i, std::size_t step, auto many) {
    uint4 written[many];
#pragma unroll
    for (uint4& one : written) one = make_uint4(1, 2, 3, 4);
    store(written, out + i, step);
  });
}

__global__ void copy_all(const uint4* in, uint4* out, std::size_t count, unsigned rounds) {
  visit_all(count, rounds, [&](std::size_t i, std::size_t step, auto many) {
    uint4 loaded[many];
    load(in + i, step, loaded);
    store(loaded, out + i, step);
  });
}

// By the best of these ways, each the best of some runs.
reports::Ceiling ceiling(reports::Access access, reports::Memory memory, std::size_t bytes,
                         cudaStream_t stream, const std::vector<std::function<void()>>& ways) {
  constexpr unsigned repeats = 10;
  static const gpu::Stopwatch watch;
  double gbps = 0;
  for (const auto& enqueue : ways) {
    for (unsigned k = 0; k < repeats; ++k) {
      check(cudaEventRecord(watch.start, stream));
      enqueue();
      check(cudaGetLastError());
      check(cudaEventRecord(watch.stop, stream));
      check(cudaEventSynchronize(watch.stop));
      gbps = std::max(gbps, static_cast<double>(bytes) / (watch.us() * 1e3));
    }
  }
  return {reports::Backend::cuda, access, memory, bytes, gbps};
}

std::vector<reports::Ceiling> in_own_memory() {
  std::size_t available = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&available, &total));
  const auto l2_bytes = static_cast<std::size_t>(gpu::attribute(cudaDevAttrL2CacheSize));

  constexpr std::size_t alignment = 4096;
  const std::size_t dram_bytes =
      std::min<std::size_t>(std::size_t{4} << 30, available / 4) / alignment * alignment;
  const DeviceArray<uint4> from(dram_bytes / sizeof(uint4)), to(dram_bytes / sizeof(uint4));
  const DeviceArray<unsigned> sink(1);
  backend::fill(from.data(), 1, dram_bytes);
  cudaStream_t const stream = clock::stream();

  std::vector<reports::Ceiling> found;
  const unsigned blocks = 4 * backend::multiprocessors();
  const auto measure = [&](reports::Memory memory, std::size_t bytes, unsigned rounds) {
    uint4 *const source = from.data(), *const target = to.data();
    const std::size_t count = bytes / sizeof(uint4);
    std::vector<std::function<void()>> writing{
        [&] { write_all<<<blocks, threads, 0, stream>>>(target, count, rounds); }};
    std::vector<std::function<void()>> copying{
        [&] { copy_all<<<blocks, threads, 0, stream>>>(source, target, count, rounds); }};
    if (rounds == 1) {  // the runtime's own way, which goes over the data once
      writing.emplace_back([&] { check(cudaMemsetAsync(target, 2, bytes, stream)); });
      copying.emplace_back(
          [&] { check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream)); });
    }
    std::vector<std::function<void()>> reading;
    // what reads best differs from one GPU to the next
    for (const unsigned waves : {1U, 2U, 8U, 32U})
      reading.emplace_back([&, waves] {
        read_all<<<waves * blocks, threads, 0, stream>>>(source, count, rounds, sink.data());
      });
    found.push_back(ceiling(reports::Access::read, memory, rounds * bytes, stream, reading));
    found.push_back(ceiling(reports::Access::write, memory, rounds * bytes, stream, writing));
    found.push_back(ceiling(reports::Access::copy, memory, 2 * rounds * bytes, stream, copying));
  };
  measure(reports::Memory::dram, dram_bytes, 1);
  measure(reports::Memory::cache,
          std::max(alignment, std::min(l2_bytes / 4, dram_bytes) / alignment * alignment), 32);
  return found;
}

// Of a device, which is in use from here on.
template <class T>
DeviceArray<T> array_on(unsigned device, std::size_t count) {
  backend::use(device);
  DeviceArray<T> array(count);
  backend::fill(array.data(), 1, count * sizeof(T));
  return array;
}

// Two devices send each other flags in turns, each into the memory of the other. One that waits for
// about a second gives up.
__global__ void exchange_flags(unsigned* own, unsigned* others, unsigned rounds, bool begins,
                               unsigned* gave_up) {
  using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;
  constexpr long long limit_cycles = 2'000'000'000;
  for (unsigned round = 1; round <= rounds; ++round) {
    if (begins) Flag(*others).store(round, cuda::memory_order_release);
    const long long start = clock64();
    while (Flag(*own).load(cuda::memory_order_acquire) < round) {
      if (clock64() - start > limit_cycles) {
        *gave_up = 1;
        return;
      }
    }
    if (!begins) Flag(*others).store(round, cuda::memory_order_release);
  }
}

// Microseconds until a flag that one device stores is seen by the other.
double flag_us(const std::array<cudaStream_t, 2>& streams) {
  constexpr unsigned rounds = 1000;
  constexpr unsigned repeats = 11;
  // of each device: its flag, and whether it gave up
  const std::array words{array_on<unsigned>(0, 2), array_on<unsigned>(1, 2)};
  backend::use(0);
  const gpu::Stopwatch watch;
  const auto exchange = [&](unsigned times) {
    for (const unsigned device : {1U, 0U}) {
      backend::use(device);
      backend::fill(words[device].data(), 0, 2 * sizeof(unsigned));
    }
    const auto enqueue = [&](unsigned device) {
      backend::use(device);
      unsigned* const own = words[device].data();
      launch(exchange_flags, {1, 1}, {streams[device]}, own, words[1 - device].data(), times,
             device == 0, own + 1);
    };
    enqueue(1);
    backend::use(0);
    check(cudaEventRecord(watch.start, streams[0]));
    enqueue(0);
    check(cudaEventRecord(watch.stop, streams[0]));
    for (const unsigned device : {1U, 0U}) {
      unsigned gave_up = 0;
      backend::use(device);
      backend::download(&gave_up, words[device].data() + 1, sizeof gave_up, {streams[device]});
      if (gave_up != 0)
        throw gpu::Failure("a device waited for a flag of another, and gave up after a second");
    }
    return watch.us();
  };
  exchange(0);  // loads the kernel on both, which could not be done while one of them waits
  std::vector<double> times;
  for (unsigned k = 0; k < repeats; ++k) times.push_back(exchange(rounds) / (2 * rounds));
  return statistics::median(times);
}

void add_between_devices(Limits& found) {
  std::array<cudaStream_t, 2> streams{};
  for (const int device : {0, 1}) {
    int can_reach = 0;
    check(cudaDeviceCanAccessPeer(&can_reach, device, 1 - device));
    if (can_reach == 0) return;
    streams[device] = backend::stream_of(static_cast<unsigned>(device));
  }
  constexpr std::size_t bytes = std::size_t{1} << 28;  // over NVLink a millisecond
  constexpr std::size_t count = bytes / sizeof(uint4);
  const DeviceArray<uint4> far = array_on<uint4>(1, count), near = array_on<uint4>(0, count);
  const DeviceArray<unsigned> sink(1);
  const unsigned blocks = 4 * backend::multiprocessors();

  const auto add = [&](reports::Access access, const std::function<void()>& enqueue) {
    found.ceilings.push_back(ceiling(access, reports::Memory::peer, bytes, streams[0], {enqueue}));
  };
  add(reports::Access::read,
      [&] { read_all<<<blocks, threads, 0, streams[0]>>>(far.data(), count, 1, sink.data()); });
  add(reports::Access::write,
      [&] { write_all<<<blocks, threads, 0, streams[0]>>>(far.data(), count, 1); });
  add(reports::Access::copy,
      [&] { check(cudaMemcpyPeerAsync(near.data(), 0, far.data(), 1, bytes, streams[0])); });
  found.overheads.push_back({reports::Backend::cuda, Contract::device_result,
                             "a flag to another device", flag_us(streams)});
}

}  // namespace

Limits limits(unsigned devices) {
  Limits found{in_own_memory(), clock::overheads()};
  if (devices > 1) add_between_devices(found);
  return found;
}

}  // namespace ladder::probe
