// Warp intrinsics, each against its definition in the CUDA C++ Programming Guide.
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

using namespace ladder;

namespace {

constexpr unsigned whole_warp = 0xffffffff;
constexpr unsigned schedules = 4;  // 0 and three seeds

enum class Shuffle { index, up, down, exclusive_or };

template <class T>
__global__ void shuffle_kernel(Shuffle kind, unsigned argument, int width, const T* in, T* out) {
  const T value = in[threadIdx.x];
  T result{};
  if (kind == Shuffle::index)
    result = __shfl_sync(whole_warp, value, static_cast<int>(argument), width);
  if (kind == Shuffle::up) result = __shfl_up_sync(whole_warp, value, argument, width);
  if (kind == Shuffle::down) result = __shfl_down_sync(whole_warp, value, argument, width);
  if (kind == Shuffle::exclusive_or)
    result = __shfl_xor_sync(whole_warp, value, static_cast<int>(argument), width);
  out[threadIdx.x] = result;
}

// The lane that `lane` reads, by the guide's words: lanes of a group of `width` behave as a warp of
// their own.
int lane_read(Shuffle kind, int lane, int argument, int width) {
  const int first = lane / width * width;
  const int last = first + width - 1;
  switch (kind) {
    case Shuffle::index:
      return first + argument % width;
    case Shuffle::up:
      return lane - argument < first ? lane : lane - argument;
    case Shuffle::down:
      return lane + argument > last ? lane : lane + argument;
    case Shuffle::exclusive_or:
      return (lane ^ argument) > last ? lane : lane ^ argument;
  }
  return -1;
}

}  // namespace

TEMPLATE_TEST_CASE("a shuffle reads the lane that CUDA says, at every width", "", std::int32_t,
                   unsigned, float, std::int64_t, unsigned long long, double) {
  std::vector<TestType> values(32);
  for (int k = 0; k < 32; ++k)
    values[k] = static_cast<TestType>((sizeof(TestType) == 8 ? 5'000'000'000.0 : 1000.0) + 3 * k);
  const auto in = uploaded(values);
  const DeviceArray<TestType> out(32);
  for (const Shuffle kind : {Shuffle::index, Shuffle::up, Shuffle::down, Shuffle::exclusive_or}) {
    for (const int width : {1, 2, 4, 8, 16, 32}) {
      for (unsigned argument = 0; argument < 32; ++argument) {
        launch(shuffle_kernel<TestType>, {1, 32}, {}, kind, argument, width, in.data(), out.data());
        std::vector<TestType> expected(32);
        for (int lane = 0; lane < 32; ++lane)
          expected[lane] = values[lane_read(kind, lane, static_cast<int>(argument), width)];
        REQUIRE(downloaded(out, 32) == expected);
      }
    }
  }
}

namespace {

__global__ void butterfly_kernel(const int* in, int* out) {
  int value = in[threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(whole_warp, value, distance);
  out[threadIdx.x] = value;
}

}  // namespace

TEST_CASE("shuffles in a row do not mix, in any order of lanes") {
  const auto in = uploaded(counted<int>(128));
  const DeviceArray<int> out(128);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Schedule schedule(seed);
    launch(butterfly_kernel, {1, 128}, {}, in.data(), out.data());
    std::vector<int> expected(128);
    for (int t = 0; t < 128; ++t) expected[t] = 496 + 1024 * (t / 32);
    REQUIRE(downloaded(out, 128) == expected);
  }
}

namespace {

// The halves of the warp meet apart from each other, the upper half more often.
__global__ void halves_kernel(int* out) {
  const unsigned lane = threadIdx.x;
  int value = static_cast<int>(lane);
  if (lane < 16) {
    value = __shfl_sync(0x0000ffff, value, 3);
  } else {
    for (int k = 0; k < 5; ++k) value = __shfl_up_sync(0xffff0000, value, 1, 16);
    __syncwarp(0xffff0000);
  }
  out[lane] = value + 100 * static_cast<int>(__ballot_sync(whole_warp, 1) == whole_warp);
}

}  // namespace

TEST_CASE("lanes with different masks meet apart") {
  const DeviceArray<int> out(32);
  for (unsigned seed = 0; seed < schedules; ++seed) {
    const Schedule schedule(seed);
    launch(halves_kernel, {1, 32}, {}, out.data());
    const auto got = downloaded(out, 32);
    for (int lane = 0; lane < 16; ++lane) CHECK(got[lane] == 103);
    for (int lane = 16; lane < 32; ++lane)
      CHECK(got[lane] == 100 + (lane - 5 < 16 ? 16 : lane - 5));
  }
}

namespace {

__global__ void exited_kernel(unsigned stay, int* out) {
  if (threadIdx.x >= stay) return;
  const unsigned present = __ballot_sync(whole_warp, 1);
  __syncwarp();
  out[threadIdx.x] =
      static_cast<int>(__reduce_add_sync(whole_warp, 1U)) + (present == (1U << stay) - 1 ? 100 : 0);
}

__global__ void reads_absent_kernel(int* out) {
  if (threadIdx.x >= 20) return;
  const int above = __shfl_down_sync(whole_warp, static_cast<int>(threadIdx.x), 4);
  if (threadIdx.x < 16) out[threadIdx.x] = above;
}

}  // namespace

TEST_CASE("lanes that have exited are waited for no longer") {
  const DeviceArray<int> out(32);
  for (unsigned seed = 0; seed < schedules; ++seed) {
    const Schedule schedule(seed);
    launch(exited_kernel, {1, 32}, {}, 20U, out.data());
    CHECK(downloaded(out, 20) == std::vector<int>(20, 120));
  }
}

TEST_CASE("the last warp of a block may be short") {
  const DeviceArray<int> out(40);
  launch(exited_kernel, {1, 20}, {}, 20U, out.data());
  CHECK(downloaded(out, 20) == std::vector<int>(20, 120));
}

TEST_CASE("reading a lane that is gone is counted and does no harm") {
  const DeviceArray<int> out(32);
  const auto counts = emulated::count([&] {
    launch(reads_absent_kernel, {1, 32}, {}, out.data());
  });
  CHECK(counts.shuffles_of_absent_lanes == 4);
  for (int lane = 0; lane < 16; ++lane) CHECK(downloaded(out, 32)[lane] == lane + 4);
}

namespace {

__global__ void votes_kernel(unsigned voters, unsigned* ballots, int* any, int* all) {
  const int vote = static_cast<int>(voters >> threadIdx.x & 1);
  ballots[threadIdx.x] = __ballot_sync(whole_warp, vote);
  any[threadIdx.x] = __any_sync(whole_warp, vote);
  all[threadIdx.x] = __all_sync(whole_warp, vote);
}

}  // namespace

TEST_CASE("votes") {
  const DeviceArray<unsigned> ballots(32);
  const DeviceArray<int> any(32), all(32);
  for (const unsigned voters : {0U, 1U, 0x80000000U, 0x12345678U, 0xfffffffeU, 0xffffffffU}) {
    launch(votes_kernel, {1, 32}, {}, voters, ballots.data(), any.data(), all.data());
    CHECK(downloaded(ballots, 32) == std::vector<unsigned>(32, voters));
    CHECK(downloaded(any, 32) == std::vector<int>(32, voters != 0));
    CHECK(downloaded(all, 32) == std::vector<int>(32, voters == whole_warp));
  }
}

namespace {

template <class T>
__global__ void match_kernel(unsigned mask, const T* in, unsigned* out) {
  if ((mask >> threadIdx.x & 1) == 0) return;
  out[threadIdx.x] = __match_any_sync(mask, in[threadIdx.x]);
}

}  // namespace

TEMPLATE_TEST_CASE("match_any names the lanes of the mask with the same value", "", std::int32_t,
                   float, std::int64_t, double) {
  std::vector<TestType> values(32);
  for (int k = 0; k < 32; ++k) values[k] = static_cast<TestType>(k * k % 7);
  const auto in = uploaded(values);
  for (const unsigned mask : {whole_warp, 0x00ffff0fU}) {
    const auto out = uploaded(std::vector<unsigned>(32, 0));
    launch(match_kernel<TestType>, {1, 32}, {}, mask, in.data(), out.data());
    std::vector<unsigned> expected(32, 0);
    for (int a = 0; a < 32; ++a) {
      for (int b = 0; b < 32; ++b) {
        if ((mask >> a & 1) != 0 && (mask >> b & 1) != 0 && values[a] == values[b])
          expected[a] |= 1U << b;
      }
    }
    CHECK(downloaded(out, 32) == expected);
  }
}

namespace {

template <class T>
__global__ void reduce_kernel(unsigned mask, const T* in, T* out) {
  if ((mask >> threadIdx.x & 1) == 0) return;
  const T value = in[threadIdx.x];
  T results[6] = {__reduce_add_sync(mask, value), __reduce_min_sync(mask, value),
                  __reduce_max_sync(mask, value)};
  results[3] = static_cast<T>(__reduce_and_sync(mask, static_cast<unsigned>(value)));
  results[4] = static_cast<T>(__reduce_or_sync(mask, static_cast<unsigned>(value)));
  results[5] = static_cast<T>(__reduce_xor_sync(mask, static_cast<unsigned>(value)));
  for (int k = 0; k < 6; ++k) out[6 * threadIdx.x + k] = results[k];
}

}  // namespace

TEMPLATE_TEST_CASE("warp reductions, signed and unsigned", "", int, unsigned) {
  std::vector<TestType> values(32);
  // both halves of the range
  for (unsigned k = 0; k < 32; ++k) values[k] = static_cast<TestType>(k * 2654435761U);
  const auto in = uploaded(values);
  const DeviceArray<TestType> out(6 * 32);
  for (const unsigned mask : {whole_warp, 0x0000fff0U, 1U << 9}) {
    launch(reduce_kernel<TestType>, {1, 32}, {}, mask, in.data(), out.data());
    unsigned add = 0, conjunction = whole_warp, disjunction = 0, parity = 0;
    TestType least = std::numeric_limits<TestType>::max(),
             most = std::numeric_limits<TestType>::min();
    for (unsigned k = 0; k < 32; ++k) {
      if ((mask >> k & 1) == 0) continue;
      const auto bits = static_cast<unsigned>(values[k]);
      add += bits;
      conjunction &= bits;
      disjunction |= bits;
      parity ^= bits;
      least = std::min(least, values[k]);
      most = std::max(most, values[k]);
    }
    const std::vector<TestType> expected{static_cast<TestType>(add),
                                         least,
                                         most,
                                         static_cast<TestType>(conjunction),
                                         static_cast<TestType>(disjunction),
                                         static_cast<TestType>(parity)};
    const auto got = downloaded(out, 6 * 32);
    for (unsigned k = 0; k < 32; ++k) {
      if ((mask >> k & 1) != 0)
        CHECK(std::vector<TestType>(got.begin() + 6 * k, got.begin() + 6 * k + 6) == expected);
    }
  }
}

namespace {

__global__ void active_kernel(unsigned* out) {
  out[threadIdx.x] = __activemask();
}

__global__ void bits_kernel(int* out) {
  out[0] = __popc(0xf0f0);
  out[1] = __popcll(~0ULL);
  out[2] = __clz(1);
  out[3] = __clz(0);
  out[4] = __clzll(1);
  out[5] = __ffs(0);
  out[6] = __ffs(0x50);
  out[7] = __ffsll(1LL << 40);
  out[8] = warpSize;
}

template <class T>
__global__ void products_kernel(const T* a, T* out) {
  if constexpr (sizeof(T) == 4) out[0] = __fmul_rn(a[0], a[0]) - a[1];
  else out[0] = __dmul_rn(a[0], a[0]) - a[1];
  out[1] = std::fma(a[0], a[0], -a[1]);
}

}  // namespace

TEST_CASE("activemask names the caller") {
  const DeviceArray<unsigned> out(64);
  launch(active_kernel, {1, 64}, {}, out.data());
  const auto got = downloaded(out, 64);
  for (unsigned t = 0; t < 64; ++t) CHECK((got[t] >> t % 32 & 1) == 1);
}

TEST_CASE("bit functions") {
  const DeviceArray<int> out(9);
  launch(bits_kernel, {1, 1}, {}, out.data());
  CHECK(downloaded(out, 9) == std::vector<int>{8, 64, 31, 32, 63, 0, 5, 41, 32});
}

TEMPLATE_TEST_CASE("a product of the _rn kind is rounded before it is used, that of fma is not", "",
                   float, double) {
  // its square is lost beside 1
  const TestType small = std::ldexp(TestType(1), -std::numeric_limits<TestType>::digits / 2 - 1);
  const auto a = uploaded<TestType>({1 + small, 1 + 2 * small});
  const DeviceArray<TestType> out(2);
  launch(products_kernel<TestType>, {1, 1}, {}, a.data(), out.data());
  CHECK(downloaded(out, 2) == std::vector<TestType>{0, small * small});
}
