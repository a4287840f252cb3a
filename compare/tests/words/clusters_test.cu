// Clusters: blocks that run at the same time and reach each other's shared memory.
#include <cooperative_groups.h>

#include <cstdint>
#include <cuda/ptx>
#include <numeric>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

constexpr unsigned threads = 64, size = 4, clusters = 3;
constexpr LaunchShape shape{.grid = clusters * size,
                            .block = threads,
                            .shared_bytes = threads * sizeof(int),
                            .cluster = size};
constexpr unsigned elements = clusters * size * threads;

std::vector<int> input() {
  std::vector<int> in(elements);
  std::iota(in.begin(), in.end(), 1);
  return in;
}
// Of each element, the one that lies `blocks` later in the ring of its cluster.
std::vector<int> rotated(unsigned blocks) {
  const auto in = input();
  std::vector<int> out(elements);
  constexpr unsigned of_cluster = size * threads;
  for (unsigned k = 0; k < elements; ++k)
    out[k] = in[k / of_cluster * of_cluster + (k % of_cluster + blocks * threads) % of_cluster];
  return out;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void names_kernel(const int*, int* out) {
  const auto cluster = cg::this_cluster();
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  bool right = cluster.num_blocks() == size && cluster.block_rank() == blockIdx.x % size;
  right = right && cluster.num_threads() == size * threads &&
          cluster.thread_rank() == t % (size * threads);
  right = right && cluster.dim_blocks().x == size && cluster.block_index().x == blockIdx.x % size;
  right = right && ptx::get_sreg_cluster_ctarank() == cluster.block_rank() &&
          ptx::get_sreg_cluster_nctarank() == size;
  out[t] = right;
}

__global__ void dynamic_kernel(const int* in, int* out) {
  auto* const mine = dynamic_shared<int>();
  const auto cluster = cg::this_cluster();
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x,
                 next = (cluster.block_rank() + 1) % size;
  mine[threadIdx.x] = in[t];
  cluster.sync();
  const int* const theirs = cluster.map_shared_rank(mine, next);
  out[t] = theirs[threadIdx.x];
  if (cluster.query_shared_rank(theirs) != next) out[t] = -1;
  cluster.sync();
}

__global__ void static_kernel(const int* in, int* out) {
  __shared__ int mine[threads];
  const auto cluster = cg::this_cluster();
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  auto arrived = cluster.barrier_arrive();  // all blocks run
  cluster.barrier_wait(static_cast<decltype(arrived)&&>(arrived));
  for (unsigned k = 0; k < 2; ++k) {
    const int value = k == 0 ? in[t] : mine[threadIdx.x];
    cluster.sync();
    cluster.map_shared_rank(mine, (cluster.block_rank() + size - 1) % size)[threadIdx.x] = value;
    cluster.sync();
  }
  out[t] = mine[threadIdx.x];
}

__global__ void atomics_kernel(const int* in, int* out) {
  __shared__ int sum;
  const auto cluster = cg::this_cluster();
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) sum = 0;
  ptx::barrier_cluster_arrive(ptx::sem_release);
  ptx::barrier_cluster_wait(ptx::sem_acquire);
  atomicAdd(cluster.map_shared_rank(&sum, 0), in[t]);
  cluster.sync();
  if (cluster.block_rank() == 0) out[t] = sum;
}

// Each block sends its tile to the one before it.
__global__ void copies_kernel(const int* in, int* out) {
  __shared__ std::uint64_t full;
  __shared__ __align__(16) int mine[threads], taken[threads];
  const auto cluster = cg::this_cluster();
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x,
                 before = (cluster.block_rank() + size - 1) % size;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 2);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  mine[threadIdx.x] = in[t];
  ptx::fence_proxy_async(ptx::space_shared);
  cluster.sync();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   sizeof mine);
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                         cluster.map_shared_rank(&full, before));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared,
                       cluster.map_shared_rank(taken, before), mine, sizeof mine,
                       cluster.map_shared_rank(&full, before));
  }
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  out[t] = taken[threadIdx.x];
  cluster.sync();
}

__global__ void __cluster_dims__(size, 1, 1) __launch_bounds__(threads)
    own_clusters_kernel(int* out) {
  if (threadIdx.x == 0)
    out[blockIdx.x] =
        static_cast<int>(10 * cg::this_cluster().num_blocks() + cg::this_cluster().block_rank());
}

// Each thread sends its elements to the block before its own: the first of four all of them, at
// once, or the others one each.
template <bool together>
__global__ void stores_kernel(const int* in, int* out) {
  __shared__ std::uint64_t full;
  __shared__ __align__(16) int taken[threads];
  const auto cluster = cg::this_cluster();
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x,
                 before = (cluster.block_rank() + size - 1) % size;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   sizeof taken);
  }
  cluster.sync();
  int* const theirs = cluster.map_shared_rank(taken, before) + threadIdx.x;
  std::uint64_t* const told = cluster.map_shared_rank(&full, before);
  if (!together) ptx::st_async(theirs, in[t], told);
  else if (threadIdx.x % 4 == 0)
    ptx::st_async(theirs, {in[t], in[t + 1], in[t + 2], in[t + 3]}, told);
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  out[t] = taken[threadIdx.x];
  cluster.sync();
}
#else
__global__ void own_clusters_kernel(int*) {}
template <bool together>
__global__ void stores_kernel(const int*, int*) {}
__global__ void names_kernel(const int*, int*) {}
__global__ void dynamic_kernel(const int*, int*) {}
__global__ void static_kernel(const int*, int*) {}
__global__ void atomics_kernel(const int*, int*) {}
__global__ void copies_kernel(const int*, int*) {}
#endif

}  // namespace

TEST_CASE("a cluster knows its blocks") {
  CHECK(answer(names_kernel, shape, input(), elements) == std::vector<int>(elements, 1));
}

TEST_CASE("a kernel says the size of its clusters itself") {
  const auto out = uploaded(std::vector<int>(2 * size));
  own_clusters_kernel<<<2 * size, threads>>>(out.data());
  backend::synchronize({});
  CHECK(downloaded(out, 2 * size) == std::vector<int>{40, 41, 42, 43, 40, 41, 42, 43});
}

TEST_CASE("blocks of a cluster reach each other's shared memory") {
  CHECK(answer(dynamic_kernel, shape, input(), elements) == rotated(1));
  CHECK(answer(static_kernel, shape, input(), elements) == rotated(2));
  const auto sums = answer(atomics_kernel, shape, input(), elements);
  constexpr int of_cluster = size * threads, first = of_cluster * (of_cluster + 1) / 2;
  CHECK(sums[0] == first);
  CHECK(sums[of_cluster] == first + of_cluster * of_cluster);
  CHECK(answer(copies_kernel, shape, input(), elements) == rotated(1));
  CHECK(answer(stores_kernel<false>, shape, input(), elements) == rotated(1));
  CHECK(answer(stores_kernel<true>, shape, input(), elements) == rotated(1));
}
