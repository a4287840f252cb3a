// Launches and shared memory as CUDA C++ writes them.
#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

constexpr unsigned threads = 64;

template <class T>
__global__ void turned_kernel(const T* in, T* out, T added) {
  extern __shared__ T tile[];
  static __shared__ T first;
  tile[threadIdx.x] = in[blockIdx.x * threads + threadIdx.x];
  if (threadIdx.x == 0) first = added;
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = tile[threads - 1 - threadIdx.x] + first;
}

extern __shared__ int of_all_kernels[];

__global__ void __launch_bounds__(threads)
    doubled_kernel(const int* __restrict__ in, int* __restrict__ out,
                   const __grid_constant__ int count) {
  of_all_kernels[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int* const mine = of_all_kernels + threadIdx.x;
  if (static_cast<int>(threadIdx.x) < count) out[threadIdx.x] = 2 * *mine;
}

}  // namespace

TEST_CASE("a kernel is launched by <<< >>>, with dynamic shared memory by its own name") {
  const auto in = uploaded(counted<int>(2 * threads));
  const DeviceArray<int> out(2 * threads);
  const Stream stream{};
  turned_kernel<int><<<2, threads, threads * sizeof(int), stream>>>(in.data(), out.data(), 5);
  backend::synchronize(stream);
  std::vector<int> expected;
  for (int block = 0; block < 2; ++block)
    for (int t = threads; t-- > 0;) expected.push_back(block * static_cast<int>(threads) + t + 5);
  CHECK(downloaded(out, 2 * threads) == expected);
}

TEST_CASE("dynamic shared memory outside of a function") {
  const auto in = uploaded(counted<int>(threads)), out = uploaded(std::vector<int>(threads));
  doubled_kernel<<<dim3(1), dim3(threads), threads * sizeof(int)>>>(in.data(), out.data(), 10);
  backend::synchronize({});
  std::vector<int> expected(threads);
  for (int k = 0; k < 10; ++k) expected[static_cast<unsigned>(k)] = 2 * k;
  CHECK(downloaded(out, threads) == expected);
}
