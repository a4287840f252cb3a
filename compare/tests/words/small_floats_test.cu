// half and bfloat16. A product of integers has the answer; the roundings are those of IEEE 754, to
// the nearest (even), with 11 and with 8 bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <limits>

#include "compare/tests/words/run.hpp"

using namespace ladder;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800 && \
    CUDART_VERSION < 13000  // CUDA 12 has none before sm_80
static __device__ __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __float2bfloat16(fmaf(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
}
#endif

namespace {

__global__ void to_half_kernel(const float* in, unsigned short* out) {
  out[threadIdx.x] = __half_as_ushort(__float2half(in[threadIdx.x]));
}
__global__ void from_half_kernel(const unsigned short* in, float* out) {
  out[threadIdx.x] = __half2float(__ushort_as_half(in[threadIdx.x]));
}
__global__ void to_bfloat16_kernel(const float* in, unsigned short* out) {
  out[threadIdx.x] = __bfloat16_as_ushort(__float2bfloat16(in[threadIdx.x]));
}

// What both types can do, as it is called for both.
template <class T>
__global__ void arithmetic_kernel(const float* in, float* out) {
  // small: half of the distance from 1 to the next number
  const T one = in[0], two = in[1], small = in[2];
  T sum = one;
  unsigned k = 0;
  out[k++] = one + small;
  out[k++] = __hadd(one + small * two, small);
  out[k++] = __hsub(one, two);
  out[k++] = __hmul(two, small);
  out[k++] = __hdiv(one, T(3.0F));
  out[k++] = __hfma(one, one, small) - one;
  // the tie is broken by the product
  out[k++] = __hfma(small, small, one + small * two + small) - one;
  out[k++] = __hneg(two);
  out[k++] = __habs(-two);
  out[k++] = __hmax(one, T(NAN));
  out[k++] = __hmin(one, two);
  sum += two;
  sum *= sum;
  sum -= one;
  sum /= two;
  out[k++] = sum;
  const int comparisons = (one < two) + 2 * (one == two) + 4 * (one != T(NAN)) +
                          8 * __hle(one, two) + 16 * __hne(one, T(NAN)) + 32 * __hequ(one, T(NAN));
  out[k++] = static_cast<float>(comparisons);
  out[k++] = hexp(T(0.0F)) + hsqrt(two + two) + hrcp(two) + hlog2(two + two) + hfloor(T(1.5F));
  out[k++] = static_cast<float>(static_cast<int>(T(-2.75F)));
  out[k++] = T(7) + T(1.5);
  out[k++] = __hisnan(T(NAN)) ? 1.0F : 0.0F;
}

__global__ void half2_kernel(const float2* in, float* out) {
  const __half2 a = __float22half2_rn(in[0]);  // 1.5, -2
  const half2 b = __halves2half2(__float2half(2.0F), __float2half_rn(0.5F)),
              c = __half2half2(__low2half(a));
  const float2 results[] = {__half22float2(__hadd2(a, b)),
                            __half22float2(__hmul2(a, b)),
                            __half22float2(__hfma2(a, b, c)),
                            __half22float2(a / b - c),
                            __half22float2(__hmax2(a, b)),
                            __half22float2(__lows2half2(a, b)),
                            __half22float2(__lowhigh2highlow(a)),
                            __half22float2(__hgt2(a, b)),
                            make_float2(__low2float(c), __high2float(b))};
  for (unsigned k = 0; k < 9; ++k) {
    out[2 * k] = results[k].x;
    out[2 * k + 1] = results[k].y;
  }
  out[18] = __hblt2(a, b) ? 1.0F : 0.0F;
  const __nv_bfloat162 d = __floats2bfloat162_rn(3, 4) * __float2bfloat162_rn(2);
  out[19] = __bfloat162float(__low2bfloat16(d)) + __bfloat1622float2(d).y;
  out[20] =
      static_cast<float>(__half2int_rn(__float2half(2.5F)) + __half2int_ru(__float2half(2.5F)));
  out[21] = __half2float(__int2half_rn(2049));
}

template <class T>
__global__ void add_atomically_kernel(const T* in, T* out) {
  atomicAdd(out, in[0]);
  if (threadIdx.x == 0) out[1] = in[0];
}

constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T>
std::vector<float> arithmetic(float small) {
  return answer(arithmetic_kernel<T>, {1, 1}, {1, 2, small}, 17);
}
std::vector<float> arithmetic_expected(float step, float third) {
  return {1, 1 + 2 * step,   -1,   step, third, 0, 2 * step, -2, 2, 1, 1,
          4, 1 + 4 + 8 + 32, 6.5F, -2,   8.5F,  1};
}

}  // namespace

TEST_CASE("half: to and from float") {
  const std::vector<float> in{0,
                              -0.0F,
                              1,
                              -2,
                              65504,
                              65519.996F,
                              65520,
                              infinity,
                              0x1p-14F,
                              0x1p-24F,
                              0x1p-25F,
                              0x1.8p-25F,
                              1 + 0x1p-11F,
                              1 + 0x3p-11F,
                              0x1.ffbp-15F,
                              0x1.ffep-15F,
                              NAN};
  const std::vector<unsigned short> bits{0,      0x8000, 0x3c00, 0xc000, 0x7bff, 0x7bff,
                                         0x7c00, 0x7c00, 0x0400, 0x0001, 0,      0x0001,
                                         0x3c00, 0x3c02, 0x03ff, 0x0400, 0x7fff};
  CHECK(answer_each(to_half_kernel, in) == bits);
  std::vector<unsigned short> all(1024);
  for (const unsigned first : {0U, 0x0400U, 0x3c00U, 0x7800U, 0x8000U, 0xf800U}) {
    for (unsigned k = 0; k < 1024; ++k) all[k] = static_cast<unsigned short>(first + k);
    const auto values = answer_each(from_half_kernel, all);
    bool right = true;
    for (unsigned k = 0; k < 1024; ++k) {
      const unsigned exponent = all[k] >> 10 & 31, fraction = all[k] & 1023;
      const float size = std::ldexp(static_cast<float>(exponent == 0 ? fraction : 1024 + fraction),
                                    static_cast<int>(exponent == 0 ? 1 : exponent) - 25);
      right = right && values[k] == (all[k] < 0x8000 ? size : -size);
    }
    CHECK(right);
    CHECK(answer_each(to_half_kernel, values) == all);
  }
}

TEST_CASE("bfloat16: from float") {
  const std::vector<float> in{0,           -1,        1 + 0x1p-8F, 1 + 0x3p-8F, 0x1.fep127F,
                              0x1.ffp127F, 0x1p-133F, infinity,    NAN};
  const std::vector<unsigned short> bits{0,      0xbf80, 0x3f80, 0x3f82, 0x7f7f,
                                         0x7f80, 1,      0x7f80, 0x7fff};
  CHECK(answer_each(to_bfloat16_kernel, in) == bits);
}

TEST_CASE("half and bfloat16: each operation is rounded once, to the nearest") {
  CHECK(arithmetic<__half>(0x1p-11F) == arithmetic_expected(0x1p-10F, 0x1.554p-2F));
  CHECK(arithmetic<__nv_bfloat16>(0x1p-8F) == arithmetic_expected(0x1p-7F, 0x1.56p-2F));
}

TEST_CASE("half2 and bfloat162") {
  const std::vector<float> expected{3.5F, -1.5F, 3, -1, 4.5F, 0.5F, -0.75F, -5.5F, 2, 0.5F, 1.5F, 2,
                                    -2,   1.5F,  0, 0,  1.5F, 0.5F, 1,      14,    5, 2048};
  CHECK(answer(half2_kernel, {1, 1}, {make_float2(1.5F, -2)}, expected.size()) == expected);
}

TEST_CASE("atomic additions of half and bfloat16") {
  const auto sum = [](auto kernel, auto value) { return answer(kernel, {1, 32}, {value}, 2)[0]; };
  CHECK(__half2float(sum(add_atomically_kernel<__half>, __float2half(1.5F))) == 48);
  CHECK(__low2float(sum(add_atomically_kernel<__half2>, __floats2half2_rn(1.5F, 1))) == 48);
  CHECK(__bfloat162float(sum(add_atomically_kernel<__nv_bfloat16>, __float2bfloat16(1.5F))) == 48);
}
