// Asynchronous copies: when their data move, what they count, and what is said of a wait that does
// not end.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/ptx>
#include <set>

#include "compare/emulated/calls/runtime.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/counts.hpp"
#include "compare/tests/emulator/device.hpp"
#include "compare/tests/emulator/schedule.hpp"

using namespace ladder;
using Catch::Matchers::ContainsSubstring;

namespace {

namespace ptx = cuda::ptx;

constexpr unsigned threads = 32, seeds = 50;

// out: whether the data are there before the wait, and after it.
__global__ void look_kernel(const int* in, int* out) {
  __shared__ __align__(16) int stage[4];
  __pipeline_memcpy_async(stage, in, 16);
  __pipeline_commit();
  for (unsigned k = 0; k < 8; ++k) __nanosleep(1);
  out[0] = stage[3] == in[3];
  __pipeline_wait_prior(0);
  out[1] = stage[3] == in[3];
}

__global__ void look_in_bulk_kernel(const int* in, int* out) {
  __shared__ std::uint64_t full;
  __shared__ __align__(16) int stage[4];
  ptx::mbarrier_init(&full, 1);
  ptx::fence_proxy_async();
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 16);
  ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, stage, in, 16, &full);
  out[0] = stage[3] == in[3];
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  out[1] = stage[3] == in[3];
}

__global__ void bulk_store_kernel(const int*, int* out) {
  __shared__ __align__(16) int stage[threads];
  stage[threadIdx.x] = 1;
  ptx::fence_proxy_async();
  __syncwarp();
  if (threadIdx.x > 0) return;
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, stage, sizeof stage);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

__global__ void bulk_load_kernel(const int* in, int*) {
  __shared__ std::uint64_t full;
  __shared__ __align__(16) int stage[1024];
  ptx::mbarrier_init(&full, 1);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 1040);
  ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, stage, in + 4, 1040, &full);
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
}

__global__ void copy_kernel(const int* in, int*) {
  __shared__ __align__(16) int stage[4 * threads];
  __pipeline_memcpy_async(stage + 4 * threadIdx.x, in + 4 * threadIdx.x, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

__global__ void wait_for_nobody_kernel(const int*, int*) {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, threads);
  __syncthreads();
  if (threadIdx.x < 4) ptx::mbarrier_arrive(&barrier);
  if (threadIdx.x < 8)
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
    }
  __syncthreads();
}

// Every other block ends while copies, and their arrivals, are under way.
__global__ void ends_early_kernel(const int* in, int*) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ __align__(16) int stage[4 * threads];
  if (threadIdx.x == 0) init(&barrier, threads);
  __syncthreads();
  if (blockIdx.x % 2 == 0) {
    cuda::memcpy_async(stage + 4 * threadIdx.x, in + 4 * threadIdx.x, 16, barrier);
    return;
  }
  for (unsigned k = 0; k < 2; ++k) barrier.arrive_and_wait();
}

__global__ void meet_kernel(const int*, int* out) {
  const auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) return;
  cluster.sync();
  if (threadIdx.x == 1) return;
  for (unsigned k = 0; k < 3; ++k) cluster.sync();
  atomicAdd(out, 1);
}

__global__ void many_barriers_kernel(const int*, int* out) {
  constexpr unsigned count = 2048;
  __shared__ std::uint64_t barriers[count];
  for (unsigned round = 0; round < 2; ++round)
    for (unsigned k = threadIdx.x; k < count; k += threads) ptx::mbarrier_init(barriers + k, 1);
  __syncthreads();
  ptx::mbarrier_arrive(barriers + count - 1 - threadIdx.x);
  atomicAdd(
      out, static_cast<int>(ptx::mbarrier_test_wait_parity(barriers + count - 1 - threadIdx.x, 0)));
}

enum class Refused {
  too_many_zeros,
  past_static_shared,
  past_remote_shared,
  from_local_memory,
  global_to_global,
  barrier_in_global_memory,
  too_many_bytes,
  no_arrival,
  arrives_twice,
  waits_at_another_block,
  ends_while_others_copy,
  past_remote_dynamic,
};

template <Refused what>
__global__ void refused_kernel(const int* in, int* out) {
  __shared__ std::uint64_t full;
  __shared__ __align__(16) int stage[4];
  const auto cluster = cooperative_groups::this_cluster();
  const unsigned other = cluster.num_blocks() - 1 - cluster.block_rank();
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, 1);
  cluster.sync();
  __align__(16) int local[4] = {};
  std::uint64_t* const theirs = cluster.map_shared_rank(&full, other);
  constexpr unsigned far_too_many = 1 << 20;
  if (what == Refused::too_many_zeros) __pipeline_memcpy_async(stage, in, 16, 20);
  if (what == Refused::past_static_shared)
    ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, stage, in, far_too_many, &full);
  if (what == Refused::past_remote_shared)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, cluster.map_shared_rank(stage, other),
                       in, far_too_many, theirs);
  if (what == Refused::from_local_memory) __pipeline_memcpy_async(stage, local, 16);
  if (what == Refused::global_to_global)
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, in, 16);
  if (what == Refused::barrier_in_global_memory) {
    auto* const barrier = reinterpret_cast<std::uint64_t*>(out);
    ptx::mbarrier_init(barrier, 1);
    ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, stage, in, 16, barrier);
  }
  if (what == Refused::too_many_bytes)
    for (unsigned k = 0; k < 4; ++k)
      ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full,
                              1'000'000);
  if (what == Refused::no_arrival) ptx::mbarrier_arrive(&full, 0);
  if (what == Refused::arrives_twice)
    for (unsigned k = 0; k < 2; ++k) ptx::barrier_cluster_arrive();
  if (what == Refused::waits_at_another_block)
    while (!ptx::mbarrier_try_wait_parity(theirs, 0)) {
    }
  if (what == Refused::ends_while_others_copy) {
    if (cluster.block_rank() == 1) {
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared,
                         cluster.map_shared_rank(stage, other), stage, 16, theirs);
      return;
    }
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 16);
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
  }
  if (what == Refused::past_remote_dynamic)
    out[0] = cluster.map_shared_rank(dynamic_shared<int>(), other)[4];
}

std::vector<int> looks(void (*kernel)(const int*, int*), unsigned seed) {
  const Schedule schedule(seed);
  const auto in = uploaded(std::vector<int>{1, 2, 3, 4}), out = uploaded(std::vector<int>(2));
  launch(kernel, {1, 1}, {}, in.data(), out.data());
  return downloaded(out, 2);
}

}  // namespace

TEST_CASE(
    "the data of a copy move at any moment up to the wait, and as late as can be in the regular "
    "order") {
  for (const auto kernel : {look_kernel, look_in_bulk_kernel}) {
    CHECK(looks(kernel, 0) == std::vector<int>{0, 1});
    std::set<int> before;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      const auto found = looks(kernel, seed);
      before.insert(found[0]);
      CHECK(found[1] == 1);
    }
    CHECK(before == std::set<int>{0, 1});
  }
}

TEST_CASE("copies count where they are issued") {
  const auto in = uploaded(std::vector<int>(1024)), out = uploaded(std::vector<int>(1024));
  const auto by_threads = counts_of(copy_kernel, {1, threads}, in.data(), out.data());
  CHECK(by_threads.loads ==
        emulated::Counts::Direction{.bytes = 512, .requests = 1, .sectors = 16, .lanes = 32});
  CHECK(by_threads.shared == emulated::Counts::Shared{.requests = 1, .wavefronts = 4});

  const auto load = counts_of(bulk_load_kernel, {1, 1}, in.data(), out.data());
  CHECK(load.loads ==
        emulated::Counts::Direction{.bytes = 1040, .requests = 3, .sectors = 33, .lanes = 65});
  CHECK(load.shared.requests == 1);  // the barrier's first value; who waits for it counts nothing
  CHECK(load.atomics == 0);
  const auto store = counts_of(bulk_store_kernel, {1, threads}, in.data(), out.data());
  CHECK(store.stores ==
        emulated::Counts::Direction{.bytes = 128, .requests = 1, .sectors = 4, .lanes = 8});
  CHECK(downloaded(out, 32) == std::vector<int>(32, 1));
}

TEST_CASE("a wait that does not end tells what is missing, and where the others wait") {
  const auto in = uploaded(std::vector<int>(1)), out = uploaded(std::vector<int>(1));
  const auto run = [&] { launch(wait_for_nobody_kernel, {1, threads}, {}, in.data(), out.data()); };
  CHECK_THROWS_WITH(
      run(), ContainsSubstring(
                 "waits for phase 0 of a barrier, where 28 arrivals and 0 bytes are missing"));
  CHECK_THROWS_WITH(run(), ContainsSubstring("threads 8-31 wait at __syncthreads in ") &&
                               ContainsSubstring("; threads 0-7 wait in "));
}

TEST_CASE("copies that nobody waits for end with their block") {
  const auto in = uploaded(std::vector<int>(4 * threads)), out = uploaded(std::vector<int>(1));
  for (unsigned seed = 0; seed <= seeds; ++seed) {
    const Schedule schedule(seed);
    CHECK_NOTHROW(launch(ends_early_kernel, {8, threads}, {}, in.data(), out.data()));
  }
}

TEST_CASE(
    "the barrier of a cluster is there in any launch, and waits for no thread that has exited") {
  const auto in = uploaded(std::vector<int>(1));
  for (const unsigned size : {1, 2, 8}) {
    for (unsigned seed = 0; seed <= seeds; ++seed) {
      const Schedule schedule(seed);
      const auto out = uploaded(std::vector<int>(1));
      launch(meet_kernel, {.grid = 16, .block = threads, .cluster = size}, {}, in.data(),
             out.data());
      REQUIRE(downloaded(out, 1) == std::vector<int>{16 * (threads - 2)});
    }
  }
}

TEST_CASE("a block may have as many barriers as it has room for, and initialise them again") {
  const auto in = uploaded(std::vector<int>(1)), out = uploaded(std::vector<int>(1));
  launch(many_barriers_kernel, {1, threads}, {}, in.data(), out.data());
  CHECK(downloaded(out, 1) == std::vector<int>{threads});
}

TEST_CASE("what the hardware refuses ends the launch, and the next one starts afresh") {
  const auto in = uploaded(std::vector<int>(4 << 20)), out = uploaded(std::vector<int>(1024));
  const std::vector<std::pair<void (*)(const int*, int*), const char*>> all = {
      {refused_kernel<Refused::too_many_zeros>, "copies 16 bytes, 20 of them zeros"},
      {refused_kernel<Refused::past_static_shared>, "past the end of a shared array"},
      {refused_kernel<Refused::past_remote_shared>, "past the end of a shared array"},
      {refused_kernel<Refused::from_local_memory>, "a local variable"},
      {refused_kernel<Refused::global_to_global>,
       "from its block's shared memory to global memory"},
      {refused_kernel<Refused::barrier_in_global_memory>, "where its barrier lies too"},
      {refused_kernel<Refused::too_many_bytes>, "wait for 2000000 more bytes"},
      {refused_kernel<Refused::no_arrival>, "arrives 0 times"},
      {refused_kernel<Refused::arrives_twice>, "has not waited there since it arrived before"},
      {refused_kernel<Refused::waits_at_another_block>, "a barrier of another block"},
      {refused_kernel<Refused::ends_while_others_copy>,
       "a bulk copy that uses its shared memory is under way"},
      {refused_kernel<Refused::past_remote_dynamic>,
       "at offset 16 of 16 bytes of dynamic shared memory"},
  };
  for (const auto& [kernel, words] : all) {
    CHECK_THROWS_WITH(launch(kernel, {.grid = 4, .block = 1, .shared_bytes = 16, .cluster = 2}, {},
                             in.data(), out.data()),
                      ContainsSubstring(words));
    CHECK(looks(look_in_bulk_kernel, 1)[1] == 1);
  }
}
