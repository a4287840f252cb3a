// Grids whose blocks are all resident: they run side by side and may wait for each other, each with
// shared memory of its own.
#include <cooperative_groups.h>

#include "compare/emulated/calls/runtime.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/counts.hpp"
#include "compare/tests/emulator/device.hpp"
#include "compare/tests/emulator/findings.hpp"

using namespace ladder;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr unsigned threads = 64;
constexpr unsigned rounds = 3;

// In each round every block publishes a value and waits for those of all blocks. What it keeps in
// shared memory must outlast the others' turns.
__global__ void rounds_kernel(volatile unsigned* slots, unsigned* sums) {
  __shared__ unsigned in_static[threads];
  unsigned* const in_dynamic = dynamic_shared<unsigned>();
  const unsigned t = threadIdx.x;
  in_static[t] = blockIdx.x;
  in_dynamic[t] = 10 * blockIdx.x;
  __syncthreads();

  for (unsigned round = 1; round <= rounds; ++round) {
    if (t == 0) slots[(round - 1) * gridDim.x + blockIdx.x] = in_dynamic[1] + round;
    for (unsigned b = t; b < gridDim.x; b += threads) {
      unsigned value = 10 * b + round;
      while (b != blockIdx.x && (value = slots[(round - 1) * gridDim.x + b]) == 0) {
      }
      atomicAdd(&in_static[t], value);
    }
    __syncthreads();
    if (t == 0) {
      for (unsigned k = 0; k < threads; ++k) in_dynamic[0] += in_static[k];
    }
    __syncthreads();
    in_static[t] = blockIdx.x;
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = in_dynamic[0];
}

std::vector<unsigned> run_rounds(unsigned blocks, bool resident = true) {
  const auto slots = uploaded(std::vector<unsigned>(rounds * blocks));
  const DeviceArray<unsigned> sums(blocks);
  launch(rounds_kernel, {blocks, threads, threads * sizeof(unsigned), resident}, {}, slots.data(),
         sums.data());
  return downloaded(sums, blocks);
}

std::vector<unsigned> right_answer(unsigned blocks) {
  std::vector<unsigned> sums(blocks);
  for (unsigned b = 0; b < blocks; ++b) {
    sums[b] = 10 * b;
    for (unsigned round = 1; round <= rounds; ++round) {
      sums[b] += threads * b;
      for (unsigned other = 0; other < blocks; ++other) sums[b] += 10 * other + round;
    }
  }
  return sums;
}

// Block 0 reads what no block has written to the shared array of its own.
__global__ void reads_the_others_kernel(volatile unsigned* slots, unsigned* out) {
  __shared__ unsigned value[1];
  if (blockIdx.x == 1) value[0] = 7;
  if (blockIdx.x == 1) slots[0] = 1;
  while (slots[0] == 0) {
  }
  if (blockIdx.x == 0) *out = value[0];
}

__global__ void wait_for_nobody_kernel(volatile unsigned* slot) {
  while (*slot == 0) {
  }
}

// Values of eight bytes: two words that are read in turn.
__global__ void two_words_kernel(volatile unsigned* slots) {
  while (slots[0] == 0 || slots[1] == 0) {
  }
}

// Blocks write to one array without any order.
__global__ void racing_blocks_kernel(volatile unsigned* slots, unsigned* data) {
  if (threadIdx.x == 0) slots[blockIdx.x] = 1;
  while (slots[1 - blockIdx.x] == 0) {
  }
  if (threadIdx.x == 0) *data = blockIdx.x;
}

constexpr unsigned sync_line = __LINE__ + 3;
__global__ void sync_by_index_kernel(volatile unsigned* slot) {
  const auto grid = cooperative_groups::this_grid();
  for (unsigned k = blockIdx.x == 3 ? 1 : 0; k < 2; ++k) grid.sync();
  while (blockIdx.x == 4 && *slot == 0) {
  }
}

__global__ void read_kernel(const volatile unsigned* slot) {
  static_cast<void>(*slot);
}

// Some threads of a block come to a barrier of the block, the others to that of the grid.
__global__ void sync_by_thread_kernel() {
  if (threadIdx.x < 32) cooperative_groups::this_grid().sync();
  else __syncthreads();
}

}  // namespace

TEST_CASE("who waits at grid.sync() is told so, and which blocks do not come") {
  const auto slot = uploaded(std::vector<unsigned>(1, 1));
  const std::string there =
      "at grid.sync() in compare/tests/emulator/resident_test.cpp:" + std::to_string(sync_line);
  const Schedule schedule(GENERATE(0, 1, 2));
  CHECK_THROWS_WITH(
      launch(sync_by_index_kernel, {5, threads, 0, true}, {}, slot.data()),
      ContainsSubstring("thread 0 waits " + there + ", and") &&
          ContainsSubstring(": threads 0-63 wait " + there + ". ") &&
          ContainsSubstring("Of the 5 blocks of the grid, blocks 0-2, 4 wait there, block 3 has "
                            "ended. Every block calls grid.sync() as often as all others") &&
          !ContainsSubstring("array") && !ContainsSubstring("__syncthreads"));
  CHECK_THROWS_WITH(launch(sync_by_thread_kernel, {2, threads, 0, true}, {}),
                    ContainsSubstring("threads 0-31 wait at grid.sync() in") &&
                        ContainsSubstring("threads 32-63 wait at __syncthreads in"));
}

TEST_CASE("the barrier of a grid is not counted among the arrays of the program") {
  const auto found = findings_of([] {
    emulated::checker::call_arrays("scratch array", "scratch array");
    launch(sync_by_index_kernel, {2, 1, 0, true}, {}, uploaded(std::vector<unsigned>(1)).data());
    launch(read_kernel, {1, 1}, {}, DeviceArray<unsigned>(1).data());
  });
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0].message, Catch::Matchers::StartsWith("scratch array 2 + 0 bytes"));
}

TEST_CASE(
    "blocks of a resident grid wait for each other, in any order of threads, and keep their shared "
    "memory") {
  for (const std::uint64_t seed : {0, 1, 2, 3, 4}) {
    const Schedule schedule(seed);
    for (const unsigned blocks : {1U, 2U, 7U, 70U}) {
      INFO("seed " << seed << ", " << blocks << " blocks");
      CHECK(run_rounds(blocks) == right_answer(blocks));
    }
  }
}

TEST_CASE("what a resident grid counts does not depend on what ran before") {
  constexpr unsigned blocks = 7;
  const DeviceArray<unsigned> slots(rounds * blocks), sums(blocks);
  const auto count = [&] {
    backend::fill(slots.data(), 0, rounds * blocks * sizeof(unsigned));
    return emulated::count([&] {
      launch(rounds_kernel, {blocks, threads, threads * sizeof(unsigned), true}, {}, slots.data(),
             sums.data());
    });
  };
  const emulated::Counts first = count();
  for (unsigned k = 0; k < 3; ++k) CHECK(count() == first);
}

TEST_CASE(
    "a grid that is not resident runs block by block, and a block that waits for a later one waits "
    "for ever") {
  CHECK_THROWS_WITH(run_rounds(2, false),
                    ContainsSubstring("endless wait") && ContainsSubstring("1 run at a time"));
  CHECK(run_rounds(2) == right_answer(2));  // and the next launch starts afresh
}

TEST_CASE("where no block of a resident grid changes anything any more, it is stopped") {
  const auto slots = uploaded(std::vector<unsigned>(2));
  const Schedule schedule(GENERATE(0, 1));
  CHECK_THROWS_WITH(
      launch(wait_for_nobody_kernel, {5, threads, 0, true}, {}, slots.data()),
      ContainsSubstring("endless wait") && ContainsSubstring("All blocks of the grid run"));
  CHECK_THROWS_WITH(launch(two_words_kernel, {5, threads, 0, true}, {}, slots.data()),
                    ContainsSubstring("endless wait"));
  CHECK(run_rounds(3) == right_answer(3));
}

TEST_CASE("a resident grid that is too large is refused, as by CUDA") {
  const auto slots = uploaded(std::vector<unsigned>(1, 1));
  const unsigned most = resident_blocks(wait_for_nobody_kernel, 1024, 0);
  CHECK(most == 2 * backend::multiprocessors());
  CHECK(resident_blocks(wait_for_nobody_kernel, 256, 100 * 1024) == 2 * backend::multiprocessors());
  CHECK_NOTHROW(launch(wait_for_nobody_kernel, {most, 1024, 0, true}, {}, slots.data()));
  CHECK_THROWS_WITH(launch(wait_for_nobody_kernel, {most + 1, 1024, 0, true}, {}, slots.data()),
                    ContainsSubstring("too many blocks"));
}

TEST_CASE("the checker keeps the blocks of a resident grid apart") {
  CHECK(in_words(findings_of([] { run_rounds(5); })).empty());

  const auto unwritten = findings_of([] {
    const auto slots = uploaded(std::vector<unsigned>(1));
    const auto out = uploaded(std::vector<unsigned>(1));
    launch(reads_the_others_kernel, {2, 1, 0, true}, {}, slots.data(), out.data());
    CHECK(downloaded(out, 1).front() == 0xffffffff);
  });
  REQUIRE(unwritten.size() == 1);
  CHECK(unwritten.front().kind == "uninitialised shared memory");

  const auto races = findings_of([] {
    const auto slots = uploaded(std::vector<unsigned>(2));
    const auto data = uploaded(std::vector<unsigned>(1));
    launch(racing_blocks_kernel, {2, 32, 0, true}, {}, slots.data(), data.data());
  });
  REQUIRE(races.size() == 1);
  CHECK(races.front().kind == "race");
}

TEST_CASE("the requests of blocks that run side by side are counted block by block") {
  const auto slots = uploaded(std::vector<unsigned>(rounds * 4));
  const DeviceArray<unsigned> sums(4);
  const auto counts = emulated::count([&] {
    launch(rounds_kernel, {4, threads, threads * sizeof(unsigned), true}, {}, slots.data(),
           sums.data());
  });
  CHECK(counts.blocks == 4);
  CHECK(counts.threads == 4 * threads);
  CHECK(counts.stores.requests == 4 * rounds + 4);
  CHECK(counts.barriers == 4 * (1 + 3 * rounds));
}
