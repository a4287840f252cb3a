// Mistakes with clusters.
#include <cooperative_groups.h>

#include <cstdint>
#include <cuda/ptx>

#include "compare/tests/seeded/launched.hpp"

namespace ladder::seeded {
namespace {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

constexpr unsigned threads = 32, size = 4;

enum class Slip {
  none,
  no_barrier,
  barrier_of_the_block,
  relaxed_barrier,
  no_barrier_at_the_end,
  one_block_stays_away,
  no_such_block,
  not_initialised
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// Each block reads what the next one of its cluster has brought.
template <Slip slip>
__global__ void read_kernel(const int* in, int* out) {
  __shared__ int mine[threads];
  const auto cluster = cg::this_cluster();
  const unsigned t = blockIdx.x * threads + threadIdx.x, rank = cluster.block_rank();
  mine[threadIdx.x] = in[t];
  if (slip == Slip::barrier_of_the_block) __syncthreads();
  if (slip == Slip::relaxed_barrier) {
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::barrier_cluster_wait();
  }
  if (slip == Slip::none || slip == Slip::no_barrier_at_the_end || slip == Slip::no_such_block ||
      (slip == Slip::one_block_stays_away && rank > 0))
    cluster.sync();
  const unsigned next = slip == Slip::no_such_block ? rank + 1 : (rank + 1) % size;
  out[t] = cluster.map_shared_rank(mine, next)[threadIdx.x];
  if (slip != Slip::no_barrier_at_the_end) cluster.sync();
}

// All add to a counter of the first block.
template <bool right>
__global__ void count_kernel(const int* in, int* out) {
  __shared__ int sum;
  const auto cluster = cg::this_cluster();
  if (cluster.thread_rank() == 0) sum = 0;
  if (right) cluster.sync();
  atomicAdd(cluster.map_shared_rank(&sum, 0), in[threadIdx.x]);
  cluster.sync();
  if (cluster.thread_rank() == 0) out[blockIdx.x] = sum;
}

// Each block sends what it has to the next one.
template <Slip slip>
__global__ void send_kernel(const int* in, int* out) {
  __shared__ std::uint64_t full;
  __shared__ __align__(16) int mine[threads], taken[threads];
  const auto cluster = cg::this_cluster();
  const unsigned t = blockIdx.x * threads + threadIdx.x, next = (cluster.block_rank() + 1) % size;
  mine[threadIdx.x] = in[t];
  ptx::fence_proxy_async(ptx::space_shared);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   sizeof mine);
  }
  if (slip == Slip::not_initialised) __syncthreads();
  else cluster.sync();
  if (threadIdx.x == 0)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(taken, next),
                       mine, sizeof mine, cluster.map_shared_rank(&full, next));
  while (slip != Slip::no_barrier && !ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  out[t] = taken[threadIdx.x];
  cluster.sync();
}

// Each thread stores what it has to the next block.
template <bool waits>
__global__ void store_kernel(const int* in, int* out) {
  __shared__ std::uint64_t full;
  __shared__ int taken[threads];
  const auto cluster = cg::this_cluster();
  const unsigned t = blockIdx.x * threads + threadIdx.x, next = (cluster.block_rank() + 1) % size;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   sizeof taken);
  }
  cluster.sync();
  ptx::st_async(cluster.map_shared_rank(taken, next) + threadIdx.x, in[t],
                cluster.map_shared_rank(&full, next));
  while (waits && !ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  out[t] = taken[threadIdx.x];
  cluster.sync();
}
#else
template <Slip slip>
__global__ void read_kernel(const int*, int*) {}
template <bool right>
__global__ void count_kernel(const int*, int*) {}
template <Slip slip>
__global__ void send_kernel(const int*, int*) {}
template <bool waits>
__global__ void store_kernel(const int*, int*) {}
#endif

}  // namespace

void add_mistakes_of_clusters(std::vector<Mistake>& mistakes) {
  constexpr const char *race = "race", *fault = "fault";
  const auto add = [&](auto name, auto kind, auto words, SeenBy seen_by, auto wrong, auto right) {
    constexpr LaunchShape shape{.grid = 2 * size, .block = threads, .cluster = size};
    mistakes.push_back(
        {name, kind, words, seen_by, launched(wrong, shape), launched(right, shape), true});
  };
  const auto read = read_kernel<Slip::none>;
  add("cluster_without_barrier", race, "shared mine", {.racecheck = found},
      read_kernel<Slip::no_barrier>, read);
  add("cluster_barrier_of_the_block", race, "shared mine", {.racecheck = found},
      read_kernel<Slip::barrier_of_the_block>, read);
  add("cluster_relaxed_barrier", race, "shared mine", {}, read_kernel<Slip::relaxed_barrier>, read);
  add("cluster_block_ends_too_early", fault, "cluster", {.racecheck = found},
      read_kernel<Slip::no_barrier_at_the_end>, read);
  add("cluster_block_stays_away", "race or fault", "", {.memcheck = found, .racecheck = found},
      read_kernel<Slip::one_block_stays_away>, read);
  add("cluster_block_that_is_not_there", fault, "block 4 of its cluster",
      {.memcheck = found, .racecheck = found}, read_kernel<Slip::no_such_block>, read);
  add("cluster_counter_not_cleared_yet", race, "shared sum", {.racecheck = found},
      count_kernel<false>, count_kernel<true>);
  add("cluster_copy_to_a_barrier_not_initialised", "race or fault", "", {.racecheck = in_both},
      send_kernel<Slip::not_initialised>, send_kernel<Slip::none>);
  add("cluster_copy_without_wait", race, "shared taken", {.racecheck = in_both},
      send_kernel<Slip::no_barrier>, send_kernel<Slip::none>);
  add("cluster_store_without_wait", race, "shared taken", {.racecheck = in_both},
      store_kernel<false>, store_kernel<true>);
}

}  // namespace ladder::seeded
