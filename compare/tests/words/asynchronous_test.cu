// Asynchronous copies, and the barriers and groups that they complete on.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cstdint>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <numeric>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

constexpr unsigned threads = 64, tile = 4 * threads, tiles = 5, elements = tiles * tile;
constexpr LaunchShape block{1, threads};

// Each kernel below takes tiles of the input to shared memory, and leaves twice each element, from
// the last of a tile to its first.
__device__ void leave(const int* stage, int* out) {
  for (unsigned k = threadIdx.x; k < tile; k += threads) out[k] = 2 * stage[tile - 1 - k];
}
std::vector<int> input() {
  std::vector<int> in(elements);
  std::iota(in.begin(), in.end(), 1);
  return in;
}
std::vector<int> expected() {
  const auto in = input();
  std::vector<int> out(elements);
  for (unsigned t = 0; t < tiles; ++t)
    for (unsigned k = 0; k < tile; ++k) out[t * tile + k] = 2 * in[t * tile + tile - 1 - k];
  return out;
}

__global__ void primitives_kernel(const int* in, int* out) {
  __shared__ alignas(16) int stage[2][tile];
  const auto ask = [&](unsigned t) {
    if (t < tiles)
      __pipeline_memcpy_async(stage[t % 2] + 4 * threadIdx.x, in + t * tile + 4 * threadIdx.x, 16);
    __pipeline_commit();
  };
  ask(0);
  for (unsigned t = 0; t < tiles; ++t) {
    ask(t + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    leave(stage[t % 2], out + t * tile);
    __syncthreads();
  }
}

__global__ void zeros_kernel(const int* in, int* out) {
  __shared__ __align__(16) int stage[threads];
  __pipeline_memcpy_async(stage + 4 * threadIdx.x, in, 16, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (unsigned k = 0; k < 4; ++k) out[4 * threadIdx.x + k] = stage[4 * threadIdx.x + k];
}

__global__ void producer_commit_kernel(const int* in, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ alignas(16) int stage[tile];
  auto pipe = cuda::make_pipeline();
  if (threadIdx.x == 0) init(&barrier, threads);
  __syncthreads();
  for (unsigned t = 0; t < tiles; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(stage + 4 * threadIdx.x, in + t * tile + 4 * threadIdx.x, sizeof(int4),
                       pipe);
    cuda::pipeline_producer_commit(pipe, barrier);
    barrier.arrive_and_wait();
    leave(stage, out + t * tile);
    __syncthreads();
  }
}

__global__ void awbarrier_kernel(const int* in, int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ __align__(16) int stage[tile];
  if (threadIdx.x == 0) __mbarrier_init(&barrier, threads);
  __syncthreads();
  for (unsigned t = 0; t < tiles; ++t) {
    __pipeline_memcpy_async(stage + 4 * threadIdx.x, in + t * tile + 4 * threadIdx.x, 16);
    __pipeline_arrive_on(&barrier);
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    leave(stage, out + t * tile);
    __syncthreads();
  }
}

__global__ void group_kernel(const int* in, int* out) {
  __shared__ __align__(16) int stage[2][tile];
  const auto group = cg::this_thread_block();
  cg::memcpy_async(group, stage[0], in, sizeof stage[0]);
  for (unsigned t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      cg::memcpy_async(group, stage[(t + 1) % 2], in + (t + 1) * tile, sizeof stage[0]);
      cg::wait_prior<1>(group);
    } else {
      cg::wait(group);
    }
    leave(stage[t % 2], out + t * tile);
    group.sync();
  }
}

__global__ void barrier_kernel(const int* in, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ __align__(16) int stage[tile];
  const auto group = cg::this_thread_block();
  if (threadIdx.x == 0) init(&barrier, threads);
  group.sync();
  for (unsigned t = 0; t < tiles; ++t) {
    if (t % 2 == 0)
      cuda::memcpy_async(group, stage, in + t * tile, cuda::aligned_size_t<16>(sizeof stage),
                         barrier);
    else cuda::memcpy_async(stage + 4 * threadIdx.x, in + t * tile + 4 * threadIdx.x, 16, barrier);
    barrier.arrive_and_wait();
    leave(stage, out + t * tile);
    group.sync();
  }
}

__global__ void own_pipeline_kernel(const int* in, int* out) {
  __shared__ __align__(16) int stage[3][tile];
  auto pipe = cuda::make_pipeline();
  const auto ask = [&](unsigned t) {
    if (t >= tiles) return;
    pipe.producer_acquire();
    cuda::memcpy_async(stage[t % 3] + 4 * threadIdx.x, in + t * tile + 4 * threadIdx.x,
                       sizeof(int4), pipe);
    pipe.producer_commit();
  };
  ask(0);
  ask(1);
  for (unsigned t = 0; t < tiles; ++t) {
    pipe.consumer_wait();
    __syncthreads();
    leave(stage[t % 3], out + t * tile);
    pipe.consumer_release();
    ask(t + 2);
  }
}

// The first half of the threads brings tiles, the other half takes them away.
__global__ void shared_pipeline_kernel(const int* in, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ __align__(16) int stage[2][tile];
  const auto group = cg::this_thread_block();
  const bool brings = threadIdx.x < threads / 2;
  auto pipe = cuda::make_pipeline(
      group, &state, brings ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (unsigned t = 0; t < tiles; ++t) {
    if (brings) {
      pipe.producer_acquire();
      for (unsigned k = 4 * threadIdx.x; k < tile; k += 2 * threads)
        cuda::memcpy_async(stage[t % 2] + k, in + t * tile + k, 16, pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (unsigned k = threadIdx.x - threads / 2; k < tile; k += threads / 2)
        out[t * tile + k] = 2 * stage[t % 2][tile - 1 - k];
      pipe.consumer_release();
    }
  }
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// One thread asks for tiles, ahead of the others, and takes the results away.
__global__ void bulk_kernel(const int* in, int* out) {
  __shared__ std::uint64_t full[2];
  __shared__ __align__(16) int stage[2][tile], result[tile];
  const auto ask = [&](unsigned t) {
    if (t >= tiles) return;
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   full + t % 2, sizeof stage[0]);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[t % 2], in + t * tile,
                       sizeof stage[0], full + t % 2);
  };
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(full, 1);
    ptx::mbarrier_init(full + 1, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
    ask(0);
    ask(1);
  }
  __syncthreads();
  for (unsigned t = 0; t < tiles; ++t) {
    while (!ptx::mbarrier_try_wait_parity(full + t % 2, t / 2 % 2)) {
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    __syncthreads();
    leave(stage[t % 2], result);
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x > 0) continue;
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + t * tile, result, sizeof result);
    ptx::cp_async_bulk_commit_group();
    ask(t + 2);
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

__global__ void memcpy_async_tx_kernel(const int* in, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ __align__(16) int stage[tile];
  if (threadIdx.x == 0) {
    init(&barrier, threads);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  for (unsigned t = 0; t < tiles; ++t) {
    if (threadIdx.x == 0) {
      const auto copied = cuda::device::memcpy_async_tx(
          stage, in + t * tile, cuda::aligned_size_t<16>(sizeof stage), barrier);
      if (copied != cuda::async_contract_fulfillment::async) out[0] = 0;
      cuda::device::barrier_expect_tx(barrier, sizeof stage);
    }
    barrier.arrive_and_wait();
    leave(stage, out + t * tile);
    __syncthreads();
  }
}

// By the names that cuda::device::experimental gave to copies in bulk.
__global__ void earlier_names_kernel(const int* in, int* out) {
  namespace cde = cuda::device::experimental;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ alignas(16) int stage[tile], result[tile];
  if (threadIdx.x == 0) {
    init(&barrier, threads);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  for (unsigned t = 0; t < tiles; ++t) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_wait_group_read<0>();
      cde::cp_async_bulk_global_to_shared(stage, in + t * tile, sizeof stage, barrier);
    }
    barrier.wait(cuda::device::barrier_arrive_tx(barrier, 1, threadIdx.x == 0 ? sizeof stage : 0));
    leave(stage, result);
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x > 0) continue;
    cde::cp_async_bulk_shared_to_global(out + t * tile, result, sizeof result);
    cde::cp_async_bulk_commit_group();
  }
  if (threadIdx.x == 0) cde::cp_async_bulk_wait_group_read<0>();
}

// Relaxed arrivals and waits count; a fence and a barrier of the block order.
__global__ void relaxed_kernel(const int* in, int* out) {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, unsigned{threads});
  __syncthreads();
  for (unsigned t = 0; t < tiles; ++t) {
    ptx::mbarrier_arrive(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &barrier, 1);
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_relaxed, ptx::scope_cta, &barrier, t % 2)) {
    }
    leave(in + t * tile, out + t * tile);
  }
}
#else
__global__ void bulk_kernel(const int*, int*) {}
__global__ void memcpy_async_tx_kernel(const int*, int*) {}
__global__ void earlier_names_kernel(const int*, int*) {}
__global__ void relaxed_kernel(const int*, int*) {}
#endif

}  // namespace

TEST_CASE("copies in groups of a thread") {
  CHECK(answer(primitives_kernel, block, input(), elements) == expected());
  CHECK(answer(zeros_kernel, {1, 1}, {1, 2, 3, 4}, 4) == std::vector<int>{1, 2, 3, 0});
  CHECK(answer(group_kernel, block, input(), elements) == expected());
  CHECK(answer(own_pipeline_kernel, block, input(), elements) == expected());
}

TEST_CASE("copies that a barrier waits for") {
  CHECK(answer(awbarrier_kernel, block, input(), elements) == expected());
  CHECK(answer(barrier_kernel, block, input(), elements) == expected());
  CHECK(answer(shared_pipeline_kernel, block, input(), elements) == expected());
  CHECK(answer(producer_commit_kernel, block, input(), elements) == expected());
}

TEST_CASE("copies in bulk") {
  CHECK(answer(bulk_kernel, block, input(), elements) == expected());
  CHECK(answer(memcpy_async_tx_kernel, block, input(), elements) == expected());
  CHECK(answer(earlier_names_kernel, block, input(), elements) == expected());
  CHECK(answer(relaxed_kernel, block, input(), elements) == expected());
}
