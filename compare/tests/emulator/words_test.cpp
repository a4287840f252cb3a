// What counting and the checker see of CUDA's words. What the words compute, compare/tests/words/
// shows.
#include <cuda_fp16.h>

#include <algorithm>
#include <cuda/barrier>
#include <cuda/ptx>
#include <new>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/counts.hpp"
#include "compare/tests/emulator/findings.hpp"

using namespace ladder;
using Catch::Matchers::ContainsSubstring;

// A group that a user writes.
struct WholeBlock {
  static unsigned size() { return blockDim.x; }
  static unsigned thread_rank() { return threadIdx.x; }
};
template <>
inline constexpr bool cuda::is_thread_block_group_v<WholeBlock> = true;

namespace {

__global__ void plain_copy_kernel(const int4* in, int4* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void streaming_copy_kernel(const int4* in, int4* out) {
  __stcs(&out[threadIdx.x], __ldcs(&in[threadIdx.x]));
}

// Each reads what its neighbour writes, in the line after the constant.
constexpr unsigned streaming_line = __LINE__ + 2;
__global__ void streaming_race_kernel(int* data) {
  __stcs(&data[threadIdx.x], __ldcs(&data[threadIdx.x ^ 32]));
}
constexpr unsigned half_line = __LINE__ + 2;
__global__ void half_race_kernel(__half* data) {
  data[threadIdx.x] += data[threadIdx.x ^ 32];
}
constexpr unsigned conversion_line = __LINE__ + 2;
__global__ void conversion_race_kernel(__half* data) {
  data[threadIdx.x ^ 32] = 2 * static_cast<float>(data[threadIdx.x]);
}
constexpr unsigned std_line = __LINE__ + 2;
__global__ void std_race_kernel(int* data) {
  data[threadIdx.x] = std::max(data[threadIdx.x], data[threadIdx.x ^ 32]);
}

template <class T>
void check_race_in(void (*kernel)(T*), unsigned line) {
  const Schedule schedule(1);
  const auto findings = findings_of([&] {
    launch(kernel, {1, 64}, {}, uploaded(std::vector<T>(64)).data());
  });
  const std::string place = "compare/tests/emulator/words_test.cpp:" + std::to_string(line);
  REQUIRE(findings.size() == 1);
  CHECK((findings[0].line == place && findings[0].other_line == place));
}

template <bool as_volatile>
__global__ void wait_kernel(int* flag) {
  if (blockIdx.x == 0) {
    while ((as_volatile ? __ldcv(flag) : __ldcg(flag)) == 0) {
    }
  } else {
    if (as_volatile) __stwt(flag, 1);
    else __stcg(flag, 1);
  }
}
template <bool as_volatile>
std::size_t findings_of_wait() {
  return findings_of([] {
           launch(wait_kernel<as_volatile>, {2, 1, 0, true}, {},
                  uploaded(std::vector<int>(1)).data());
         })
      .size();
}

// Words that CCCL has since 3.0 or later.
__global__ void newer_words_kernel(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  alignas(Barrier) __shared__ unsigned char room[sizeof(Barrier)];
  __shared__ int tile[64];
  auto* const barrier = reinterpret_cast<Barrier*>(room);
  if (threadIdx.x == 0) new (barrier) Barrier(blockDim.x);
  __syncthreads();
  cuda::memcpy_async(WholeBlock(), tile, in, sizeof tile, *barrier);
  barrier->arrive_and_wait();
  out[threadIdx.x] = tile[63 - threadIdx.x] + (cuda::ptx::elect_sync(~0U) ? 100 : 0);
}

constexpr unsigned trap_line = __LINE__ + 2;
__global__ void trap_kernel() {
  if (threadIdx.x == 3) __trap();
}

}  // namespace

TEST_CASE("a word for the caches changes no count") {
  const auto in = uploaded(std::vector<int4>(64)), out = uploaded(std::vector<int4>(64));
  CHECK(counts_of(streaming_copy_kernel, {1, 64}, in.data(), out.data()) ==
        counts_of(plain_copy_kernel, {1, 64}, in.data(), out.data()));
}

TEST_CASE("an access by a word, by half or by the standard library has the line of the kernel") {
  check_race_in(streaming_race_kernel, streaming_line);
  check_race_in(half_race_kernel, half_line);
  check_race_in(conversion_race_kernel, conversion_line);
  check_race_in(std_race_kernel, std_line);
}

TEST_CASE("__ldcv and __stwt are volatile, other words for the caches are not") {
  CHECK(findings_of_wait<true>() == 0);
  CHECK(findings_of_wait<false>() == 1);
}

TEST_CASE("one lane of a warp is elected, and copies take a group of one's own") {
  const auto out = uploaded(std::vector<int>(64));
  std::vector<int> expected(64);
  for (int k = 0; k < 64; ++k) expected[k] = 63 - k + (k % 32 == 0 ? 100 : 0);
  CHECK(in_words(findings_of([&] {
          launch(newer_words_kernel, {1, 64}, {}, uploaded(counted<int>(64)).data(), out.data());
        })) == "");
  CHECK(downloaded(out, 64) == expected);
}

TEST_CASE("__trap is a fault in its line") {
  CHECK_THROWS_WITH(launch(trap_kernel, {1, 32}, {}),
                    ContainsSubstring("thread 3") && ContainsSubstring("__trap") &&
                        ContainsSubstring("words_test.cpp:" + std::to_string(trap_line)));
}
