// Shuffles and matches of small types.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

constexpr unsigned warp = 0xffffffff;

__global__ void shuffle_kernel(const int* in, float* out) {
  const unsigned lane = threadIdx.x;
  const auto x = static_cast<short>(in[lane]);
  static_assert(std::is_same_v<decltype(__shfl_sync(warp, x, 0)), int>);
  static_assert(std::is_same_v<decltype(__shfl_sync(warp, __half(), 0)), __half>);
  out += 6 * lane;
  out[0] = static_cast<float>(__shfl_sync(warp, x, 31));
  out[1] = static_cast<float>(__shfl_xor_sync(warp, static_cast<signed char>(x), 1));
  out[2] = static_cast<float>(__shfl_down_sync(warp, static_cast<unsigned char>(lane), 1, 8));
  out[3] = __half2float(__shfl_up_sync(warp, __float2half(static_cast<float>(lane) / 2), 1));
  out[4] = __low2float(__shfl_xor_sync(warp, __floats2half2_rn(static_cast<float>(lane), 0), 16));
  out[5] = __bfloat162float(__shfl_sync(warp, __float2bfloat16(static_cast<float>(lane)), 5));
}

__global__ void match_all_kernel(const int* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  int all = -1, same = -1;
  out[4 * lane] = __match_all_sync(warp, in[0], &all);
  out[4 * lane + 1] = static_cast<unsigned>(all);
  out[4 * lane + 2] = __match_all_sync(warp, lane == 9 ? 1.5 : 2.5, &same);
  out[4 * lane + 3] = static_cast<unsigned>(same);
}

}  // namespace

TEST_CASE("small types are shuffled: integers as int, 16-bit numbers as themselves") {
  std::vector<int> in(32);
  for (int k = 0; k < 32; ++k) in[static_cast<unsigned>(k)] = -k;
  const auto out = answer(shuffle_kernel, {1, 32}, in, 6 * 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto number = [](unsigned x) { return static_cast<float>(x); };
    const std::vector<float> expected{-31,
                                      -number(lane ^ 1),
                                      number(lane % 8 == 7 ? lane : lane + 1),
                                      number(lane == 0 ? 0 : lane - 1) / 2,
                                      number(lane ^ 16),
                                      5};
    CHECK(std::vector<float>(out.begin() + 6 * lane, out.begin() + 6 * lane + 6) == expected);
  }
}

TEST_CASE("a match of all lanes") {
  const auto out = answer(match_all_kernel, {1, 32}, {7}, 4 * 32);
  for (unsigned lane = 0; lane < 32; ++lane)
    CHECK(std::vector<unsigned>(out.begin() + 4 * lane, out.begin() + 4 * lane + 4) ==
          std::vector<unsigned>{warp, 1, 0, 0});
}
