// cuda::atomic, cuda::atomic_ref and cuda::barrier, and the types of cuda::std.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/utility>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

constexpr unsigned threads = 96;

template <cuda::thread_scope scope>
__global__ void sums_kernel(const int* in, int* out) {
  cuda::atomic_ref<int, scope> sum(out[0]), least(out[1]), largest(out[2]), bits(out[3]),
      last(out[4]);
  const int x = in[threadIdx.x];
  sum.fetch_add(x, cuda::memory_order_relaxed);
  least.fetch_min(x);
  largest.fetch_max(x);
  bits.fetch_or(1 << x % 8, cuda::std::memory_order_relaxed);
  int found = last.load(cuda::memory_order_relaxed);
  while (!last.compare_exchange_weak(found, found + 2, cuda::memory_order_acq_rel)) {
  }
}

// A value and the news of it, from one block to the other. Whichever comes second adds both.
__global__ void message_kernel(const int* in, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(out[1]);
  if (blockIdx.x == 0) {
    out[2] = in[0];
    flag.store(1, cuda::memory_order_release);
    return;
  }
  while (flag.load(cuda::memory_order_acquire) == 0) {
  }
  out[0] = out[2] + in[1];
}

__global__ void shared_atomic_kernel(const int* in, int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> sum;
  if (threadIdx.x == 0) sum.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  sum += in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = sum.load();
}

// Each round turns the tile; nobody may be a round ahead.
__global__ void barrier_kernel(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  __shared__ int tile[threads];
  const unsigned t = threadIdx.x;
  if (t == 0) init(&barrier, threads);
  __syncthreads();
  int value = in[t];
  for (int round = 0; round < 3; ++round) {
    tile[t] = value;
    auto token = barrier.arrive();
    barrier.wait(cuda::std::move(token));
    value = tile[(t + 1) % threads];
    barrier.arrive_and_wait();
  }
  out[t] = value;
}

__global__ void types_kernel(const int* in, int* out) {
  cuda::std::array<int, 3> three{in[0], in[1], in[2]};
  cuda::std::swap(three[0], three[2]);
  for (unsigned k = 0; k < 3; ++k) out[k] = three[k];
  out[3] = cuda::std::numeric_limits<int>::max();
}

}  // namespace

TEST_CASE("atomics of any scope lose nothing") {
  const std::vector<int> expected{static_cast<int>(threads * (threads - 1) / 2), 0, threads - 1,
                                  0xff, 2 * threads};
  CHECK(answer(sums_kernel<cuda::thread_scope_device>, {1, threads}, counted<int>(threads), 5) ==
        expected);
  CHECK(answer(sums_kernel<cuda::thread_scope_block>, {1, threads}, counted<int>(threads), 5) ==
        expected);
  CHECK(answer(sums_kernel<cuda::thread_scope_system>, {1, threads}, counted<int>(threads), 5) ==
        expected);
}

TEST_CASE("what a release store announces, an acquire load brings") {
  CHECK(answer(message_kernel, {.grid = 2, .block = 1, .resident = true}, {5, 7}, 3) ==
        std::vector<int>{12, 1, 5});
}

TEST_CASE("an atomic in shared memory") {
  CHECK(answer(shared_atomic_kernel, {1, threads}, counted<int>(threads), threads) ==
        std::vector<int>(threads, threads * (threads - 1) / 2));
}

TEST_CASE("a barrier with phases") {
  std::vector<int> expected;
  for (unsigned t = 0; t < threads; ++t) expected.push_back(static_cast<int>((t + 3) % threads));
  CHECK(answer(barrier_kernel, {1, threads}, counted<int>(threads), threads) == expected);
}

TEST_CASE("types of the standard library") {
  CHECK(answer(types_kernel, {1, 1}, {1, 2, 3}, 4) == std::vector<int>{3, 2, 1, 0x7fffffff});
}
