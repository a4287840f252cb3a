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

// Reads everything; writes only if the sum is one that no input here has, so that the reads are not removed.
__global__ void read_all(const uint4* in, std::size_t count, unsigned* sink) {
  unsigned sum = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + 3 * stride < count; i += 4 * stride) {
    uint4 loaded[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) loaded[k] = in[i + k * stride];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) sum |= loaded[k].x | loaded[k].y | loaded[k].z | loaded[k].w;
  }
  for (; i < count; i += stride) sum |= in[i].x | in[i].y | in[i].z | in[i].w;
  if (sum == 0xdeadbeef) *sink = sum;
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
  const auto measure = [&](const char* access, const char* size_class, std::size_t bytes, std::size_t moved, const std::function<void()>& enqueue) {
    found.push_back({"cuda", access, size_class, moved, best_gbps(moved, bytes == dram_bytes ? 10 : 50, stream, enqueue)});
  };
  const std::size_t cache_bytes = std::max(alignment, std::min(l2_bytes / 4, dram_bytes) / alignment * alignment);
  for (const auto& [size_class, bytes] : {std::pair{"dram", dram_bytes}, std::pair{"cache", cache_bytes}}) {
    const unsigned blocks = 4 * static_cast<unsigned>(properties.multiProcessorCount);
    measure("read", size_class, bytes, bytes,
            [&, bytes = bytes] { read_all<<<blocks, threads, 0, stream>>>(reinterpret_cast<const uint4*>(from), bytes / sizeof(uint4), sink); });
    measure("write", size_class, bytes, bytes, [&, bytes = bytes] { check(cudaMemsetAsync(to, 2, bytes, stream)); });
    measure("copy", size_class, bytes, 2 * bytes, [&, bytes = bytes] { check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream)); });
  }
  check(cudaFree(from));
  check(cudaFree(to));
  check(cudaFree(sink));
  check(cudaStreamDestroy(stream));
  return found;
}

}  // namespace ladder::probe
