// What this GPU's memory can do at best: reading, writing and copying, each by the best of the ways tried here.
#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "compare/cuda/check.hpp"
#include "compare/worker/probe.hpp"

namespace ladder::probe {

namespace {

using cuda::check;

constexpr unsigned threads = 512;

// Each thread's elements of `count`, `rounds` times over: more than once where the data stays in the L2 cache, so that the launch does not count.
template <class Visit>
__device__ void visit_all(std::size_t count, unsigned rounds, Visit visit) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll 4
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) visit(i);
  }
}

// Writes only if the sum is one that no input here has, so that the reads are not removed. __ldcg: past the L1 cache.
__global__ void read_all(const uint4* in, std::size_t count, unsigned rounds, unsigned* sink) {
  unsigned sum = 0;
  visit_all(count, rounds, [&](std::size_t i) {
    const uint4 loaded = __ldcg(in + i);
    sum |= loaded.x | loaded.y | loaded.z | loaded.w;
  });
  if (sum == 0xdeadbeef) *sink = sum;
}

__global__ void write_all(uint4* out, std::size_t count, unsigned rounds) {
  visit_all(count, rounds, [&](std::size_t i) { __stcg(out + i, make_uint4(1, 2, 3, 4)); });
}

__global__ void copy_all(const uint4* in, uint4* out, std::size_t count, unsigned rounds) {
  visit_all(count, rounds, [&](std::size_t i) { __stcg(out + i, __ldcg(in + i)); });
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
  const auto measure = [&](const char* size_class, std::size_t bytes, unsigned rounds, unsigned repeats) {
    const auto* const source = reinterpret_cast<const uint4*>(from);
    auto* const target = reinterpret_cast<uint4*>(to);
    const std::size_t count = bytes / sizeof(uint4);
    const auto best = [&](const char* access, std::size_t moved, const std::function<void()>& enqueue) {
      found.push_back({"cuda", access, size_class, moved, best_gbps(moved, repeats, stream, enqueue)});
    };
    best("read", rounds * bytes, [&] { read_all<<<blocks, threads, 0, stream>>>(source, count, rounds, sink); });
    best("write", rounds * bytes, [&] { write_all<<<blocks, threads, 0, stream>>>(target, count, rounds); });
    best("copy", 2 * rounds * bytes, [&] { copy_all<<<blocks, threads, 0, stream>>>(source, target, count, rounds); });
  };
  measure("dram", dram_bytes, 1, 10);
  measure("cache", std::max(alignment, std::min(l2_bytes / 4, dram_bytes) / alignment * alignment), 32, 10);
  check(cudaFree(from));
  check(cudaFree(to));
  check(cudaFree(sink));
  check(cudaStreamDestroy(stream));
  return found;
}

}  // namespace ladder::probe
