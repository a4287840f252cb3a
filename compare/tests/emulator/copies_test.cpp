// Asynchronous copies: when their data move, what they count, and what is said of a wait that does not end.
#include <cuda_pipeline.h>

#include <cuda/ptx>
#include <set>

#include "compare/emulated/runtime.hpp"
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

std::vector<int> looks(void (*kernel)(const int*, int*), unsigned seed) {
  const Schedule schedule(seed);
  const auto in = uploaded(std::vector<int>{1, 2, 3, 4}), out = uploaded(std::vector<int>(2));
  launch(kernel, {1, 1}, {}, in.data(), out.data());
  return downloaded(out, 2);
}

}  // namespace

TEST_CASE("the data of a copy move at any moment up to the wait, and as late as can be in the regular order") {
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
  CHECK(by_threads.loads == emulated::Counts::Direction{.bytes = 512, .requests = 1, .sectors = 16, .lanes = 32});
  CHECK(by_threads.shared == emulated::Counts::Shared{.requests = 1, .wavefronts = 4});

  const auto load = counts_of(bulk_load_kernel, {1, 1}, in.data(), out.data());
  CHECK(load.loads == emulated::Counts::Direction{.bytes = 1040, .requests = 3, .sectors = 33, .lanes = 65});
  CHECK(load.shared.requests == 1);  // the barrier's first value; who waits for it counts nothing
  CHECK(load.atomics == 0);
  const auto store = counts_of(bulk_store_kernel, {1, threads}, in.data(), out.data());
  CHECK(store.stores == emulated::Counts::Direction{.bytes = 128, .requests = 1, .sectors = 4, .lanes = 8});
  CHECK(downloaded(out, 32) == std::vector<int>(32, 1));
}

TEST_CASE("a wait that does not end tells what is missing, and where the others wait") {
  const auto in = uploaded(std::vector<int>(1)), out = uploaded(std::vector<int>(1));
  const auto run = [&] { launch(wait_for_nobody_kernel, {1, threads}, {}, in.data(), out.data()); };
  CHECK_THROWS_WITH(run(), ContainsSubstring("waits for phase 0 of a barrier, where 28 arrivals and 0 bytes are missing"));
  CHECK_THROWS_WITH(run(), ContainsSubstring("threads 8-31 wait at __syncthreads in ") && ContainsSubstring("; threads 0-7 wait in "));
}
