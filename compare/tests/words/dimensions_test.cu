// Blocks, grids and clusters in two and three dimensions.
#include <cooperative_groups.h>

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <numeric>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

namespace cg = cooperative_groups;

constexpr Extent grid{3, 2, 2}, block{5, 4, 3};
constexpr unsigned blocks = 3 * 2 * 2, threads = 5 * 4 * 3;

// By what CUDA's own words say.
__device__ unsigned own_rank() {
  return threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
}
__device__ unsigned own_block() {
  return blockIdx.x + blockIdx.y * gridDim.x + blockIdx.z * gridDim.x * gridDim.y;
}

__global__ void places_kernel(unsigned* out) {
  unsigned* const mine =
      out + 12 * (own_block() * blockDim.x * blockDim.y * blockDim.z + own_rank());
  const unsigned all[] = {threadIdx.x, threadIdx.y, threadIdx.z, blockIdx.x, blockIdx.y, blockIdx.z,
                          blockDim.x,  blockDim.y,  blockDim.z,  gridDim.x,  gridDim.y,  gridDim.z};
  for (unsigned k = 0; k < 12; ++k) mine[k] = all[k];
}

std::vector<unsigned> places() {
  std::vector<unsigned> all;
  for (unsigned b = 0; b < blocks; ++b)
    for (unsigned t = 0; t < threads; ++t)
      for (const unsigned k :
           {t % 5, t / 5 % 4, t / 20, b % 3, b / 3 % 2, b / 6, 5U, 4U, 3U, 3U, 2U, 2U})
        all.push_back(k);
  return all;
}

bool is_place(const std::vector<unsigned>& out) {
  return out == places();
}

// Lanes are in order of rank, whatever row they are in.
__global__ void warps_kernel(const int* in, int* out) {
  const unsigned rank = own_rank(), count = threads - rank / 32 * 32;
  const unsigned mask = count < 32 ? (1U << count) - 1 : 0xffffffff;
  const int last = __shfl_sync(mask, in[rank], static_cast<int>(count < 32 ? count : 32) - 1);
  const int before = __shfl_up_sync(mask, in[rank], 1);
  out[2 * rank] = last;
  out[2 * rank + 1] = before + __popc(__ballot_sync(mask, threadIdx.x == 0));
}

template <class A, class B>
__device__ bool equal(const A& a, const B& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

__global__ void groups_kernel(const int*, int* out) {
  const auto its = cg::this_thread_block();
  const cg::thread_group any = its;
  const auto all = cg::this_grid();
  const auto tile = cg::tiled_partition<4>(its);
  const unsigned rank = own_rank(), block_rank = own_block();
  bool right = its.thread_rank() == rank && its.size() == threads && any.size() == threads &&
               any.thread_rank() == rank;
  right = right && equal(its.group_index(), blockIdx) && equal(its.thread_index(), threadIdx) &&
          equal(its.dim_threads(), blockDim) && equal(its.group_dim(), blockDim);
  right = right && all.block_rank() == block_rank && all.num_blocks() == blocks &&
          all.size() == blocks * threads && all.thread_rank() == block_rank * threads + rank;
  right = right && equal(all.block_index(), blockIdx) && equal(all.dim_blocks(), gridDim);
  right = right && tile.thread_rank() == rank % 4 && tile.meta_group_rank() == rank / 4 &&
          tile.meta_group_size() == threads / 4 &&
          tile.shfl(static_cast<int>(rank), 0) == static_cast<int>(rank / 4 * 4);
  out[block_rank * threads + rank] = right;
}

__global__ void meet_kernel(const int* in, int* out) {
  const auto all = cg::this_grid();
  const auto rank = static_cast<unsigned>(all.thread_rank()),
             last = static_cast<unsigned>(all.size()) - 1;
  int value = in[rank];
  for (int round = 0; round < 2; ++round) {
    out[rank] = value;
    all.sync();
    value = out[last - rank] + 1;
    all.sync();
  }
  out[rank] = value;
}

__global__ void collectives_kernel(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, 5, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 4, 3>;
  using Scan = cub::BlockScan<int, 5, cub::BLOCK_SCAN_WARP_SCANS, 4, 3>;
  __shared__ typename Reduce::TempStorage for_sum;
  __shared__ typename Scan::TempStorage for_scan;
  const unsigned rank = own_rank();
  const int sum = Reduce(for_sum).Sum(in[rank]);
  int before;
  Scan(for_scan).ExclusiveSum(in[rank], before);
  out[rank] = before;
  if (rank == 0) out[threads] = sum;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// A cluster of 2 x 1 x 2 blocks.
__device__ void tell_cluster(int* out) {
  const auto cluster = cg::this_cluster();
  const uint3 place{blockIdx.x % 2, 0, blockIdx.z % 2}, dim{2, 1, 2};
  const unsigned rank = place.x + 2 * place.z;
  __shared__ unsigned own;
  if (own_rank() == 0) own = rank;
  cluster.sync();
  const unsigned next = (rank + 1) % 4;
  bool right = *cluster.map_shared_rank(&own, next) == next && cluster.block_rank() == rank &&
               equal(cluster.block_index(), place) && equal(cluster.dim_blocks(), dim) &&
               cluster.num_blocks() == 4;
  const uint3 thread{place.x * blockDim.x + threadIdx.x, threadIdx.y,
                     place.z * blockDim.z + threadIdx.z};
  right = right && cluster.thread_rank() == rank * threads + own_rank() &&
          equal(cluster.thread_index(), thread) &&
          equal(cluster.dim_threads(), uint3{2 * blockDim.x, blockDim.y, 2 * blockDim.z});
  if (right) atomicAdd(out + own_block(), 1);
  cluster.sync();
}
__global__ void cluster_kernel(const int*, int* out) {
  tell_cluster(out);
}
__global__ void __cluster_dims__(2, 1, 2) own_clusters_kernel(int* out) {
  tell_cluster(out);
}
#else
__global__ void cluster_kernel(const int*, int*) {}
__global__ void own_clusters_kernel(int*) {}
#endif

}  // namespace

TEST_CASE("a thread knows its place along x, y and z, by launch() and by <<< >>>") {
  const auto out = uploaded(std::vector<unsigned>(12 * blocks * threads));
  launch(places_kernel, {.grid = {3, 2, 2}, .block = {5, 4, 3}}, {}, out.data());
  backend::synchronize({});
  CHECK(is_place(downloaded(out, 12 * blocks * threads)));
  const auto others = uploaded(std::vector<unsigned>(12 * blocks * threads));
  places_kernel<<<dim3(3, 2, 2), dim3(5, 4, 3)>>>(others.data());
  backend::synchronize({});
  CHECK(is_place(downloaded(others, 12 * blocks * threads)));
  const auto in_a_row = uploaded(std::vector<unsigned>(12 * 2 * 2));
  launch(places_kernel, {.grid = dim3(2), .block = 2}, {}, in_a_row.data());
  backend::synchronize({});
  CHECK(downloaded(in_a_row, 48) == std::vector<unsigned>{0, 0, 0, 0, 0, 0, 2, 1, 1, 2, 1, 1,
                                                          1, 0, 0, 0, 0, 0, 2, 1, 1, 2, 1, 1,
                                                          0, 0, 0, 1, 0, 0, 2, 1, 1, 2, 1, 1,
                                                          1, 0, 0, 1, 0, 0, 2, 1, 1, 2, 1, 1});
}

TEST_CASE("lanes of a warp are in order of rank, over the ends of rows and layers") {
  const auto in = counted<int>(threads);
  std::vector<int> expected;
  for (unsigned t = 0; t < threads; ++t) {
    const unsigned first = t / 32 * 32, end = std::min(first + 32, threads);
    unsigned rows = 0;
    for (unsigned k = first; k < end; ++k) rows += k % 5 == 0 ? 1 : 0;
    expected.push_back(static_cast<int>(end) - 1);
    expected.push_back(static_cast<int>((t == first ? t : t - 1) + rows));
  }
  CHECK(answer(warps_kernel, {.grid = 1, .block = block}, in, 2 * threads) == expected);
}

TEST_CASE("groups have their ranks and extents") {
  CHECK(answer(groups_kernel, {.grid = grid, .block = block}, {0}, blocks * threads) ==
        std::vector<int>(blocks * threads, 1));
}

TEST_CASE("the blocks of a resident grid in three dimensions meet") {
  const auto in = counted<int>(blocks * threads);
  std::vector<int> expected(in.size());
  std::iota(expected.begin(), expected.end(), 2);
  CHECK(answer(meet_kernel, {.grid = grid, .block = block, .resident = true}, in, in.size()) ==
        expected);
}

TEST_CASE("CUB's collectives of a block in three dimensions") {
  const auto in = counted<int>(threads);
  std::vector<int> expected(threads + 1);
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0);
  expected[threads] = threads * (threads - 1) / 2;
  CHECK(answer(collectives_kernel, {.grid = 1, .block = block}, in, threads + 1) == expected);
}

TEST_CASE("a cluster in three dimensions, by launch() and by __cluster_dims__") {
  const Extent in_clusters{4, 3, 2};
  const LaunchShape shape{.grid = in_clusters, .block = block, .cluster = {2, 1, 2}};
  CHECK(answer(cluster_kernel, shape, {0}, 24) == std::vector<int>(24, threads));
  const auto out = uploaded(std::vector<int>(24));
  own_clusters_kernel<<<dim3(4, 3, 2), dim3(5, 4, 3)>>>(out.data());
  backend::synchronize({});
  CHECK(downloaded(out, 24) == std::vector<int>(24, threads));
}
