// What this GPU's memory can do at best: reading, writing and copying, each by the best of the ways tried here.
#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <vector>

#include "compare/cuda/check.hpp"
#include "compare/worker/backend.hpp"

namespace ladder::probe {

namespace {

using gpu::check;

constexpr unsigned threads = 512;

// Calls visit(first, step, k) for k elements at a time, first, first + step, .., until each thread has had its share of `count`; `rounds` times over:
// more than once where the data stays in the L2 cache, so that the launch does not count.
template <class Visit>
__device__ void visit_all(std::size_t count, unsigned rounds, Visit visit) {
  constexpr unsigned at_once = 4;  // loads in flight
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (unsigned round = 0; round < rounds; ++round) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i + (at_once - 1) * stride < count; i += at_once * stride) visit(i, stride, std::integral_constant<unsigned, at_once>());
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

// Best of `repeats` runs, in 10^9 bytes per second.
double best_gbps(std::size_t bytes, unsigned repeats, cudaStream_t stream, const std::function<void()>& enqueue) {
  cudaEvent_t start{};
  cudaEvent_t stop{};
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  double best = 0;
  for (unsigned k = 0; k < repeats; ++k) {
    check(cudaEventRecord(start, stream));
    enqueue();
    check(cudaGetLastError());
    check(cudaEventRecord(stop, stream));
    check(cudaEventSynchronize(stop));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start, stop));
    best = std::max(best, static_cast<double>(bytes) / (static_cast<double>(milliseconds) * 1e6));
  }
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  return best;
}

}  // namespace

std::vector<reports::Ceiling> ceilings() {
  int device = 0;
  cudaDeviceProp properties{};
  std::size_t available = 0;
  std::size_t total = 0;
  check(cudaGetDevice(&device));
  check(cudaGetDeviceProperties(&properties, device));
  check(cudaMemGetInfo(&available, &total));
  const auto l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);

  constexpr std::size_t alignment = 4096;
  const std::size_t dram_bytes = std::min<std::size_t>(std::size_t{4} << 30, available / 4) / alignment * alignment;
  char* from = nullptr;
  char* to = nullptr;
  unsigned* sink = nullptr;
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaMalloc(&from, dram_bytes));
  check(cudaMalloc(&to, dram_bytes));
  check(cudaMalloc(&sink, sizeof(unsigned)));
  check(cudaMemset(from, 1, dram_bytes));

  std::vector<reports::Ceiling> found;
  const unsigned blocks = 4 * static_cast<unsigned>(properties.multiProcessorCount);
  const auto measure = [&](reports::Memory memory, std::size_t bytes, unsigned rounds, unsigned repeats) {
    const auto* const source = reinterpret_cast<const uint4*>(from);
    auto* const target = reinterpret_cast<uint4*>(to);
    const std::size_t count = bytes / sizeof(uint4);
    const auto best = [&](reports::Access access, std::size_t moved, const std::vector<std::function<void()>>& ways) {
      double gbps = 0;
      for (const auto& way : ways) gbps = std::max(gbps, best_gbps(moved, repeats, stream, way));
      found.push_back({reports::Backend::cuda, access, memory, moved, gbps});
    };
    std::vector<std::function<void()>> writing{[&] { write_all<<<blocks, threads, 0, stream>>>(target, count, rounds); }};
    std::vector<std::function<void()>> copying{[&] { copy_all<<<blocks, threads, 0, stream>>>(source, target, count, rounds); }};
    if (rounds == 1) {  // the runtime's own way, which goes over the data once
      writing.emplace_back([&] { check(cudaMemsetAsync(target, 2, bytes, stream)); });
      copying.emplace_back([&] { check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream)); });
    }
    std::vector<std::function<void()>> reading;
    for (const unsigned waves : {1U, 2U, 8U, 32U})  // what reads best differs from one GPU to the next
      reading.emplace_back([&, waves] { read_all<<<waves * blocks, threads, 0, stream>>>(source, count, rounds, sink); });
    best(reports::Access::read, rounds * bytes, reading);
    best(reports::Access::write, rounds * bytes, writing);
    best(reports::Access::copy, 2 * rounds * bytes, copying);
  };
  measure(reports::Memory::dram, dram_bytes, 1, 10);
  measure(reports::Memory::cache, std::max(alignment, std::min(l2_bytes / 4, dram_bytes) / alignment * alignment), 32, 10);
  check(cudaFree(from));
  check(cudaFree(to));
  check(cudaFree(sink));
  check(cudaStreamDestroy(stream));
  return found;
}

}  // namespace ladder::probe
