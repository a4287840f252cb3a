// Mistakes with cooperative groups, cuda::atomic_ref and cuda::barrier.
#include <cooperative_groups.h>

#include <cuda/atomic>
#include <cuda/barrier>

#include "compare/tests/seeded/launched.hpp"

namespace ladder::seeded {
namespace {

namespace cg = cooperative_groups;

constexpr unsigned threads = 64;

template <bool right>
__global__ void tile_kernel(const int* in, int* out) {
  __shared__ int tile[threads];
  const auto group = cg::tiled_partition<16>(cg::this_thread_block());
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  if (right) group.sync();
  out[t] = tile[t ^ 15];
}

template <bool right>
__global__ void small_group_kernel(const int* in, int* out) {
  __shared__ int tile[threads];
  const auto block = cg::this_thread_block();
  const auto group = cg::tiled_partition<32>(block);
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  if (right) block.sync();
  else group.sync();
  out[t] = tile[(t + 32) % threads];
}

template <bool right>
__global__ void grid_kernel(const int* in, int* out) {
  const auto grid = cg::this_grid();
  const auto t = static_cast<unsigned>(grid.thread_rank()),
             all = static_cast<unsigned>(grid.size());
  out[t] = in[t];
  if (right) grid.sync();
  out[all + t] = out[all - 1 - t];
}

__global__ void count_lanes_kernel(const int* in, int* out) {
  const auto group = cg::coalesced_threads();
  if (group.thread_rank() == 0) atomicAdd(out, in[32]);
}
__global__ void count_group_kernel(const int*, int* out) {
  const auto group = cg::coalesced_threads();
  if (group.thread_rank() == 0) atomicAdd(out, static_cast<int>(group.size()));
}

// All lanes of a warp run together: so people think.
template <bool right>
void count_warp() {
  const auto in = uploaded(counted<int>(33)), out = uploaded(std::vector<int>(1));
  launch(right ? count_group_kernel : count_lanes_kernel, {1, 32}, {}, in.data(), out.data());
  expect(downloaded(out, 1)[0] == 32);
}

template <cuda::thread_scope scope, bool releases, bool acquires>
__global__ void flag_kernel(const int* in, int* out) {
  cuda::atomic_ref<int, scope> flag(out[1]);
  if (blockIdx.x == 0) {
    out[2] = in[0];
    flag.store(1, releases ? cuda::memory_order_release : cuda::memory_order_relaxed);
    return;
  }
  while (flag.load(acquires ? cuda::memory_order_acquire : cuda::memory_order_relaxed) == 0) {
  }
  out[0] = out[2];
}

enum class Slip { none, no_wait, no_second_barrier, init_at_once, one_too_many };

template <Slip slip>
__global__ void barrier_kernel(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  __shared__ int tile[threads];
  const unsigned t = threadIdx.x;
  if (t == 0) init(&barrier, threads + (slip == Slip::one_too_many ? 1 : 0));
  if (slip != Slip::init_at_once) __syncthreads();
  int value = in[t];
  for (int round = 0; round < 2; ++round) {
    tile[t] = value;
    auto token = barrier.arrive();
    if (slip != Slip::no_wait) barrier.wait(static_cast<decltype(token)&&>(token));
    value = tile[(t + 1) % threads];
    if (slip != Slip::no_second_barrier) barrier.arrive_and_wait();
  }
  out[t] = value;
}

// Blocks meet after each tile, of which the last block has fewer.
template <bool right>
__global__ void grid_loop_kernel(const int* in, int* out) {
  const auto grid = cg::this_grid();
  const unsigned tiles = right || blockIdx.x + 1 < gridDim.x ? 3 : 2;
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const auto i = tile * grid.size() + grid.thread_rank();
    out[i] = in[i];
    grid.sync();
  }
}

// In each round the first block clears a sum that all add to.
template <bool right>
__global__ void cleared_sum_kernel(const int* in, int* out) {
  const auto grid = cg::this_grid();
  grid.sync();
  for (int round = 0; round < 3; ++round) {
    if (grid.thread_rank() == 0) out[0] = 0;
    if (right) grid.sync();
    atomicAdd(out, in[grid.thread_rank()]);
    grid.sync();
  }
}

}  // namespace

void add_mistakes_of_groups(std::vector<Mistake>& mistakes) {
  const auto add = [&](auto name, auto kind, auto words, SeenBy seen_by, Run wrong, Run right) {
    mistakes.push_back({name, kind, words, seen_by, wrong, right, true});
  };
  constexpr const char *race = "race", *fault = "fault";
  const LaunchShape block{1, threads};
  const LaunchShape two_blocks{.grid = 2, .block = 1, .resident = true};
  const LaunchShape grid{.grid = 4, .block = 32, .resident = true};
  constexpr auto device = cuda::thread_scope_device;

  add("tile_without_sync", race, "no __syncwarp", {.racecheck = found},
      launched(tile_kernel<false>, block), launched(tile_kernel<true>, block));
  add("sync_of_too_small_a_group", race, "no __syncthreads", {.racecheck = found},
      launched(small_group_kernel<false>, block), launched(small_group_kernel<true>, block));
  add("grid_clears_too_late", race, "orders the two blocks", {},
      launched(cleared_sum_kernel<false>, grid), launched(cleared_sum_kernel<true>, grid));
  add("grid_without_sync", race, "orders the two blocks", {}, launched(grid_kernel<false>, grid),
      launched(grid_kernel<true>, grid));
  add("grid_sync_as_often_as_work", fault, "threads 0-31 wait at grid.sync() in ",
      {unknown, unknown, unknown, unknown}, launched(grid_loop_kernel<false>, grid),
      launched(grid_loop_kernel<true>, grid));
  add("grid_sync_of_an_ordinary_launch", fault, "the launch is an ordinary one",
      {.memcheck = found}, launched(grid_kernel<true>, {4, 32}), launched(grid_kernel<true>, grid));
  add("coalesced_threads_taken_for_a_warp", "wrong answer", "the answer is wrong", {},
      count_warp<false>, count_warp<true>);
  add("atomic_ref_no_release", race, "nothing orders the two blocks", {},
      launched(flag_kernel<device, false, true>, two_blocks),
      launched(flag_kernel<device, true, true>, two_blocks));
  add("atomic_ref_no_acquire", race, "a fence after the read of the flag is missing", {},
      launched(flag_kernel<device, true, false>, two_blocks),
      launched(flag_kernel<device, true, true>, two_blocks));
  add("atomic_ref_of_block_scope", race, "orders the two blocks", {},
      launched(flag_kernel<cuda::thread_scope_block, true, true>, two_blocks),
      launched(flag_kernel<device, true, true>, two_blocks));
  const auto add_barrier = [&](auto name, auto kind, auto words, SeenBy seen_by, Run wrong) {
    add(name, kind, words, seen_by, wrong, launched(barrier_kernel<Slip::none>, block));
  };
  add_barrier("barrier_without_wait", race, "shared tile + ",
              {.racecheck = found, .synccheck = found},
              launched(barrier_kernel<Slip::no_wait>, block));
  add_barrier("barrier_once_a_round", race, "shared tile + ", {.racecheck = found},
              launched(barrier_kernel<Slip::no_second_barrier>, block));
  add_barrier("barrier_before_its_init", "race or fault", "barrier ",
              {.racecheck = found, .synccheck = found},
              launched(barrier_kernel<Slip::init_at_once>, block));
  add_barrier("barrier_of_one_too_many", fault, "endless wait", {hangs, hangs, hangs, hangs},
              launched(barrier_kernel<Slip::one_too_many>, block));
}

}  // namespace ladder::seeded
