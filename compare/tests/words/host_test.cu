// Host code as CUDA C++ writes it: launches that leave something to the compiler, and calls of the
// runtime.
#include <cooperative_groups.h>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

constexpr unsigned threads = 32;

__global__ void scaled_kernel(const int* in, int* out, int by = 3) {
  out[threadIdx.x] = by * in[threadIdx.x];
}

template <unsigned first, class T, class F>
__global__ void mapped_kernel(const T* in, T* out, F function) {
  out[threadIdx.x] = function(in[threadIdx.x] + static_cast<T>(first));
}

struct Twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};

__constant__ int weights[threads];
__device__ int total;

__global__ void weighted_kernel(const int* in, int* out) {
  out[threadIdx.x] = weights[threadIdx.x] * in[threadIdx.x];
  if (threadIdx.x == 0) total = in[1] + in[2];
}

#define LAUNCH_OF_SIZE(size)                              \
  case size:                                              \
    scaled_kernel<<<1, size, 0, stream>>>(in, out, size); \
    break

void launch_of_size(unsigned size, const int* in, int* out, cudaStream_t stream) {
  switch (size) {
    LAUNCH_OF_SIZE(8);
    LAUNCH_OF_SIZE(16);
  }
}

std::vector<int> times(int factor, int count = threads) {
  std::vector<int> all = counted<int>(threads);
  for (int k = 0; k < static_cast<int>(threads); ++k)
    all[static_cast<unsigned>(k)] = k < count ? factor * k : 0;
  return all;
}

}  // namespace

TEST_CASE("a launch leaves default arguments and those of the template to the compiler") {
  const auto in = uploaded(counted<int>(threads));
  const auto out = uploaded(std::vector<int>(threads));
  scaled_kernel<<<1, threads>>>(in.data(), out.data());
  CHECK(cudaGetLastError() == cudaSuccess);
  backend::synchronize({});
  CHECK(downloaded(out, threads) == times(3));
  scaled_kernel<<<1, threads, 0, 0>>>(in.data(), out.data(), 4);
  backend::synchronize({});
  CHECK(downloaded(out, threads) == times(4));
  mapped_kernel<0><<<dim3(1), threads, 0, nullptr>>>(in.data(), out.data(), Twice());
  backend::synchronize({});
  CHECK(downloaded(out, threads) == times(2));
}

TEST_CASE("a macro launches") {
  const auto in = uploaded(counted<int>(threads));
  const auto out = uploaded(std::vector<int>(threads));
  launch_of_size(8, in.data(), out.data(), Stream{});
  backend::synchronize({});
  CHECK(downloaded(out, threads) == times(8, 8));
  launch_of_size(16, in.data(), out.data(), nullptr);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(downloaded(out, threads) == times(16, 16));
}

// clang-format off
void launch_with_blanks(const int* in, int* out, cudaStream_t stream) {
  scaled_kernel << <1, threads, 0, stream >> > (in, out, 5);
}
// clang-format on

TEST_CASE("a launch may have blanks within its brackets") {
  const auto in = uploaded(counted<int>(threads));
  const auto out = uploaded(std::vector<int>(threads));
  launch_with_blanks(in.data(), out.data(), nullptr);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(downloaded(out, threads) == times(5));
}

TEST_CASE("a launch is in a cudaStream_t or in a Stream") {
  const auto in = uploaded(counted<int>(threads));
  const auto out = uploaded(std::vector<int>(threads));
  const cudaStream_t stream = backend::stream_of(0);
  launch(scaled_kernel, {1, threads}, stream, in.data(), out.data(), 6);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(downloaded(out, threads) == times(6));
  launch(scaled_kernel, {1, threads}, backend::stream_of(0), in.data(), out.data(), 7);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(downloaded(out, threads) == times(7));
}

__global__ void reversed_kernel(const int* in, int* middle, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  middle[i] = in[i];
  cooperative_groups::this_grid().sync();
  out[i] = middle[gridDim.x * blockDim.x - 1 - i];
}

TEST_CASE("a call of the runtime launches a grid whose blocks wait for each other") {
  int device = -1, blocks = 0;
  cudaDeviceProp properties{};
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(cudaGetDeviceProperties(&properties, device) == cudaSuccess);
  CHECK(properties.multiProcessorCount == static_cast<int>(backend::multiprocessors()));
  CHECK(properties.warpSize == 32);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reversed_kernel, 16, 0) ==
        cudaSuccess);
  CHECK(static_cast<unsigned>(blocks) * backend::multiprocessors() ==
        resident_blocks(reversed_kernel, 16, 0));

  const std::vector<int> values = counted<int>(threads);
  const auto in = uploaded(values), middle = uploaded(std::vector<int>(threads)),
             out = uploaded(std::vector<int>(threads));
  const int* from = in.data();
  int *scratch = middle.data(), *to = out.data();
  void* arguments[] = {&from, &scratch, &to};
  CHECK(cudaLaunchCooperativeKernel(reversed_kernel, 2, threads / 2, arguments) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(downloaded(out, threads) == std::vector<int>(values.rbegin(), values.rend()));

  int factor = 8;
  void* others[] = {&from, &to, &factor};
  CHECK(cudaLaunchKernel(scaled_kernel, 1, threads, others, 0, backend::stream_of(0)) ==
        cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(downloaded(out, threads) == times(8));
}

TEST_CASE("calls of the runtime fill and copy") {
  const cudaStream_t stream = backend::stream_of(0);
  const std::size_t bytes = threads * sizeof(int);
  std::vector<int> on_host(threads, 1);
  int *in = nullptr, *out = nullptr, sum = 0;
  CHECK(cudaMalloc(&in, bytes) == cudaSuccess);
  CHECK(cudaMalloc(&out, bytes) == cudaSuccess);
  const auto given = counted<int>(threads);
  CHECK(cudaMemcpy(in, given.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemsetAsync(out, 0, bytes, stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(on_host.data(), out, bytes, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(on_host == std::vector<int>(threads));

  const std::vector<int> sevens(threads, 7);
  CHECK(cudaMemcpyToSymbol(weights, sevens.data(), bytes) == cudaSuccess);
  CHECK(cudaMemcpyToSymbol(weights, &given[3], sizeof(int), 2 * sizeof(int)) == cudaSuccess);
  weighted_kernel<<<1, threads, 0, stream>>>(in, out);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(cudaMemcpyAsync(in, out, bytes, cudaMemcpyDeviceToDevice, stream) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaMemcpy(on_host.data(), in, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  std::vector<int> expected = times(7);
  expected[2] = 3 * 2;
  CHECK(on_host == expected);
  CHECK(cudaMemcpyFromSymbol(&sum, total, sizeof sum) == cudaSuccess);
  CHECK(sum == 3);
  CHECK(cudaMemset(in, 0xff, bytes) == cudaSuccess);
  CHECK(cudaMemcpy(on_host.data(), in, bytes, cudaMemcpyDefault) == cudaSuccess);
  CHECK(on_host == std::vector<int>(threads, -1));
  CHECK(cudaFree(in) == cudaSuccess);
  CHECK(cudaFree(out) == cudaSuccess);
}
