// Cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/atomic>
#include <numeric>

#include "compare/tests/words/run.hpp"

using namespace ladder;
namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads = 128;

__global__ void block_kernel(const int* in, int* out) {
  const auto block = cg::this_thread_block();
  __shared__ int tile[threads];
  tile[block.thread_rank()] = in[block.thread_rank()];
  block.sync();
  const unsigned other = static_cast<unsigned>(block.size()) - 1 - block.thread_rank();
  out[block.thread_rank()] = tile[other];
}

template <unsigned size>
__global__ void tile_kernel(const int* in, int* out) {
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int x = in[threadIdx.x];
  int* const mine = out + threadIdx.x * 8;
  mine[0] = static_cast<int>(tile.thread_rank());
  mine[1] = tile.shfl(x, 1);
  mine[2] = tile.shfl_up(x, 2);
  mine[3] = tile.shfl_down(x, 2);
  mine[4] = tile.shfl_xor(x, 1);
  mine[5] = cg::reduce(tile, x, cg::plus<int>());
  mine[6] = cg::inclusive_scan(tile, x);
  mine[7] = static_cast<int>(tile.meta_group_rank() * 100 + tile.meta_group_size()) +
            100'000 * static_cast<int>(tile.ballot(x % 3 == 0) & 0xff);
}

template <unsigned size>
std::vector<int> expected_of_tiles(const std::vector<int>& in) {
  std::vector<int> out;
  for (unsigned t = 0; t < in.size(); ++t) {
    const unsigned first = t / size * size, rank = t % size;
    int sum = 0, up_to = 0, votes = 0;
    for (unsigned k = 0; k < size; ++k) {
      sum += in[first + k];
      if (k <= rank) up_to += in[first + k];
      if (k < 8 && in[first + k] % 3 == 0) votes |= 1 << k;
    }
    const int at[] = {static_cast<int>(rank),
                      in[first + 1],
                      in[rank >= 2 ? t - 2 : t],
                      in[rank + 2 < size ? t + 2 : t],
                      in[t ^ 1],
                      sum,
                      up_to,
                      static_cast<int>(t / size * 100 + in.size() / size) + 100'000 * votes};
    out.insert(out.end(), std::begin(at), std::end(at));
  }
  return out;
}

struct Pair {
  double key;
  int value;
};

__global__ void wide_shuffle_kernel(const int* in, double* out) {
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
  const Pair pair = tile.shfl(Pair{in[threadIdx.x] * 0.5, in[threadIdx.x]}, 31);
  out[threadIdx.x] = pair.key + pair.value;
}

// Each group adds as many as it has threads, whatever groups there are.
__global__ void coalesced_kernel(const int* in, int* out) {
  if (in[threadIdx.x] % 2 == 0) return;
  const auto group = cg::coalesced_threads();
  if (group.thread_rank() == 0) atomicAdd(out, static_cast<int>(group.size()));
  group.sync();
}

__global__ void partition_kernel(const int* in, int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const auto parity = cg::labeled_partition(tile, in[threadIdx.x] % 2);
  out[threadIdx.x] =
      cg::reduce(parity, 1, cg::plus<int>()) * 100 + static_cast<int>(parity.thread_rank());
}

__global__ void any_group_kernel(const int* in, int* out) {
  cg::thread_group group = cg::tiled_partition(cg::this_thread_block(), 8);
  __shared__ int tile[threads];
  tile[threadIdx.x] = in[threadIdx.x];
  cg::sync(group);
  out[threadIdx.x] = tile[threadIdx.x - group.thread_rank()] + static_cast<int>(group.size());
}

// What a block has written before the barrier, another one reads after it.
__global__ void grid_kernel(const int* in, int* out) {
  const auto grid = cg::this_grid();
  const auto t = static_cast<unsigned>(grid.thread_rank()),
             last = static_cast<unsigned>(grid.size()) - 1;
  int value = in[t];
  for (int round = 0; round < 3; ++round) {
    out[t] = value;
    grid.sync();
    value = out[last - t] + 1;
    grid.sync();
  }
  out[t] = value;
}

// Tiles take their parts of one counter in any order.
__global__ void scan_update_kernel(const int* in, int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  __shared__ cuda::atomic<int, cuda::thread_scope_block> taken;
  if (threadIdx.x == 0) taken = 0;
  __syncthreads();
  const int before = cg::exclusive_scan_update(tile, taken, in[threadIdx.x]);
  for (int k = 0; k < in[threadIdx.x]; ++k) out[before + k] = 1;
  __syncthreads();
  const int upto = cg::inclusive_scan_update(tile, taken, -in[threadIdx.x], cg::plus<int>());
  if (upto == 0) out[threads] = taken;
}

}  // namespace

TEST_CASE("a block is a group") {
  auto in = counted<int>(threads);
  const auto out = answer(block_kernel, {1, threads}, in, threads);
  std::ranges::reverse(in);
  CHECK(out == in);
}

TEST_CASE("tiles of a block exchange, vote, reduce and scan") {
  std::vector<int> in(threads);
  for (unsigned k = 0; k < threads; ++k) in[k] = static_cast<int>(k * k % 101);
  CHECK(answer(tile_kernel<32>, {1, threads}, in, threads * 8) == expected_of_tiles<32>(in));
  CHECK(answer(tile_kernel<8>, {1, threads}, in, threads * 8) == expected_of_tiles<8>(in));
  CHECK(answer(tile_kernel<4>, {1, threads}, in, threads * 8) == expected_of_tiles<4>(in));
}

TEST_CASE("a tile hands on what is larger than a register") {
  CHECK(answer(wide_shuffle_kernel, {1, 32}, counted<int>(32), 32) ==
        std::vector<double>(32, 46.5));
}

TEST_CASE("groups of lanes that run together count every thread once") {
  CHECK(answer(coalesced_kernel, {1, threads}, counted<int>(threads), 1) ==
        std::vector<int>{threads / 2});
}

TEST_CASE("a tile is parted by label") {
  std::vector<int> expected;
  for (int k = 0; k < 32; ++k) expected.push_back(1600 + k / 2);
  CHECK(answer(partition_kernel, {1, 32}, counted<int>(32), 32) == expected);
}

TEST_CASE("a group of any kind has a size, ranks and a barrier") {
  std::vector<int> expected;
  for (int k = 0; k < static_cast<int>(threads); ++k) expected.push_back(k / 8 * 8 + 8);
  CHECK(answer(any_group_kernel, {1, threads}, counted<int>(threads), threads) == expected);
}

TEST_CASE("the blocks of a resident grid meet") {
  constexpr unsigned blocks = 7, size = 32;
  const auto in = counted<int>(blocks * size);
  std::vector<int> expected;
  for (int k = static_cast<int>(blocks * size); k-- > 0;) expected.push_back(k + 3);
  CHECK(answer(grid_kernel, {.grid = blocks, .block = size, .resident = true}, in, in.size()) ==
        expected);
}

TEST_CASE("a scan that updates an atomic gives each thread its own part") {
  std::vector<int> in, expected(threads + 1);
  for (unsigned t = 0; t < threads; ++t) in.push_back(static_cast<int>(t % 2));
  std::fill_n(expected.begin(), threads / 2, 1);
  CHECK(answer(scan_update_kernel, {1, threads}, in, threads + 1) == expected);
}
