// Blocks and grids: indices, block barriers, shared memory, threads that return early, blocks that
// hand on to later ones.
#include <numeric>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

using namespace ladder;

namespace {

constexpr unsigned schedules = 6;  // 0 and five seeds

__global__ void indices_kernel(unsigned* out) {
  unsigned* mine = out + 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  mine[0] = threadIdx.x;
  mine[1] = blockIdx.x;
  mine[2] = blockDim.x + 1000 * (threadIdx.y + threadIdx.z + blockIdx.y + blockIdx.z);
  mine[3] = gridDim.x * blockDim.y * blockDim.z * gridDim.y * gridDim.z;
}

}  // namespace

TEST_CASE("every thread of every block runs once and knows its place") {
  const unsigned blocks = 3, threads = 70;
  const DeviceArray<unsigned> out(std::size_t{4} * blocks * threads);
  launch(indices_kernel, {blocks, threads}, {}, out.data());
  const auto got = downloaded(out, std::size_t{4} * blocks * threads);
  for (unsigned k = 0; k < blocks * threads; ++k) {
    REQUIRE(std::vector<unsigned>(got.begin() + 4 * k, got.begin() + 4 * k + 4) ==
            std::vector<unsigned>{k % threads, k / threads, threads, blocks});
  }
}

namespace {

template <unsigned threads>
__global__ void static_tree_kernel(const int* in, int* out) {
  __shared__ int tile[threads];
  const unsigned t = threadIdx.x;
  tile[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (unsigned stride = threads / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

__global__ void dynamic_tree_kernel(const int* in, int* out) {
  int* tile = dynamic_shared<int>();
  const unsigned t = threadIdx.x;
  tile[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

std::vector<int> block_sums(const std::vector<int>& values, unsigned threads) {
  std::vector<int> sums(values.size() / threads);
  for (std::size_t b = 0; b < sums.size(); ++b) {
    sums[b] = std::accumulate(values.begin() + static_cast<long>(b * threads),
                              values.begin() + static_cast<long>((b + 1) * threads), 0);
  }
  return sums;
}

}  // namespace

TEST_CASE("a tree in shared memory, static or dynamic, is right under every schedule") {
  const auto values = counted<int>(4096);
  const auto in = uploaded(values);
  const DeviceArray<int> out(64);
  for (unsigned seed = 0; seed < schedules; ++seed) {
    const Schedule schedule(seed);
    launch(static_tree_kernel<64>, {64, 64}, {}, in.data(), out.data());
    CHECK(downloaded(out, 64) == block_sums(values, 64));
    launch(static_tree_kernel<1024>, {4, 1024}, {}, in.data(), out.data());
    CHECK(downloaded(out, 4) == block_sums(values, 1024));
    launch(dynamic_tree_kernel, {4, 1024, 4096}, {}, in.data(), out.data());
    CHECK(downloaded(out, 4) == block_sums(values, 1024));
  }
}

namespace {

__global__ void left_behind_kernel(unsigned* out) {
  unsigned* arena = dynamic_shared<unsigned>();
  out[blockIdx.x] = arena[0];
  arena[0] = 7;
}

__global__ void left_in_static_kernel(unsigned* out) {
  __shared__ unsigned char tile[3];
  for (unsigned k = 0; k < 3; ++k) out[3 * blockIdx.x + k] = tile[k];
  tile[0] = tile[2] = 7;
}

}  // namespace

TEST_CASE("a block does not find what the block before left in dynamic shared memory") {
  const DeviceArray<unsigned> out(2);
  launch(left_behind_kernel, {2, 1, 4}, {}, out.data());
  CHECK(downloaded(out, 2) == std::vector<unsigned>(2, 0xffffffff));
}

TEST_CASE("nor in static shared memory, what no kernel has stored to is the host's, and stays") {
  thread_local std::vector<unsigned> of_host(3, 7);
  const DeviceArray<unsigned> out(9);
  launch(left_in_static_kernel, {3, 1}, {}, out.data());
  CHECK(downloaded(out, 9) == std::vector<unsigned>{0, 0, 0, 0xff, 0, 0xff, 0xff, 0, 0xff});
  CHECK(of_host == std::vector<unsigned>(3, 7));
}

namespace {

__global__ void votes_kernel(int threshold, int* out) {
  const int vote = static_cast<int>(threadIdx.x) < threshold ? 5 : 0;
  const int count = __syncthreads_count(vote);
  const int all = __syncthreads_and(vote);
  const int any = __syncthreads_or(vote);
  int* mine = out + 3 * threadIdx.x;
  mine[0] = count;
  mine[1] = all;
  mine[2] = any;
}

__global__ void early_return_kernel(unsigned stay, int* out) {
  if (threadIdx.x >= stay) return;
  for (int round = 0; round < 3; ++round) {
    out[threadIdx.x] = __syncthreads_count(1);
    __syncthreads();
  }
}

}  // namespace

TEST_CASE("barriers that count") {
  const DeviceArray<int> out(3 * 100);
  for (const int threshold : {0, 1, 37, 99, 100}) {
    for (unsigned seed = 0; seed < schedules; ++seed) {
      const Schedule schedule(seed);
      launch(votes_kernel, {1, 100}, {}, threshold, out.data());
      std::vector<int> expected;
      for (int t = 0; t < 100; ++t)
        expected.insert(expected.end(), {threshold, threshold == 100, threshold > 0});
      CHECK(downloaded(out, 300) == expected);
    }
  }
}

TEST_CASE("threads that have returned are not waited for at barriers") {
  const DeviceArray<int> out(256);
  for (unsigned seed = 0; seed < schedules; ++seed) {
    const Schedule schedule(seed);
    launch(early_return_kernel, {1, 256}, {}, 77U, out.data());
    CHECK(downloaded(out, 77) == std::vector<int>(77, 77));
  }
}

namespace {

// The last block to take a ticket sums the partials of all.
__global__ void last_block_kernel(const int* in, int* partials, unsigned* tickets, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = in[2 * blockIdx.x] + in[2 * blockIdx.x + 1];
    __threadfence();
    is_last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  int total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += partials[b];
  *out = total;
}

// A chained scan: a block waits for the prefix of the tile before its own.
__global__ void chained_kernel(const int* in, volatile int* prefixes, volatile int* ready,
                               unsigned* tickets) {
  if (threadIdx.x != 0) return;
  const unsigned tile = atomicAdd(tickets, 1U);
  int before = 0;
  if (tile > 0) {
    while (ready[tile - 1] == 0) {
    }
    __threadfence();
    before = prefixes[tile - 1];
  }
  prefixes[tile] = before + in[tile];
  __threadfence();
  ready[tile] = 1;
}

// Thread 0 waits for a thread with a higher index, in each of the ways there are to wait.
template <unsigned way>
__global__ void wait_in_block_kernel(int* flag, int* out) {
  if (threadIdx.x == blockDim.x - 1) *flag = 1;
  if (threadIdx.x != 0) return;
  if (way == 0) {
    while (*static_cast<volatile int*>(flag) == 0) {
    }
  }
  if (way == 1) {
    while (atomicAdd(flag, 0) == 0) {
    }
  }
  if (way == 2) {
    while (*flag == 0) __threadfence_block();
  }
  if (way == 3) {
    while (*flag == 0) asm volatile("" ::: "memory");  // plain reads and nothing else
  }
  if (way == 4) {
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) {
    }
  }
  *out = 42;
}

}  // namespace

TEST_CASE("the last block folds what the others wrote, and the tickets are as before") {
  const auto in = uploaded(counted<int>(20));
  const DeviceArray<int> partials(10), out(1);
  const auto tickets = uploaded(std::vector<unsigned>{0});
  for (unsigned seed = 0; seed < schedules; ++seed) {
    const Schedule schedule(seed);
    launch(last_block_kernel, {10, 64}, {}, in.data(), partials.data(), tickets.data(), out.data());
    CHECK(downloaded(out, 1)[0] == 190);
    CHECK(downloaded(tickets, 1)[0] == 0);
  }
}

TEST_CASE("a block may wait for an earlier one") {
  const auto in = uploaded(counted<int>(10));
  for (unsigned seed = 0; seed < schedules; ++seed) {
    const Schedule schedule(seed);
    const auto prefixes = uploaded(std::vector<int>(10)), ready = uploaded(std::vector<int>(10));
    const auto tickets = uploaded(std::vector<unsigned>{0});
    launch(chained_kernel, {10, 32}, {}, in.data(), prefixes.data(), ready.data(), tickets.data());
    CHECK(downloaded(prefixes, 10) == std::vector<int>{0, 1, 3, 6, 10, 15, 21, 28, 36, 45});
  }
}

TEMPLATE_TEST_CASE_SIG("a thread may wait for another of its block", "", ((unsigned way), way), 0,
                       1, 2, 3, 4) {
  for (unsigned seed = 0; seed < schedules; ++seed) {
    const Schedule schedule(seed);
    const auto flag = uploaded(std::vector<int>{0});
    const auto out = uploaded(std::vector<int>{0});
    launch(wait_in_block_kernel<way>, {1, 256}, {}, flag.data(), out.data());
    CHECK(downloaded(out, 1)[0] == 42);
  }
}
