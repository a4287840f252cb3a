// Mistakes with asynchronous copies.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include "compare/tests/seeded/launched.hpp"

namespace ladder::seeded {
namespace {

namespace ptx = cuda::ptx;

constexpr unsigned threads = 64, tile = 4 * threads, tiles = 4;

enum class Slip {
  none,
  no_wait,
  wait_for_too_few,
  no_commit,
  no_barrier_after_wait,
  no_barrier_before_copy,
};

// Each thread copies 16 bytes of each tile, one tile ahead.
template <Slip slip>
__global__ void groups_kernel(const int* in, int* out) {
  __shared__ __align__(16) int stage[2][tile];
  const unsigned mine = 4 * threadIdx.x;
  const auto ask = [&](unsigned t) {
    if (t < tiles) __pipeline_memcpy_async(stage[t % 2] + mine, in + t * tile + mine, 16);
    if (slip != Slip::no_commit) __pipeline_commit();
  };
  ask(0);
  for (unsigned t = 0; t < tiles; ++t) {
    ask(t + 1);
    if (slip != Slip::no_wait) __pipeline_wait_prior(slip == Slip::wait_for_too_few ? 2 : 1);
    if (slip != Slip::no_barrier_after_wait) __syncthreads();
    for (unsigned k = threadIdx.x; k < tile; k += threads)
      out[t * tile + k] = stage[t % 2][tile - 1 - k];
    if (slip != Slip::no_barrier_before_copy) __syncthreads();
  }
}

// Each thread copies 16 bytes of each tile onto a barrier.
template <bool right>
__global__ void rounds_kernel(const int* in, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ __align__(16) int stage[tiles][tile];
  const unsigned mine = 4 * threadIdx.x;
  if (threadIdx.x == 0) init(&barrier, threads);
  __syncthreads();
  for (unsigned t = 0; t < tiles; ++t) {
    cuda::memcpy_async(stage[t] + mine, in + t * tile + mine, 16, barrier);
    if (right || t == 0) barrier.arrive_and_wait();
    else __syncthreads();
    for (unsigned k = threadIdx.x; k < tile; k += threads)
      out[t * tile + k] = stage[t][tile - 1 - k];
  }
}

// The first warp brings tiles, the second takes them away.
template <bool right>
__global__ void pipeline_kernel(const int* in, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ __align__(16) int stage[2][tile];
  const bool brings = threadIdx.x < 32;
  const auto role = brings ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
  for (unsigned t = 0; t < tiles; ++t) {
    if (brings) {
      pipe.producer_acquire();
      for (unsigned k = 4 * threadIdx.x; k < tile; k += 128)
        cuda::memcpy_async(stage[t % 2] + k, in + t * tile + k, 16, pipe);
      pipe.producer_commit();
      continue;
    }
    pipe.consumer_wait();
    if (!right) pipe.consumer_release();
    for (unsigned k = threadIdx.x - 32; k < tile; k += 32) out[t * tile + k] = stage[t % 2][k];
    if (right) pipe.consumer_release();
  }
}

enum class Bulk {
  right,
  no_wait,
  other_phase,
  one_for_all,
  no_barrier_before_load,
  no_wait_for_store,
  no_fence_of_proxies,
  fence_after_barrier,
  too_few_bytes,
  too_many_bytes,
  one_arrival_too_few,
  not_initialised,
  initialised_at_once,
  odd_size,
  misaligned,
  past_the_end,
  ends_before_store,
  answer_before_stored,
  relaxed_wait,
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// One thread asks for tiles, two ahead, and takes the results away. The last word of the output is
// an element that the copies have stored.
template <Bulk slip>
__global__ void bulk_kernel(const int* in, int* out) {
  constexpr unsigned bytes = tile * sizeof(int);
  __shared__ std::uint64_t full[2];
  __shared__ __align__(16) int stage[2][tile], result[tile];
  const bool asks = threadIdx.x == 0;
  const auto ask = [&](unsigned t) {
    if (t >= tiles) return;
    const unsigned expected = bytes - (slip == Bulk::too_few_bytes ? bytes / 2 : 0) +
                              (slip == Bulk::too_many_bytes ? 16 : 0);
    const auto load = [&](unsigned first, unsigned size) {
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[t % 2] + first,
                         in + t * tile + first + (slip == Bulk::misaligned ? 1 : 0) +
                             (slip == Bulk::past_the_end ? 8 : 0),
                         size - (slip == Bulk::odd_size ? 4 : 0), full + t % 2);
    };
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   full + t % 2, expected);
    load(0, bytes / 2);
    load(tile / 2, bytes / 2);
  };
  if (asks && slip != Bulk::not_initialised) {
    for (auto& barrier : full)
      ptx::mbarrier_init(&barrier, slip == Bulk::one_arrival_too_few ? 2 : 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  if (slip != Bulk::initialised_at_once) __syncthreads();
  if (asks) {
    ask(0);
    ask(1);
  }
  for (unsigned t = 0; t < tiles; ++t) {
    const unsigned parity = (t / 2 + (slip == Bulk::other_phase ? 1 : 0)) % 2;
    const bool waits = slip != Bulk::no_wait && (slip != Bulk::one_for_all || threadIdx.x < 32);
    const auto is_full = [&] {
      return slip == Bulk::relaxed_wait
                 ? ptx::mbarrier_try_wait_parity(ptx::sem_relaxed, ptx::scope_cta, full + t % 2,
                                                 parity)
                 : ptx::mbarrier_try_wait_parity(full + t % 2, parity);
    };
    while (waits && !is_full()) {
    }
    if (asks && slip != Bulk::no_wait_for_store)
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    if (slip != Bulk::one_for_all) __syncthreads();
    for (unsigned k = threadIdx.x; k < tile; k += threads) result[k] = stage[t % 2][tile - 1 - k];
    if (slip != Bulk::no_fence_of_proxies && slip != Bulk::fence_after_barrier)
      ptx::fence_proxy_async(ptx::space_shared);
    if (slip == Bulk::no_barrier_before_load && asks) ask(t + 2);
    __syncthreads();
    if (!asks) continue;
    if (slip == Bulk::fence_after_barrier) ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + t * tile, result, bytes);
    ptx::cp_async_bulk_commit_group();
    if (slip != Bulk::no_barrier_before_load) ask(t + 2);
  }
  if (!asks) return;
  if (slip == Bulk::answer_before_stored) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
  else if (slip != Bulk::ends_before_store) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  if (slip != Bulk::ends_before_store) out[tiles * tile] = out[0];
}
#else
template <Bulk slip>
__global__ void bulk_kernel(const int*, int*) {}
#endif

}  // namespace

void add_mistakes_of_copies(std::vector<Mistake>& mistakes) {
  constexpr const char *race = "race", *fault = "fault";
  constexpr const char *not_waited = "nothing has waited for the copy",
                       *not_ordered = "nothing orders the copy after it";
  const auto add = [&](auto name, auto kind, auto words, SeenBy seen_by, auto wrong, auto right) {
    constexpr LaunchShape block{1, threads};
    constexpr unsigned elements = tiles * tile + 1;
    mistakes.push_back({name, kind, words, seen_by, launched(wrong, block, elements),
                        launched(right, block, elements), true});
  };
  const auto groups = groups_kernel<Slip::none>;
  add("copy_without_wait", race, not_waited, {.racecheck = found}, groups_kernel<Slip::no_wait>,
      groups);
  add("copy_waited_for_one_too_few", race, not_waited, {.racecheck = found},
      groups_kernel<Slip::wait_for_too_few>, groups);
  add("copy_without_commit", race, not_waited, {.racecheck = found}, groups_kernel<Slip::no_commit>,
      groups);
  add("copy_waited_for_by_its_thread_alone", race, "shared stage + ", {.racecheck = found},
      groups_kernel<Slip::no_barrier_after_wait>, groups);
  add("copy_to_what_is_still_read", race, "shared stage + ", {.racecheck = found},
      groups_kernel<Slip::no_barrier_before_copy>, groups);
  add("copy_waited_for_in_the_first_round_alone", race, not_waited, {.synccheck = in_both},
      rounds_kernel<false>, rounds_kernel<true>);
  add("pipeline_released_too_early", race, not_ordered, {.racecheck = found, .synccheck = in_both},
      pipeline_kernel<false>, pipeline_kernel<true>);

  const auto bulk = bulk_kernel<Bulk::right>;
  add("bulk_without_wait", race, not_waited, {.racecheck = found, .synccheck = found},
      bulk_kernel<Bulk::no_wait>, bulk);
  add("bulk_waited_for_relaxedly", race, not_waited, {}, bulk_kernel<Bulk::relaxed_wait>, bulk);
  add("bulk_of_the_other_phase", "race or fault", "", {hangs, hangs, hangs, hangs},
      bulk_kernel<Bulk::other_phase>, bulk);
  add("bulk_waited_for_by_one_warp", race, "shared stage + ", {.racecheck = found},
      bulk_kernel<Bulk::one_for_all>, bulk);
  add("bulk_to_what_is_still_read", race, not_ordered, {.racecheck = found},
      bulk_kernel<Bulk::no_barrier_before_load>, bulk);
  add("bulk_store_overtaken", race, not_waited, {}, bulk_kernel<Bulk::no_wait_for_store>, bulk);
  add("bulk_without_fence_of_proxies", race, "no fence of proxies", {},
      bulk_kernel<Bulk::no_fence_of_proxies>, bulk_kernel<Bulk::fence_after_barrier>);
  add("bulk_of_too_few_bytes", "race or fault", "", {.synccheck = hangs},
      bulk_kernel<Bulk::too_few_bytes>, bulk);
  add("bulk_of_too_many_bytes", fault, "where 0 arrivals and 16 bytes are missing",
      {hangs, hangs, hangs, hangs}, bulk_kernel<Bulk::too_many_bytes>, bulk);
  add("bulk_arrivals_that_nobody_makes", fault, "where 1 arrivals and 0 bytes are missing",
      {hangs, hangs, hangs, hangs}, bulk_kernel<Bulk::one_arrival_too_few>, bulk);
  add("bulk_barrier_not_initialised", fault, "not initialised",
      {.memcheck = found, .synccheck = found}, bulk_kernel<Bulk::not_initialised>, bulk);
  add("bulk_barrier_initialised_at_once", "race or fault", "", {},
      bulk_kernel<Bulk::initialised_at_once>, bulk);
  add("bulk_of_an_odd_size", fault, "multiples of 16", {hangs, hangs, hangs, hangs},
      bulk_kernel<Bulk::odd_size>, bulk);
  add("bulk_misaligned", fault, "multiples of 16", {.memcheck = found},
      bulk_kernel<Bulk::misaligned>, bulk);
  add("bulk_past_the_end", fault, "out of bounds", {.memcheck = found},
      bulk_kernel<Bulk::past_the_end>, bulk);
  add("bulk_store_outlived", fault, "has not waited for its bulk copies", {},
      bulk_kernel<Bulk::ends_before_store>, bulk);
  add("bulk_answer_before_it_is_stored", race, not_waited, {},
      bulk_kernel<Bulk::answer_before_stored>, bulk);
}

}  // namespace ladder::seeded
