// Requests to shared memory and the passes that they take: 32 banks of 4 bytes, a word for each
// bank in a pass. The rules are in request.hpp; an H200 counts the same for each pattern here.
#include "compare/small_floats.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/counts.hpp"
#include "compare/tests/emulator/findings.hpp"

using namespace ladder;
using Shared = emulated::Counts::Shared;

namespace Catch {
template <>
struct StringMaker<Shared> {
  static std::string convert(const Shared& s) {
    return std::to_string(s.requests) + " requests, " + std::to_string(s.wavefronts) +
           " wavefronts";
  }
};
}  // namespace Catch

namespace {

constexpr unsigned all_lanes = 0xffffffff;

struct alignas(16) Four {
  float element[4];
};

// Which element a lane means: lanes whose numbers agree but for the bits of `pairing` mean the same
// one, and successive ones are `stride` apart.
struct Pattern {
  unsigned stride, pairing = 0;
  __device__ unsigned element(unsigned lane) const {
    unsigned number = lane;
    for (unsigned bit = 16; bit > 0; bit /= 2) {
      if ((pairing & bit) != 0) number = number / (2 * bit) * bit + number % bit;
    }
    return number * stride;
  }
};

// One request of each warp, by the lanes whose bits are set in `lanes`.
template <class T>
__global__ void store_kernel(Pattern pattern, unsigned lanes) {
  const unsigned lane = threadIdx.x % 32;
  if ((lanes >> lane & 1) != 0) dynamic_shared<T>()[pattern.element(lane)] = T{};
}
template <class T>
__global__ void load_kernel(Pattern pattern, unsigned lanes, T* out) {
  const unsigned lane = threadIdx.x % 32;
  if ((lanes >> lane & 1) != 0) out[threadIdx.x] = dynamic_shared<T>()[pattern.element(lane)];
}

template <class T>
Shared stores(Pattern pattern, unsigned lanes = all_lanes) {
  return counts_of(store_kernel<T>, {1, 32, 32 * 1024}, pattern, lanes).shared;
}
template <class T>
Shared loads(Pattern pattern, unsigned lanes = all_lanes) {
  const DeviceArray<T> out(32);
  return counts_of(load_kernel<T>, {1, 32, 32 * 1024}, pattern, lanes, out.data()).shared;
}

}  // namespace

TEST_CASE("4-byte elements: as many passes as words in the fullest bank") {
  CHECK(stores<float>({1}) == Shared{1, 1});
  CHECK(stores<float>({2}) == Shared{1, 2});
  CHECK(stores<float>({3}) == Shared{1, 1});  // odd: every bank once
  CHECK(stores<float>({4}) == Shared{1, 4});
  CHECK(stores<float>({16}) == Shared{1, 16});
  CHECK(stores<float>({32}) == Shared{1, 32});
  CHECK(stores<float>({33}) == Shared{1, 1});
  CHECK(loads<float>({2}) == Shared{1, 2});
  CHECK(loads<float>({32}) == Shared{1, 32});
}

TEST_CASE("one word serves all lanes that ask for it") {
  CHECK(stores<float>({0}) == Shared{1, 1});
  CHECK(loads<float>({0}) == Shared{1, 1});
  CHECK(stores<float>({1, 3}) == Shared{1, 1});    // 8 words, each for 4 lanes
  CHECK(stores<float>({32, 1}) == Shared{1, 16});  // 16 in one bank, each for 2
  CHECK(loads<float>({64, 1}) == Shared{1, 16});
}

TEST_CASE("smaller elements share words") {
  CHECK(stores<char>({1}) == Shared{1, 1});
  CHECK(stores<short>({1}) == Shared{1, 1});
  CHECK(stores<char>({4}) == Shared{1, 1});
  CHECK(stores<char>({8}) == Shared{1, 2});
  CHECK(stores<char>({128, 3}) == Shared{1, 8});
  CHECK(loads<char>({128}) == Shared{1, 32});
}

TEST_CASE("lanes that take no part cost nothing") {
  CHECK(stores<float>({32}, 0x00000001) == Shared{1, 1});
  CHECK(stores<float>({32}, 0x80000101) == Shared{1, 3});
  CHECK(stores<float>({32}, 0) == Shared{0, 0});
  // 32 lanes and 8
  CHECK(counts_of(store_kernel<float>, {1, 40, 32 * 1024}, {2}, all_lanes).shared == Shared{2, 3});
}

TEST_CASE("8-byte elements: the halves of a warp one after the other") {
  CHECK(stores<double>({1}) == Shared{1, 2});
  CHECK(loads<double>({1}) == Shared{1, 2});
  CHECK(stores<double>({2}) == Shared{1, 4});
  CHECK(loads<double>({2}) == Shared{1, 4});
  CHECK(loads<double>({16}) == Shared{1, 32});
  CHECK(loads<double>({17}) == Shared{1, 2});
  CHECK(loads<double>({1}, 0x0000ffff) == Shared{1, 1});   // one half is idle
  CHECK(stores<double>({1}, 0x00010001) == Shared{1, 2});  // a lane of each half
  CHECK(stores<double>({1}, 0x000f000f) == Shared{1, 2});
  CHECK(loads<double>({16}, 0x00030003) == Shared{1, 4});
}

TEST_CASE("16-byte elements: the quarters of a warp one after the other") {
  CHECK(stores<Four>({1}) == Shared{1, 4});
  CHECK(loads<Four>({1}) == Shared{1, 4});
  CHECK(stores<Four>({2}) == Shared{1, 8});
  CHECK(loads<Four>({2}) == Shared{1, 8});
  CHECK(loads<Four>({1}, 0x000000ff) == Shared{1, 1});
  CHECK(loads<Four>({1}, 0x00ff00ff) == Shared{1, 2});
  CHECK(loads<Four>({1}, 0x0f0f0f0f) == Shared{1, 4});
}

TEST_CASE("where lanes ask for the same address in pairs, twice as many are served together") {
  CHECK(loads<double>({0}) == Shared{1, 1});
  CHECK(loads<double>({1, 1}) == Shared{1, 1});  // lanes 0 and 1, 2 and 3, ..
  CHECK(loads<double>({1, 2}) == Shared{1, 1});  // lanes 0 and 2, 1 and 3, ..
  CHECK(loads<double>({1, 4}) == Shared{1, 2});  // lanes 0 and 4, ..: not seen
  CHECK(loads<double>({1, 8}) == Shared{1, 2});
  CHECK(loads<double>({32, 15}) == Shared{1, 2});  // two words of one bank
  CHECK(loads<double>({16, 1}) == Shared{1, 16});
  CHECK(loads<double>({16, 1}, 0x3fffffff) == Shared{1, 15});
  // a lane whose partner takes no part agrees with it
  CHECK(loads<double>({0}, 0x00010001) == Shared{1, 1});
  CHECK(loads<double>({0}, 0x7fffffff) == Shared{1, 1});
  CHECK(loads<double>({1, 1}, 0x0f0f0f0f) == Shared{1, 1});
  CHECK(loads<Four>({0}) == Shared{1, 2});
  CHECK(loads<Four>({1, 1}) == Shared{1, 2});
  CHECK(loads<Four>({1, 2}) == Shared{1, 2});
  CHECK(loads<Four>({1, 4}) == Shared{1, 4});
  CHECK(loads<Four>({1}, 0x01010101) == Shared{1, 4});
}

TEST_CASE("stores in pairs are served as others are") {
  CHECK(stores<double>({0}) == Shared{1, 2});
  CHECK(stores<double>({1, 1}) == Shared{1, 2});
  CHECK(stores<Four>({0}) == Shared{1, 4});
}

namespace {

// Static arrays, loads, and what is no shared memory: local arrays and global memory.
__global__ void static_kernel(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ unsigned tile[32 * 32];
  volatile unsigned mine[2] = {in[threadIdx.x], 1};
  tile[threadIdx.x * stride] = mine[threadIdx.x % 2];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void both_kernel(unsigned* tree) {
  __shared__ unsigned tile[64];
  unsigned* dynamic = dynamic_shared<unsigned>();
  tile[threadIdx.x] = dynamic[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 16) tile[threadIdx.x] += dynamic[2 * threadIdx.x];
  tree[threadIdx.x] = 0;
}

// One instruction for two kinds of memory: each has requests of its own.
__attribute__((noinline)) unsigned read(const unsigned* place) {
  return *place;
}
__global__ void generic_kernel(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32];
  tile[threadIdx.x] = 0;
  __syncthreads();
  out[threadIdx.x] =
      read(threadIdx.x < 8 ? &tile[threadIdx.x] : &in[threadIdx.x]) + read(&in[threadIdx.x]);
}

}  // namespace

TEST_CASE("static shared memory is counted, local memory is not") {
  const auto in = uploaded(counted<unsigned>(64));
  const DeviceArray<unsigned> out(64);
  const auto counts = counts_of(static_kernel, {3, 32}, in.data(), out.data(), 4);
  CHECK(counts.shared == Shared{3 * 2, 3 * (4 + 1)});
  CHECK(counts.loads.requests == 3);
  CHECK(counts.stores.requests == 3);
}

TEST_CASE("static and dynamic shared memory in one kernel") {
  const DeviceArray<unsigned> out(64);
  // Each of two warps stores twice; then 16 lanes load the even words of 32, load, and store.
  CHECK(counts_of(both_kernel, {1, 64, 256}, out.data()).shared == Shared{4 + 3, 4 + 3});
}

TEST_CASE("one instruction that reaches shared and global memory makes a request to each") {
  const auto in = uploaded(counted<unsigned>(32));
  const DeviceArray<unsigned> out(32);
  const auto counts = counts_of(generic_kernel, {1, 32}, in.data(), out.data());
  CHECK(counts.shared == Shared{2, 2});
  CHECK(counts.loads.lanes == 24 + 32);
}

namespace {

template <class T>
__global__ void atomics_kernel(Pattern pattern) {
  T* place = &dynamic_shared<T>()[pattern.element(threadIdx.x)];
  if constexpr (sizeof(T) == 4) atomicAdd(place, T{1});
  else atomicExch(place, T{1});  // an instruction, which addition is not
}

template <class T>
emulated::Counts atomics(Pattern pattern, unsigned lanes = 32) {
  return counts_of(atomics_kernel<T>, {1, lanes, 16 * 1024}, pattern);
}

// Two atomics on one address by different lanes: requests of their own. Global ones are none.
__global__ void two_atomics_kernel(unsigned* out) {
  unsigned* counters = dynamic_shared<unsigned>();
  if (threadIdx.x % 2 == 0) atomicAdd(&counters[threadIdx.x], 1U);
  else atomicAdd(&counters[threadIdx.x], 2U);
  atomicMax(out, 1U);
}

}  // namespace

TEST_CASE("an atomic is a request, and lanes that mean one bank take turns") {
  CHECK(atomics<unsigned>({1}).shared == Shared{1, 1});
  CHECK(atomics<unsigned>({1}).atomics == 32);
  CHECK(atomics<unsigned>({2}).shared == Shared{1, 2});
  CHECK(atomics<unsigned>({32}).shared == Shared{1, 32});
  CHECK(atomics<unsigned>({0}).shared == Shared{1, 32});
  CHECK(atomics<unsigned>({0}, 4).shared == Shared{1, 4});
  CHECK(atomics<unsigned>({1, 1}).shared == Shared{1, 2});  // pairs on 16 words
  // 16 lanes on each of two words, in two banks
  CHECK(atomics<unsigned>({1, 15}).shared == Shared{1, 16});
  CHECK(atomics<unsigned>({32, 15}).shared == Shared{1, 32});  // in one
  CHECK(atomics<unsigned long long>({1}).shared == Shared{1, 2});
  CHECK(atomics<unsigned long long>({0}).shared == Shared{1, 32});
}

TEST_CASE("atomics in two places of the source are two requests") {
  const auto out = uploaded(std::vector<unsigned>(1));
  const auto counts = counts_of(two_atomics_kernel, {1, 32, 128}, out.data());
  CHECK(counts.shared == Shared{2, 2});
  CHECK(counts.atomics == 64);
}

namespace {

// Its default constructor does nothing, as that of F16 and of __half.
struct Constructed {
  float value;
  Constructed() = default;
  __device__ explicit Constructed(float x) : value(x) {}
};

template <class T>
__global__ void reverse_kernel(T* out) {
  __shared__ T tile[64];
  tile[threadIdx.x] = T(1.0F);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

template <class T>
Shared reverse() {
  const DeviceArray<T> out(64);
  CHECK(in_words(findings_of([&] { launch(reverse_kernel<T>, {1, 64}, {}, out.data()); })) == "");
  return counts_of(reverse_kernel<T>, {1, 64}, out.data()).shared;
}

}  // namespace

TEST_CASE("an array of a class with constructors takes the accesses of the kernel, and no other") {
  CHECK(reverse<float>() == Shared{4, 4});
  CHECK(reverse<Constructed>() == Shared{4, 4});
  CHECK(reverse<F16>() == Shared{4, 4});
  CHECK(reverse<BF16>() == Shared{4, 4});
}
