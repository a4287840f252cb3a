// CUB's collectives of blocks and warps.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

#include <algorithm>
#include <optional>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

// x -> scale * x + shift. Combined in another order, it is another one.
struct Map {
  unsigned scale = 1, shift = 0;
  bool operator==(const Map&) const = default;
};
struct Then {
  __host__ __device__ Map operator()(const Map& a, const Map& b) const {
    return {a.scale * b.scale, a.shift * b.scale + b.shift};
  }
};

template <class T>
std::vector<T> some(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto value = static_cast<unsigned>(k * 37 % 101);
    if constexpr (std::is_same_v<T, Map>) values[k] = {2 * value + 1, value ^ 5};
    else values[k] = static_cast<T>(value);
  }
  return values;
}

template <class T, class Op>
std::vector<T> scanned(const std::vector<T>& in, Op op, std::optional<T> before, bool inclusive) {
  std::vector<T> out;
  for (const T& value : in) {
    const std::optional<T> upto = before ? op(*before, value) : value;
    out.push_back(inclusive ? *upto : before.value_or(T()));
    before = upto;
  }
  return out;
}
template <class T, class Op>
T folded(const std::vector<T>& in, Op op) {
  return scanned(in, op, std::optional<T>(), true).back();
}
template <class T>
std::vector<T> first_of(const std::vector<T>& in, std::size_t count) {
  return {in.begin(), in.begin() + static_cast<std::ptrdiff_t>(count)};
}

constexpr int items = 3;

// What one block makes of so many elements for each of its threads: all of them, an array of them,
// and the first ones.
template <class T, int threads, cub::BlockReduceAlgorithm algorithm, class Op>
__global__ void reduce_kernel(const T* in, T* out) {
  using Reduce = cub::BlockReduce<T, threads, algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  const int t = static_cast<int>(threadIdx.x);
  T mine[items];
  for (int k = 0; k < items; ++k) mine[k] = in[t * items + k];

  const T of_all = Reduce(storage).Reduce(in[t], Op());
  __syncthreads();
  const T of_items = Reduce(storage).Reduce(mine, Op());
  __syncthreads();
  const T of_first = Reduce(storage).Reduce(in[t], Op(), threads / 2 + 1);
  __syncthreads();
  const T of_one = Reduce(storage).Reduce(in[t], Op(), 1);
  if (t != 0) return;
  out[0] = of_all;
  out[1] = of_items;
  out[2] = of_first;
  out[3] = of_one;
}

template <class T, int threads, cub::BlockReduceAlgorithm algorithm, class Op>
void check_reduce() {
  INFO(threads << " threads, algorithm " << algorithm);
  const auto in = some<T>(threads * items);
  CHECK(answer(reduce_kernel<T, threads, algorithm, Op>, {1, threads}, in, 4) ==
        std::vector<T>{folded(first_of(in, threads), Op()), folded(in, Op()),
                       folded(first_of(in, threads / 2 + 1), Op()), in[0]});
}

template <int threads>
void check_reduces() {
  check_reduce<int, threads, cub::BLOCK_REDUCE_WARP_REDUCTIONS, cuda::std::plus<>>();
  check_reduce<double, threads, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, cuda::std::plus<>>();
  check_reduce<float, threads, cub::BLOCK_REDUCE_WARP_REDUCTIONS, cuda::maximum<float>>();
  check_reduce<Map, threads, cub::BLOCK_REDUCE_WARP_REDUCTIONS, Then>();
  check_reduce<Map, threads, cub::BLOCK_REDUCE_RAKING, Then>();
}

// A block that may be smaller than the collective is told.
__global__ void sums_kernel(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ Reduce::TempStorage storage;
  float pair[] = {in[threadIdx.x], 1};
  const float of_block =
      Reduce(storage).Sum(in[threadIdx.x], blockDim.x == 256 ? 1000 : static_cast<int>(blockDim.x));
  __syncthreads();
  const float of_pairs = blockDim.x == 256 ? Reduce(storage).Sum(pair) : 0;
  if (threadIdx.x != 0) return;
  out[0] = of_block;
  out[1] = of_pairs;
}

// What a scan gives each thread: of one element, in place, with the aggregate of all, after an
// initial value, and of an array.
constexpr int columns = 5 + items;

template <class T, int threads, cub::BlockScanAlgorithm algorithm, class Op, bool inclusive>
__global__ void __launch_bounds__(threads) scan_kernel(const T* in, T* out) {
  using Scan = cub::BlockScan<T, threads, algorithm>;
  __shared__ typename Scan::TempStorage storage;
  const auto scan = [&](auto&&... arguments) {
    if constexpr (inclusive) Scan(storage).InclusiveScan(arguments...);
    else Scan(storage).ExclusiveScan(arguments...);
    __syncthreads();
  };
  const Op op;
  const int t = static_cast<int>(threadIdx.x);
  T of_one, in_place = in[t], beside_all, all, after[] = {in[t]}, of_items[items];
  for (int k = 0; k < items; ++k) of_items[k] = in[t * items + k];
  scan(in[t], of_one, op);
  scan(in_place, in_place, op);
  scan(in[t], beside_all, op, all);
  scan(after, after, in[1], op);
  scan(of_items, of_items, op);
  if (!inclusive && t == 0) of_one = in_place = beside_all = of_items[0] = T();  // undefined
  const T row[] = {of_one,   in_place,    beside_all,  all,
                   after[0], of_items[0], of_items[1], of_items[2]};
  for (int k = 0; k < columns; ++k) out[t * columns + k] = row[k];
}

template <class T, int threads, cub::BlockScanAlgorithm algorithm, class Op, bool inclusive>
void check_scan() {
  INFO(threads << " threads, algorithm " << algorithm
               << (inclusive ? ", inclusive" : ", exclusive"));
  const auto in = some<T>(threads * items), row = first_of(in, threads);
  const auto one = scanned(row, Op(), {}, inclusive),
             after = scanned(row, Op(), {in[1]}, inclusive),
             in_arrays = scanned(in, Op(), {}, inclusive);
  std::vector<T> expected;
  for (std::size_t t = 0; t < threads; ++t) {
    const T* const array = &in_arrays[t * items];
    expected.insert(expected.end(), {one[t], one[t], one[t], folded(row, Op()), after[t], array[0],
                                     array[1], array[2]});
  }
  CHECK(answer(scan_kernel<T, threads, algorithm, Op, inclusive>, {1, threads}, in,
               expected.size()) == expected);
}

template <int threads>
void check_scans() {
  check_scan<int, threads, cub::BLOCK_SCAN_RAKING, cuda::std::plus<>, true>();
  check_scan<double, threads, cub::BLOCK_SCAN_WARP_SCANS, cuda::minimum<double>, false>();
  check_scan<Map, threads, cub::BLOCK_SCAN_RAKING, Then, true>();
  check_scan<Map, threads, cub::BLOCK_SCAN_WARP_SCANS, Then, true>();
  check_scan<Map, threads, cub::BLOCK_SCAN_RAKING_MEMOIZE, Then, false>();
}

// The fold of what lies before a tile, in thread 0.
template <class T, class Op>
struct Running {
  T before;
  __device__ T operator()(T of_tile) {
    const T old = before;
    before = Op()(before, of_tile);
    return old;
  }
};

constexpr int threads_of_tile = 96, tile = 2 * threads_of_tile, tiles = 3;

// Tiles one after the other, each from where the last one ended.
template <class T, class Op, bool inclusive>
__global__ void tiles_kernel(const T* in, T* out) {
  using Scan = cub::BlockScan<T, threads_of_tile>;
  __shared__ typename Scan::TempStorage storage;
  Running<T, Op> running{threadIdx.x == 0 ? in[0] : T()};
  for (int at = 2 * static_cast<int>(threadIdx.x); at < tiles * tile; at += tile) {
    T pair[] = {in[at], in[at + 1]};
    if (inclusive) Scan(storage).InclusiveScan(pair, pair, Op(), running);
    else Scan(storage).ExclusiveScan(pair, pair, Op(), running);
    __syncthreads();
    out[at] = pair[0];
    out[at + 1] = pair[1];
  }
}

template <class T, class Op, bool inclusive>
void check_tiles() {
  const auto in = some<T>(tiles * tile);
  CHECK(answer(tiles_kernel<T, Op, inclusive>, {1, threads_of_tile}, in, in.size()) ==
        scanned(in, Op(), {in[0]}, inclusive));
}

// By name, all forms of them.
__global__ void sum_scans_kernel(const int* in, int* out) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ Scan::TempStorage storage;
  int value[8], pair[] = {in[threadIdx.x], 1}, sums[2];
  Running<int, cuda::std::plus<>> running{100};
  Scan scan(storage);
  scan.InclusiveSum(in[threadIdx.x], value[0]);
  __syncthreads();
  scan.ExclusiveSum(true, value[1], value[2]);
  __syncthreads();
  scan.ExclusiveSum(1, value[3], running);
  __syncthreads();
  scan.InclusiveSum(1, value[4], running);
  __syncthreads();
  scan.InclusiveSum(pair, sums, value[5]);
  value[6] = sums[1];
  __syncthreads();
  scan.ExclusiveSum(pair, sums);
  value[7] = sums[1];
  for (int k = 0; k < 8; ++k) out[threadIdx.x * 8 + static_cast<unsigned>(k)] = value[k];
}

// Each group of lanes by itself.
template <class T, int lanes, class Op>
__global__ void warp_kernel(const T* in, T* out) {
  using Reduce = cub::WarpReduce<T, lanes>;
  using Scan = cub::WarpScan<T, lanes>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } storage[96 / lanes];
  auto& mine = storage[threadIdx.x / lanes];
  const T input = in[threadIdx.x];
  const bool is_first = threadIdx.x % lanes == 0;
  T upto, later, before, before_later, aggregate;

  const T all = Reduce(mine.reduce).Reduce(input, Op());
  __syncwarp();
  const T of_some = Reduce(mine.reduce).Reduce(input, Op(), lanes / 2 + 1);
  __syncwarp();
  Scan(mine.scan).InclusiveScan(input, upto, Op(), aggregate);
  __syncwarp();
  Scan(mine.scan).InclusiveScan(input, later, in[1], Op());
  __syncwarp();
  Scan(mine.scan).ExclusiveScan(input, before, Op());
  __syncwarp();
  Scan(mine.scan).ExclusiveScan(input, before_later, in[1], Op());
  const T row[] = {is_first ? all : T(),
                   is_first ? of_some : T(),
                   upto,
                   aggregate,
                   later,
                   is_first ? T() : before,
                   before_later};
  for (int k = 0; k < 7; ++k) out[threadIdx.x * 7 + static_cast<unsigned>(k)] = row[k];
}

template <class T, int lanes, class Op>
void check_warps() {
  INFO(lanes << " lanes");
  const auto in = some<T>(96);
  std::vector<T> expected;
  for (std::size_t first = 0; first < 96; first += lanes) {
    const std::vector<T> own(in.begin() + static_cast<std::ptrdiff_t>(first),
                             in.begin() + static_cast<std::ptrdiff_t>(first + lanes));
    const auto upto = scanned(own, Op(), {}, true), later = scanned(own, Op(), {in[1]}, true);
    const auto before = scanned(own, Op(), {}, false),
               before_later = scanned(own, Op(), {in[1]}, false);
    for (std::size_t k = 0; k < lanes; ++k) {
      const T all = k == 0 ? upto.back() : T(), of_some = k == 0 ? upto[lanes / 2] : T();
      expected.insert(expected.end(),
                      {all, of_some, upto[k], upto.back(), later[k], before[k], before_later[k]});
    }
  }
  CHECK(answer(warp_kernel<T, lanes, Op>, {1, 96}, in, expected.size()) == expected);
}

// The first lanes reduce alone.
__global__ void warp_sums_kernel(const int* in, int* out) {
  __shared__ cub::WarpReduce<int, 8>::TempStorage reduce;
  __shared__ cub::WarpScan<int>::TempStorage scan;
  int upto, before, aggregate, total = 0;
  if (threadIdx.x < 8) total = cub::WarpReduce<int, 8>(reduce).Sum(in[threadIdx.x]);
  cub::WarpScan<int>(scan).InclusiveSum(in[threadIdx.x], upto);
  __syncwarp();
  cub::WarpScan<int>(scan).ExclusiveSum(in[threadIdx.x], before, aggregate);
  out[threadIdx.x] = upto - before;
  if (threadIdx.x == 0) out[32] = total;
  if (threadIdx.x == 9) out[33] = aggregate;
}

}  // namespace

TEST_CASE("a block reduces") {
  check_reduces<8>();
  check_reduces<32>();
  check_reduces<64>();
  check_reduces<100>();
  check_reduces<256>();
  check_reduces<1024>();
}

TEST_CASE("a block sums, be it a smaller one") {
  const auto in = counted<float>(256);
  CHECK(answer(sums_kernel, {1, 256}, in, 2) ==
        std::vector<float>{256 * 255 / 2, 256 * 255 / 2 + 256});
  CHECK(answer(sums_kernel, {1, 80}, in, 2) == std::vector<float>{80 * 79 / 2, 0});
}

TEST_CASE("a block scans") {
  check_scans<8>();
  check_scans<32>();
  check_scans<64>();
  check_scans<100>();
  check_scans<256>();
  check_scans<1024>();
}

TEST_CASE("a block scans tile after tile, by a callback for the prefix") {
  check_tiles<int, cuda::std::plus<>, false>();
  check_tiles<Map, Then, true>();
  check_tiles<Map, Then, false>();
}

TEST_CASE("a block scans sums") {
  std::vector<int> expected;
  for (int t = 0; t < 64; ++t) {
    const int upto = t * (t + 1) / 2;
    expected.insert(expected.end(),
                    {upto, t, 64, 100 + t, 165 + t, 63 * 64 / 2 + 64, upto + t + 1, upto + t});
  }
  CHECK(answer(sum_scans_kernel, {1, 64}, counted<int>(64), expected.size()) == expected);
}

TEST_CASE("warps, and parts of warps, reduce and scan") {
  check_warps<Map, 32, Then>();
  check_warps<Map, 8, Then>();
  check_warps<float, 16, cuda::maximum<>>();
  check_warps<double, 32, cuda::minimum<>>();
}

TEST_CASE("a warp sums") {
  auto expected = counted<int>(32);
  expected.insert(expected.end(), {7 * 8 / 2, 31 * 32 / 2});
  CHECK(answer(warp_sums_kernel, {1, 32}, counted<int>(32), 34) == expected);
}

TEST_CASE("the larger and the smaller of two") {
  CHECK(cuda::maximum<>()(3, 2.5) == 3);
  CHECK(cuda::maximum<int>()(2, 3) == 3);
  CHECK(cuda::minimum<>()(3, 2.5) == 2.5);
  CHECK(cuda::minimum<int>()(2, 3) == 2);
}
