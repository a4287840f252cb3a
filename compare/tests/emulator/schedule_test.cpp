// Schedules: a kernel with a race is wrong on some seed, its correct twin on none, and a seed
// always gives the same run.
#include <set>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

using namespace ladder;

namespace {

constexpr unsigned seeds = 20;
constexpr unsigned bins = 8;

__global__ void racy_histogram_kernel(const unsigned* in, unsigned* histogram) {
  const unsigned bin = in[blockIdx.x * blockDim.x + threadIdx.x] % bins;
  histogram[bin] += 1;
}

__global__ void atomic_histogram_kernel(const unsigned* in, unsigned* histogram) {
  const unsigned bin = in[blockIdx.x * blockDim.x + threadIdx.x] % bins;
  atomicAdd(&histogram[bin], 1U);
}

// Without the barrier after each step a thread may read what its neighbour has not written yet, or
// has already.
template <bool with_barrier>
__global__ void tree_kernel(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[256];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  for (unsigned stride = 128; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    if (with_barrier) __syncthreads();
  }
  if (t == 0) *out = tile[0];
}

// The last warp of old: right only where 32 lanes move in step, as before Volta.
template <bool with_barrier>
__global__ void last_warp_kernel(const unsigned* in, unsigned* out) {
  volatile unsigned* const tile = dynamic_shared<unsigned>();
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  tile[t + 32] = in[t + 32];
  if (with_barrier) __syncwarp();
  for (unsigned stride = 32; stride > 0; stride /= 2) {
    if (with_barrier) {
      const unsigned sum = tile[t] + (t + stride < 64 ? tile[t + stride] : 0);
      __syncwarp();
      tile[t] = sum;
      __syncwarp();
    } else {
      tile[t] = tile[t] + tile[t + stride];
    }
  }
  if (t == 0) *out = tile[0];
}

using Kernel = void (*)(const unsigned*, unsigned*);

// The seeds of 1 to `seeds` on which the kernel does not give `expected`.
unsigned wrong_seeds(Kernel kernel, LaunchShape shape, const std::vector<unsigned>& expected) {
  const auto in =
      uploaded(counted<unsigned>(std::size_t{shape.grid.count()} * shape.block.count() * 2));
  unsigned wrong = 0;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const Schedule schedule(seed);
    const auto out = uploaded(std::vector<unsigned>(expected.size()));
    launch(kernel, shape, {}, in.data(), out.data());
    if (downloaded(out, expected.size()) != expected) ++wrong;
  }
  return wrong;
}

}  // namespace

TEST_CASE("an unprotected histogram loses updates on most seeds, one with atomics on none") {
  const std::vector<unsigned> expected(bins, 2 * 256 / bins);
  CHECK(wrong_seeds(racy_histogram_kernel, {2, 256}, expected) >= seeds / 2);
  CHECK(wrong_seeds(atomic_histogram_kernel, {2, 256}, expected) == 0);
}

TEST_CASE("a tree without its barrier is wrong on most seeds, with it on none") {
  CHECK(wrong_seeds(tree_kernel<false>, {1, 256}, {255 * 256 / 2}) >= seeds / 2);
  CHECK(wrong_seeds(tree_kernel<true>, {1, 256}, {255 * 256 / 2}) == 0);
}

TEST_CASE(
    "a last warp that trusts lanes to move in step is wrong on most seeds, a synchronised one on "
    "none") {
  CHECK(wrong_seeds(last_warp_kernel<false>, {1, 32, 96 * sizeof(unsigned)}, {63 * 64 / 2}) >=
        seeds / 2);
  CHECK(wrong_seeds(last_warp_kernel<true>, {1, 32, 96 * sizeof(unsigned)}, {63 * 64 / 2}) == 0);
}

namespace {

__global__ void order_kernel(unsigned* tickets, unsigned* order) {
  order[atomicAdd(tickets, 1U)] = threadIdx.x;
  __syncthreads();
  order[atomicAdd(tickets, 1U)] = threadIdx.x;
}

std::vector<unsigned> order_under(std::uint64_t seed) {
  const Schedule schedule(seed);
  const auto tickets = uploaded(std::vector<unsigned>{0});
  const DeviceArray<unsigned> order(200);
  launch(order_kernel, {1, 100}, {}, tickets.data(), order.data());
  return downloaded(order, 200);
}

}  // namespace

TEST_CASE("schedule 0 runs each thread to its next barrier, in index order") {
  std::vector<unsigned> expected = counted<unsigned>(100);
  for (unsigned t = 0; t < 100; ++t) expected.push_back(t);
  CHECK(order_under(0) == expected);
}

TEST_CASE("a seed always gives the same order, another seed another") {
  for (unsigned seed = 1; seed < 10; ++seed) {
    CHECK(order_under(seed) == order_under(seed));
    CHECK(order_under(seed) != order_under(seed + 1));
  }
}

TEST_CASE("a seed chooses who runs first") {
  std::set<unsigned> first;
  for (unsigned seed = 1; seed <= seeds; ++seed) first.insert(order_under(seed).front());
  CHECK(first.size() >= seeds / 2);
}
