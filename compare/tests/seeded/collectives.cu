// Mistakes with CUB's collectives.
#include <cub/cub.cuh>

#include <numeric>

#include "compare/tests/seeded/launched.hpp"

namespace ladder::seeded {
namespace {

constexpr int threads = 64;
using BlockSum = cub::BlockReduce<int, threads>;
using SmallBlockSum = cub::BlockReduce<int, 32>;
using BlockPrefix = cub::BlockScan<int, threads>;
using BlockPrefixAfter = cub::BlockScan<int, threads, cub::BLOCK_SCAN_WARP_SCANS>;
using WarpSum = cub::WarpReduce<int>;
using WarpPrefix = cub::WarpScan<int>;

template <int size>
__device__ int use(cub::BlockReduce<int, size> collective, int value) {
  return collective.Sum(value);
}
__device__ int use(BlockPrefix collective, int value) {
  collective.InclusiveSum(value, value);
  return value;
}
__device__ int use(BlockPrefixAfter collective, int value) {
  auto before = [](int) { return 7; };
  collective.ExclusiveSum(value, value, before);
  return value;
}
__device__ int use(WarpSum collective, int value) {
  return collective.Sum(value);
}
__device__ int use(WarpPrefix collective, int value) {
  collective.InclusiveSum(value, value);
  return value;
}

template <class Collective, bool right>
__global__ void reuse_kernel(const int* in, int* out) {
  __shared__ typename Collective::TempStorage storage;
  const int first = use(Collective(storage), in[threadIdx.x]);
  if (right) __syncthreads();
  const int second = use(Collective(storage), in[threadIdx.x + threads]);
  if (threadIdx.x == 0) *out = first + second;
}

// The first thread leaves its sum in the storage.
template <bool right>
__global__ void overwrite_kernel(const int* in, int* out) {
  __shared__ union {
    BlockSum::TempStorage of_sum;
    int sum;
  } storage;
  const int sum = BlockSum(storage.of_sum).Sum(in[threadIdx.x]);
  if (right) __syncthreads();
  if (threadIdx.x == 0) storage.sum = sum;
  __syncthreads();
  out[threadIdx.x] = storage.sum;
}

template <class Collective, bool right>
__global__ void two_warps_kernel(const int* in, int* out) {
  __shared__ typename Collective::TempStorage storage[2];
  const unsigned warp = threadIdx.x / 32;
  const int folded = use(Collective(storage[right ? warp : 0]), in[threadIdx.x]);
  if (threadIdx.x % 32 == 0) out[warp] = folded;
}

// Who gets the maximum: each thread its own, or all that of thread 0.
template <class Collective, bool right>
__global__ void maximum_kernel(const int* in, int* out) {
  __shared__ typename Collective::TempStorage storage;
  __shared__ int of_all;
  int maximum = Collective(storage).Reduce(in[threadIdx.x], Max());
  if (right) {
    if (threadIdx.x == 0) of_all = maximum;
    __syncthreads();
    maximum = of_all;
  }
  out[threadIdx.x] = maximum;
}

// What comes before thread 0.
template <bool right>
__global__ void before_kernel(const int* in, int* out) {
  __shared__ BlockPrefix::TempStorage storage;
  int value = in[threadIdx.x];
  if (right) BlockPrefix(storage).ExclusiveScan(value, value, 0, cuda::std::plus<>());
  else BlockPrefix(storage).ExclusiveScan(value, value, cuda::std::plus<>());
  out[threadIdx.x] = value;
}

// Of ones.
Run answered(void (*kernel)(const int*, int*), const std::vector<int>& expected) {
  return [=] {
    const auto in = uploaded(std::vector<int>(expected.size(), 1)),
               out = uploaded(std::vector<int>(expected.size()));
    launch(kernel, {1, static_cast<unsigned>(expected.size())}, {}, in.data(), out.data());
    expect(downloaded(out, expected.size()) == expected);
  };
}

// x -> scale * x + shift, in 16 bits each. Combined in another order, it is another one.
struct Then {
  __host__ __device__ unsigned operator()(unsigned a, unsigned b) const {
    return (a >> 16) * (b >> 16) << 16 | (((a & 0xffff) * (b >> 16) + b) & 0xffff);
  }
};

template <cub::BlockReduceAlgorithm algorithm>
__global__ void combine_kernel(const unsigned* in, unsigned* out) {
  using Collective = cub::BlockReduce<unsigned, threads, algorithm>;
  __shared__ typename Collective::TempStorage storage;
  const unsigned all = Collective(storage).Reduce(in[threadIdx.x], Then());
  if (threadIdx.x == 0) *out = all;
}

template <cub::BlockReduceAlgorithm algorithm>
void combine() {
  std::vector<unsigned> maps;
  for (unsigned k = 0; k < threads; ++k) maps.push_back((2 * k + 1) << 16 | (k ^ 5));
  const auto in = uploaded(maps), out = uploaded(std::vector<unsigned>(1));
  launch(combine_kernel<algorithm>, {1, threads}, {}, in.data(), out.data());
  expect(downloaded(out, 1)[0] == std::accumulate(maps.begin() + 1, maps.end(), maps[0], Then()));
}

}  // namespace

void add_mistakes_of_collectives(std::vector<Mistake>& mistakes) {
  const auto add = [&](auto name, auto kind, auto words, Run wrong, Run right,
                       SeenBy seen_by = {}) {
    mistakes.push_back({name, kind, words, seen_by, wrong, right, true});
  };
  const auto add_race = [&](auto name, const LaunchShape& shape, auto wrong, auto right,
                            SeenBy seen_by = {}) {
    add(name, "race", "shared storage + ", launched(wrong, shape), launched(right, shape), seen_by);
  };
  const LaunchShape block{1, threads}, warp{1, 32};

  add_race("block_reduce_twice", block, reuse_kernel<BlockSum, false>, reuse_kernel<BlockSum, true>,
           {.racecheck = found});
  add_race("block_reduce_overwritten", block, overwrite_kernel<false>, overwrite_kernel<true>);
  add_race("small_block_reduce_twice", warp, reuse_kernel<SmallBlockSum, false>,
           reuse_kernel<SmallBlockSum, true>);
  add_race("block_scan_twice", block, reuse_kernel<BlockPrefix, false>,
           reuse_kernel<BlockPrefix, true>);
  add_race("block_scan_after_prefix_twice", block, reuse_kernel<BlockPrefixAfter, false>,
           reuse_kernel<BlockPrefixAfter, true>);
  add_race("warp_reduce_twice", warp, reuse_kernel<WarpSum, false>, reuse_kernel<WarpSum, true>);
  add_race("warp_scan_twice", warp, reuse_kernel<WarpPrefix, false>,
           reuse_kernel<WarpPrefix, true>);
  add_race("warp_reduces_in_one_storage", block, two_warps_kernel<WarpSum, false>,
           two_warps_kernel<WarpSum, true>);
  add_race("warp_scans_in_one_storage", block, two_warps_kernel<WarpPrefix, false>,
           two_warps_kernel<WarpPrefix, true>);

  const auto add_answer = [&](auto name, const std::vector<int>& expected, auto wrong, auto right) {
    add(name, "wrong answer", "the answer is wrong", answered(wrong, expected),
        answered(right, expected));
  };
  add_answer("block_maximum_in_every_thread", std::vector<int>(threads, 1),
             maximum_kernel<BlockSum, false>, maximum_kernel<BlockSum, true>);
  add_answer("warp_maximum_in_every_lane", std::vector<int>(32, 1), maximum_kernel<WarpSum, false>,
             maximum_kernel<WarpSum, true>);
  add_answer("scan_without_initial_value", counted<int>(threads), before_kernel<false>,
             before_kernel<true>);
  add("commutative_reduce_of_what_is_not", "wrong answer", "the answer is wrong",
      combine<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>, combine<cub::BLOCK_REDUCE_RAKING>);

  const auto add_fault = [&](auto name, auto kernel) {
    add(name, "fault", "the threads that its collective of CUB counts on", launched(kernel, warp),
        launched(kernel, block));
  };
  add_fault("block_reduce_of_a_smaller_block", reuse_kernel<BlockSum, true>);
  add_fault("block_scan_of_a_smaller_block", reuse_kernel<BlockPrefix, true>);
}

}  // namespace ladder::seeded
