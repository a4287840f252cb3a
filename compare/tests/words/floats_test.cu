// min and max, functions of floating-point numbers, their roundings, and conversions.
#include <cuda_runtime.h>
#include <math_constants.h>

#include <climits>
#include <cmath>
#include <limits>
#include <type_traits>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

namespace with_std {
using namespace std;  // as many kernels say

__global__ void min_max_kernel(const int* in, double* out) {
  const int minus_one = in[0];
  unsigned k = 0;
  out[k++] = min(minus_one, 2);
  out[k++] = max(minus_one, 2U);  // both as unsigned
  out[k++] = min(3U, 2U);
  out[k++] = static_cast<double>(max(static_cast<long>(minus_one), 5L));
  out[k++] = static_cast<double>(min(1ULL << 40, 1ULL << 41));
  out[k++] = min(1.5F, CUDART_NAN_F);
  out[k++] = min(CUDART_PI_F, CUDART_INF_F) - static_cast<float>(CUDART_PI);
  out[k++] = max(0.1F, 0.1);
  out[k++] = abs(-1.5F) + abs(-2) + abs(-0.25);
  static_assert(is_same_v<decltype(min(1, 2U)), unsigned> &&
                is_same_v<decltype(max(1.0F, 1.0)), double>);
}
}  // namespace with_std

__global__ void functions_kernel(const float* in, float* out) {
  const float x = in[0];  // 0.25
  unsigned k = 0;
  out[k++] = rsqrtf(x);
  out[k++] = static_cast<float>(rsqrt(16.0));
  out[k++] = __saturatef(x) + __saturatef(-x) + __saturatef(5 + x) + __saturatef(NAN);
  out[k++] = fdividef(x, 2) + __fdividef(x, 2);
  out[k++] = __expf(x) - std::exp(x);
  out[k++] = __logf(x) - std::log(x);
  out[k++] = __powf(x, 2) - x * x;
  float sine, cosine;
  __sincosf(x, &sine, &cosine);
  out[k++] = sine * sine + cosine * cosine - 1 + __sinf(x) - sine + __cosf(x) - cosine;
}

// 1 and 2^-24, half of the distance to the next number: the nearest (even), towards zero, up, down.
__global__ void roundings_kernel(const float* in, float* out) {
  const float one = in[0], half = in[1];
  unsigned k = 0;
  out[k++] = __fadd_rn(one, half);
  out[k++] = __fadd_rz(-one, -half);
  out[k++] = __fadd_ru(one, half);
  out[k++] = __fadd_rd(-one, -half);
  out[k++] = __fsub_ru(one, half * half) - __fsub_rd(one, half * half);
  out[k++] = __fmul_ru(1 + 2 * half, 1 + 2 * half) - __fmul_rn(1 + 2 * half, 1 + 2 * half);
  out[k++] = __fmaf_rn(1 + 2 * half, 1 + 2 * half, -1 - 4 * half);
  out[k++] = __fmaf_ru(one, half, one);
  out[k++] = 3 * (__fdiv_ru(one, 3) - __fdiv_rd(one, 3));
  out[k++] = __frcp_rn(3) - __fdiv_rn(1, 3);
  out[k++] = __fsqrt_ru(2) - __fsqrt_rz(2);
  out[k++] = static_cast<float>(__dadd_ru(1, 0x1p-60) - 1);
  out[k++] = static_cast<float>(__fma_rn(1 + 0x1p-30, 1 + 0x1p-30, -1) - __dmul_rn(0x1p-29, 1));
  out[k++] = __double2float_ru(1 + 0x1p-40);
  out[k++] = __double2float_rz(1 - 0x1p-40);
  out[k++] = __int2float_rd(0x7fffffff);
  out[k++] = __uint2float_rn(0xffffffff);
}

__global__ void to_integer_kernel(const double* in, long long* out) {
  const double x = in[threadIdx.x];
  const auto single = static_cast<float>(x);
  out += 8 * threadIdx.x;
  out[0] = __float2int_rn(single);
  out[1] = __float2int_rz(single);
  out[2] = __double2int_ru(x);
  out[3] = __double2int_rd(x);
  out[4] = __float2uint_rn(single);
  out[5] = __double2ll_rn(x);
  out[6] = __float2ll_rd(single);
  out[7] = static_cast<long long>(__double2ull_rz(x));
}

}  // namespace

TEST_CASE("min and max have CUDA's types, in files that use namespace std too") {
  const std::vector<double> expected{
      -1, 4294967295.0, 2, 5, 0x1p40, 1.5, 0, std::fmax(0.1, static_cast<double>(0.1F)), 3.75};
  CHECK(answer(with_std::min_max_kernel, {1, 1}, {-1}, expected.size()) == expected);
}

TEST_CASE("functions of floating-point numbers") {
  const auto out = answer(functions_kernel, {1, 1}, {0.25F}, 8);
  CHECK(std::vector<float>(out.begin(), out.begin() + 4) ==
        std::vector<float>{2, 0.25F, 1.25F, 0.25F});
  for (unsigned k = 4; k < 8; ++k) CHECK(std::abs(out[k]) < 1e-5F);
}

TEST_CASE("results are rounded in the way that the name says") {
  constexpr float step = 0x1p-23F;
  const std::vector<float> expected{
      1, -1,   1 + step, -1 - step, step / 2, step,         step * step,    1 + step, 0x1p-25F * 3,
      0, step, 0x1p-52F, 0x1p-60F,  1 + step, 1 - step / 2, 0x1.fffffep30F, 0x1p32F};
  CHECK(answer(roundings_kernel, {1, 1}, {1, 0x1p-24F}, expected.size()) == expected);
}

// PTX ISA, "cvt": the nearest integer that there is; for NaN 0, and where one of both has 64 bits,
// the highest bit.
TEST_CASE("integers are rounded, and bounded by their type") {
  const auto out = answer(to_integer_kernel, {1, 5},
                          {2.5, -1.5, 1e30, -1e30, std::numeric_limits<double>::quiet_NaN()}, 40);
  CHECK(std::vector<long long>(out.begin(), out.begin() + 8) ==
        std::vector<long long>{2, 2, 3, 2, 2, 2, 2, 2});
  CHECK(std::vector<long long>(out.begin() + 8, out.begin() + 16) ==
        std::vector<long long>{-2, -1, -1, -2, 0, -2, -2, 0});
  CHECK(std::vector<long long>(out.begin() + 16, out.begin() + 24) ==
        std::vector<long long>{INT_MAX, INT_MAX, INT_MAX, INT_MAX, UINT_MAX, LLONG_MAX, LLONG_MAX,
                               -1});
  CHECK(std::vector<long long>(out.begin() + 24, out.begin() + 32) ==
        std::vector<long long>{INT_MIN, INT_MIN, INT_MIN, INT_MIN, 0, LLONG_MIN, LLONG_MIN, 0});
  CHECK(std::vector<long long>(out.begin() + 32, out.end()) ==
        std::vector<long long>{0, 0, INT_MIN, INT_MIN, 0, LLONG_MIN, LLONG_MIN, LLONG_MIN});
}
