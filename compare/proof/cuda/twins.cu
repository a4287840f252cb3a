// Implementations of which it is known whether they differ: twins, which are the same, and slower
// ones, which read 2 % more. They stream an input from memory, as most rungs do.
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"

namespace ladder {
namespace {

using T = std::int32_t;
using Device = Reduce<T, Sum>::Device;

constexpr unsigned threads = 512;
constexpr unsigned blocks_per_multiprocessor = 4;
constexpr unsigned whole_warp = 0xffffffff;

__device__ T fold_warp(T value) {
  for (unsigned offset = 16; offset > 0; offset /= 2)
    value = Sum{}(value, __shfl_down_sync(whole_warp, value, offset));
  return value;
}

// A partial sum of two arrays for each block.
__global__ void __launch_bounds__(threads)
    twin_kernel(const T* in, std::size_t n, const T* more, std::size_t m, T* partials) {
  const std::size_t stride = std::size_t{gridDim.x} * threads;
  const std::size_t thread = std::size_t{blockIdx.x} * threads + threadIdx.x;
  T value = 0;
#pragma unroll 4
  for (std::size_t i = thread; i < n; i += stride) value = Sum{}(value, in[i]);
#pragma unroll 4
  for (std::size_t i = thread; i < m; i += stride) value = Sum{}(value, more[i]);

  __shared__ T of_warp[threads / 32];
  value = fold_warp(value);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  value = fold_warp(threadIdx.x < threads / 32 ? of_warp[threadIdx.x] : 0);
  if (threadIdx.x == 0) partials[blockIdx.x] = value;
}

// Two launches: a partial sum of each block, and the sum of those. What is read besides the input
// is zeros, so that the answer stays right.
class Twin final : public Prepared {
 public:
  Twin(const Device& device, std::size_t zeros)
      : device_(device),
        blocks_(blocks_per_multiprocessor * backend::multiprocessors()),
        count_(zeros),
        zeros_(ladder::zeros<T>(zeros)),
        partials_(blocks_) {}

  void restore(Stream) override {}

  void run(Stream stream) override {
    launch(twin_kernel, {blocks_, threads}, stream, device_.in, device_.n, zeros_.data(), count_,
           partials_.data());
    launch(twin_kernel, {1, threads}, stream, partials_.data(), std::size_t{blocks_}, nullptr,
           std::size_t{0}, device_.out);
  }

  void run_to_host(Stream stream, void* out) override {
    run(stream);
    backend::download(out, device_.out, sizeof(T), stream);
  }

 private:
  Device device_;
  unsigned blocks_;
  std::size_t count_;
  DeviceArray<T> zeros_;
  DeviceArray<T> partials_;
};

// percent: that it reads besides.
template <unsigned percent>
std::unique_ptr<Prepared> prepare(const void* device) {
  const auto& arguments = *static_cast<const Device*>(device);
  return std::make_unique<Twin>(arguments, arguments.n * percent / 100);
}

// Under as many names as one request may have of a kind.
struct Registration {
  Registration() {
    for (unsigned k = 0; k < 20; ++k) {
      add("proof/reduce/twin_" + std::to_string(k), prepare<0>);
      add("proof/reduce/slower_" + std::to_string(k), prepare<2>);
    }
  }

  void add(const std::string& path, std::unique_ptr<Prepared> (*prepare)(const void*)) {
    static std::deque<std::string> paths;
    register_implementation(
        {.path = paths.emplace_back(path),
         .operation = Reduce<T, Sum>::name,
         .op = Sum::name,
         .dtype = dtype_of<T>(),
         .card = {.idea = "One of many that are known to be equal, or to read 2 % more."},
         .prepare = prepare});
  }
};

const Registration registration;

}  // namespace
}  // namespace ladder
