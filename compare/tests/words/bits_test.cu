// Functions of bits and of integers, and the same bits as another type.
#include <cstdint>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

__global__ void count_bits_kernel(const unsigned* in, int* out) {
  const unsigned x = in[threadIdx.x];
  out[threadIdx.x] =
      __popc(x) + 100 * __clz(static_cast<int>(x)) + 10'000 * __ffs(static_cast<int>(x));
}

__global__ void move_bits_kernel(const unsigned* in, unsigned* out) {
  const unsigned a = in[0], b = in[1];
  unsigned k = 0;
  out[k++] = __brev(1U);
  out[k++] = static_cast<unsigned>(__brevll(2ULL) >> 32);
  out[k++] = __byte_perm(a, b, 0x0123);
  out[k++] = __byte_perm(a, b, 0x7531);
  out[k++] = __funnelshift_l(a, b, 8);
  out[k++] = __funnelshift_l(a, b, 40);
  out[k++] = __funnelshift_lc(a, b, 40);
  out[k++] = __funnelshift_r(a, b, 8);
  out[k++] = __funnelshift_r(a, b, 40);
  out[k++] = __funnelshift_rc(a, b, 40);
  out[k++] = __fns(0b1011'0100, 0, 3);
  out[k++] = __fns(0b1011'0100, 5, -2);
  out[k++] = __fns(0b1011'0100, 4, 0);
  out[k++] = __fns(0b1011'0100, 0, 0);
  out[k++] = __fns(0b1011'0100, 3, 4);
}

__global__ void integers_kernel(const int* in, long long* out) {
  const int a = in[0], b = in[1];  // -7 and 2^30
  unsigned k = 0;
  out[k++] = __mulhi(a, b);
  out[k++] = __umulhi(static_cast<unsigned>(a), static_cast<unsigned>(b));
  out[k++] = __mul64hi(static_cast<long long>(a) << 40, static_cast<long long>(b));
  out[k++] = static_cast<long long>(__umul64hi(1ULL << 63, 6));
  out[k++] = __mul24(a, 3);
  out[k++] = __umul24(0xff000002, 3);
  out[k++] = __sad(a, 5, 1);
  out[k++] = __usad(3, 5, 1);
  out[k++] = __hadd(a, 4);
  out[k++] = __rhadd(a, 4);
  out[k++] = __uhadd(0xffffffff, 0xfffffffd);
  out[k++] = __urhadd(0xffffffff, 0xfffffffe);
  out[k++] = __dp4a(0x01ff0203, 0x01020304, 10);
  out[k++] = __dp4a(0x01ff0203U, 0x01020304U, 10U);
  out[k++] = __dp4a(make_char4(1, 2, 3, -4), make_char4(5, 6, 7, 8), 0);
}

__global__ void reinterpret_kernel(const float* in, long long* out) {
  unsigned k = 0;
  out[k++] = __float_as_int(in[0]);
  out[k++] = __float_as_uint(in[0]);
  out[k++] = static_cast<long long>(__int_as_float(0x40490fdb) * 1000);
  out[k++] = static_cast<long long>(__uint_as_float(0xc0000000));
  out[k++] = __double_as_longlong(-1.5);
  out[k++] = static_cast<long long>(4 * __longlong_as_double(0x3ff8000000000000));
  out[k++] = static_cast<long long>(4 * __hiloint2double(0x3ff80000, 0));
  out[k++] = __double2hiint(-1.5);
  out[k++] = __double2loint(__hiloint2double(0x3ff80000, -2));
}

}  // namespace

TEST_CASE("bits are counted and found") {
  CHECK(answer_each(count_bits_kernel, {0U, 1U, 0x80000000U, 0xf0U}) ==
        std::vector<int>{3200, 13101, 320001, 52404});
}

TEST_CASE("bits are moved") {
  const std::vector<unsigned> expected{0x80000000, 0x40000000, 0x44332211, 0x55771133, 0x66778811,
                                       0x66778811, 0x11223344, 0x88112233, 0x88112233, 0x55667788,
                                       5,          4,          4,          0xffffffff, 0xffffffff};
  CHECK(answer(move_bits_kernel, {1, 1}, {0x11223344U, 0x55667788U}, expected.size()) == expected);
}

TEST_CASE("integers are multiplied, averaged and compared in one step") {
  const std::vector<long long> expected{-2, 0x3ffffffe, -448,       3,          -21, 6,   13, 3,
                                        -2, -1,         0xfffffffe, 0xffffffff, 27,  539, 6};
  CHECK(answer(integers_kernel, {1, 1}, {-7, 1 << 30}, expected.size()) == expected);
}

TEST_CASE("the same bits as another type") {
  const std::vector<long long> expected{-0x3f800000, 0xc0800000,  3141, -2, -0x4008000000000000, 6,
                                        6,           -0x40080000, -2};
  CHECK(answer(reinterpret_kernel, {1, 1}, {-4.0F}, expected.size()) == expected);
}
