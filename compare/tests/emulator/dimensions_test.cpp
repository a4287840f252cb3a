// Blocks and grids in two and three dimensions: what is refused, how messages name threads, and
// that all else is as in one dimension. What kernels see is a test of words.
#include <string>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/counts.hpp"
#include "compare/tests/emulator/findings.hpp"

using namespace ladder;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr unsigned schedules = 6;  // 0 and five seeds

__device__ unsigned rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ unsigned rank_in_grid() {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  return block * blockDim.x * blockDim.y * blockDim.z + rank_in_block();
}

__global__ void nothing_kernel() {}

// Loads, stores, shared memory, a tree with barriers, atomics and warps.
__global__ void sum_kernel(const int* in, int* out) {
  __shared__ int tile[256];
  const unsigned t = rank_in_block();
  tile[t] = in[rank_in_grid()];
  __syncthreads();
  for (unsigned stride = 128; stride >= 32; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  int sum = tile[t % 32];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, distance);
  out[1 + rank_in_grid()] = sum;
  if (t == 0) atomicAdd(out, sum);
}

}  // namespace

TEST_CASE("a sum over a grid of any shape is right in any order, and its counts are the same") {
  const auto in = uploaded(counted<int>(12 * 256));
  const auto counts_for = [&](Extent grid, Extent block) {
    const LaunchShape shape{.grid = grid, .block = block};
    for (unsigned seed = 0; seed < schedules; ++seed) {
      const Schedule schedule(seed);
      const auto out = uploaded(std::vector<int>(1 + 12 * 256));
      CHECK(in_words(findings_of([&] { launch(sum_kernel, shape, {}, in.data(), out.data()); })) ==
            "");
      CHECK(downloaded(out, 1)[0] == 12 * 128 * (12 * 256 - 1));
    }
    const auto out = uploaded(std::vector<int>(1 + 12 * 256));
    return counts_of(sum_kernel, shape, in.data(), out.data());
  };
  const emulated::Counts in_a_row = counts_for(12, 256);
  CHECK(in_a_row.loads.sectors > 0);
  CHECK(in_a_row.shared.wavefronts > 0);
  CHECK(counts_for({4, 3}, {16, 16}) == in_a_row);
  CHECK(counts_for({1, 12}, {256, 1}) == in_a_row);
  CHECK(counts_for({3, 2, 2}, {8, 4, 8}) == in_a_row);
  CHECK(counts_for({1, 1, 12}, {1, 4, 64}) == in_a_row);
}

namespace {

__global__ void copy_columns_kernel(const int* in, int* out) {
  const unsigned i = threadIdx.x * blockDim.y + threadIdx.y;
  out[i] = in[i];
}

}  // namespace

TEST_CASE("a request of a warp is of its 32 neighbours by rank, whatever rows they are in") {
  const auto in = uploaded(counted<int>(1024)), out = uploaded(std::vector<int>(1024));
  // a warp has two rows of 16 columns, and a column has 8 elements in a row: 1 sector
  const auto rows =
      counts_of(copy_columns_kernel, {.grid = 1, .block = {16, 8}}, in.data(), out.data());
  CHECK(rows.loads.requests == 4);
  CHECK(rows.loads.sectors == 4 * 16);
  const auto columns =
      counts_of(copy_columns_kernel, {.grid = 1, .block = {1, 128}}, in.data(), out.data());
  CHECK(columns.loads.requests == 4);
  CHECK(columns.loads.sectors == 16);
}

TEST_CASE("launches in dimensions that CUDA refuses are refused in its words, others run") {
  const auto run = [](Extent grid, Extent block, Extent cluster = 1) {
    launch(nothing_kernel, {.grid = grid, .block = block, .cluster = cluster}, {});
  };
  const auto refused = [&](Extent grid, Extent block, const char* text) {
    CHECK_THROWS_WITH(run(grid, block), ContainsSubstring("cudaErrorInvalidConfiguration") &&
                                            ContainsSubstring(text));
  };
  refused({1, 0}, 1, "a grid of 1 x 0 blocks");
  refused({1, 1, 0}, 1, "a grid of 1 x 1 x 0 blocks");
  refused({0x80000000U, 1}, 1, "a grid of 2147483648 blocks; at most 2^31 - 1 along x");
  refused({1, 65'536}, 1, "a grid of 1 x 65536 blocks; at most 2^31 - 1 along x, and 65535 along");
  refused({1, 1, 65'536}, 1, "a grid of 1 x 1 x 65536 blocks");
  refused(1, {32, 0}, "blocks of 32 x 0 threads");
  refused(1, {32, 0, 2}, "blocks of 32 x 0 x 2 threads");
  refused(1, {1025, 1}, "blocks of 1025 threads");
  refused(1, {32, 33}, "blocks of 32 x 33 threads; at most 1024 in all");
  refused(1, {1, 1025}, "blocks of 1 x 1025 threads");
  refused(1, {1, 1, 65}, "blocks of 1 x 1 x 65 threads; at most 1024 in all, and 64 along z");
  refused(1, {65'536, 65'536, 65'536}, "blocks of 65536 x 65536 x 65536 threads");
  CHECK_NOTHROW(run(1, {1, 1, 64}));
  CHECK_NOTHROW(run(1, {1, 1024}));
  CHECK_NOTHROW(run(1, {8, 8, 16}));
  CHECK_NOTHROW(run({1, 300, 3}, {1, 1, 1}));

  CHECK_THROWS_WITH(run({4, 3}, 1, {2, 2}),
                    ContainsSubstring("cudaErrorInvalidClusterSize") &&
                        ContainsSubstring("4 x 3 blocks in clusters of 2 x 2"));
  CHECK_THROWS_WITH(run({4, 4, 4}, 1, {4, 2, 2}), ContainsSubstring("clusters of 4 x 2 x 2"));
  CHECK_THROWS_WITH(run({4, 4}, 1, {2, 0}), ContainsSubstring("clusters of 2 x 0"));
  CHECK_NOTHROW(run({4, 4, 2}, 1, {2, 2, 2}));
}

TEST_CASE("a grid of more blocks than the emulator can number is no mistake") {
  CHECK_THROWS_AS(launch(nothing_kernel, {.grid = {65'535, 65'535}, .block = 1}, {}),
                  backend::Unsupported);
  CHECK_THROWS_WITH(launch(nothing_kernel, {.grid = {65'535, 65'535, 65'535}, .block = 1}, {}),
                    ContainsSubstring("launches nothing_kernel with a grid of 65535 x 65535 x "
                                      "65535 blocks; at most 268435456"));
}

TEST_CASE("a resident grid in two dimensions has at most the blocks that are resident at once") {
  const auto run = [](Extent grid) {
    launch(nothing_kernel, {.grid = grid, .block = {32, 32}, .resident = true}, {});
  };
  CHECK_NOTHROW(run({8, 2}));
  CHECK_THROWS_WITH(run({100, 100}), ContainsSubstring("cudaErrorCooperativeLaunchTooLarge") &&
                                         ContainsSubstring(": 10000; at most"));
}

namespace {

__global__ void __launch_bounds__(64) bounded_kernel() {}

__global__ void past_the_end_kernel(int* out) {
  out[threadIdx.x == 3 && threadIdx.y == 2 && blockIdx.x == 1 ? 1000 : rank_in_grid()] = 1;
}

__global__ void race_kernel(int* out) {
  if (threadIdx.x == 2 && threadIdx.y == blockIdx.y) out[0] = static_cast<int>(blockIdx.y);
}

__global__ void unwritten_kernel(int* out) {
  __shared__ int tile[4];
  if (threadIdx.z == 0) tile[0] = 1;
  if (threadIdx.z == 1) out[0] = tile[threadIdx.z];
}

__global__ void divergent_kernel() {
  if (threadIdx.y < 2) __syncthreads();
  else __syncthreads();
}

__global__ void wrong_mask_kernel() {
  if (threadIdx.y == 1) __syncwarp(0xff);
}

__global__ void row_exits_kernel() {
  if (threadIdx.y == 1) return;
  __syncthreads();
}

}  // namespace

TEST_CASE("launch bounds are of all threads of a block") {
  const auto run = [](Extent block) { launch(bounded_kernel, {.grid = 1, .block = block}, {}); };
  CHECK_NOTHROW(run({8, 4, 2}));
  CHECK_THROWS_WITH(run({8, 9}), ContainsSubstring("blocks of 8 x 9 threads, of which the kernel's "
                                                   "__launch_bounds__ allow 64"));
}

TEST_CASE("messages name blocks and threads by their places where there are rows") {
  const DeviceArray<int> out(64);
  const auto found = [&](void (*kernel)(int*), Extent grid, Extent block) {
    return in_words(
        findings_of([&] { launch(kernel, {.grid = grid, .block = block}, {}, out.data()); }));
  };
  CHECK_THAT(found(past_the_end_kernel, {2, 1}, {8, 4}), ContainsSubstring(", block 1: out of "
                                                                           "bounds: thread (3, 2) "
                                                                           "writes"));
  CHECK_THAT(found(past_the_end_kernel, {2, 1, 1}, {4, 4, 2}),
             ContainsSubstring("thread (3, 2, 0)"));
  const std::string race = found(race_kernel, {1, 2}, {4, 4});
  CHECK_THAT(race, ContainsSubstring("block (0, 0), thread (2, 0) writes in "));
  CHECK_THAT(race, ContainsSubstring("block (0, 1), thread (2, 1) writes in "));
  CHECK_THAT(found(race_kernel, {1, 2, 2}, {4, 4}), ContainsSubstring("block (0, 1, 0), "));
  CHECK_THAT(found(unwritten_kernel, {1, 1, 1}, {1, 1, 2}),
             ContainsSubstring("shared tile + 4 bytes: block 0, thread (0, 0, 1) reads in "));
}

TEST_CASE("so they do where threads wait") {
  const auto fault = [](void (*kernel)(), Extent grid, Extent block) {
    return in_words(findings_of([&] { launch(kernel, {.grid = grid, .block = block}, {}); }));
  };
  CHECK_THAT(fault(divergent_kernel, {1, 1}, {8, 4}),
             ContainsSubstring("block 0: divergent barrier: threads (0, 0)-(7, 1) wait at "
                               "__syncthreads in ") &&
                 ContainsSubstring("threads (0, 2)-(7, 3) wait"));
  CHECK_THAT(fault(wrong_mask_kernel, {1, 1}, {8, 2}),
             ContainsSubstring("thread (0, 1) (lane 8) calls __syncwarp with mask 0x000000ff"));
  const emulated::Checking checking;
  launch(row_exits_kernel, {.grid = {1, 2}, .block = {8, 4}}, {});
  const auto remarks = emulated::checker::findings(true);
  REQUIRE(remarks.size() == 1);
  CHECK_THAT(remarks[0].message, ContainsSubstring("block (0, 0): only some threads reach") &&
                                     ContainsSubstring("; 8 have exited"));
}
