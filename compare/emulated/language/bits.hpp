// CUDA's functions of bits and of integers as plain host C++: those of the CUDA Math API, "Integer
// Intrinsics" and "Type Casting Intrinsics".
#pragma once

#include <bit>
#include <cstdint>

#include "compare/emulated/types/vectors.hpp"

namespace ladder::emulated::words {

inline int __popc(unsigned value) {
  return std::popcount(value);
}
inline int __popcll(unsigned long long value) {
  return std::popcount(value);
}
inline int __clz(int value) {
  return std::countl_zero(static_cast<unsigned>(value));
}
inline int __clzll(long long value) {
  return std::countl_zero(static_cast<unsigned long long>(value));
}
inline int __ffs(int value) {
  return value == 0 ? 0 : std::countr_zero(static_cast<unsigned>(value)) + 1;
}
inline int __ffsll(long long value) {
  return value == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(value)) + 1;
}
inline unsigned long long __brevll(unsigned long long x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
  return __builtin_bswap64(x);
}
inline unsigned __brev(unsigned x) {
  return static_cast<unsigned>(__brevll(x) >> 32);
}
// The highest bit of a selector spreads the sign of its byte, as PTX's prmt does.
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selectors) {
  const std::uint64_t bytes = std::uint64_t{high} << 32 | low;
  unsigned result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned selector = selectors >> 4 * k;
    unsigned byte = bytes >> 8 * (selector & 7) & 0xff;
    if ((selector & 8) != 0) byte = byte < 0x80 ? 0 : 0xff;
    result |= byte << 8 * k;
  }
  return result;
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (shift < 32 ? shift : 32) >>
                               32);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift < 32 ? shift : 32));
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return __funnelshift_lc(low, high, shift % 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return __funnelshift_rc(low, high, shift % 32);
}
// The place of the set bit that is number |offset| from `base` on, upwards or downwards; for 0
// `base` itself. All ones where there is none.
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
  const int step = offset < 0 ? -1 : 1;
  int left = offset == 0 ? 1 : offset * step;
  for (auto bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
    left -= static_cast<int>(mask >> bit & 1);
    if (left == 0) return static_cast<unsigned>(bit);
    if (offset == 0) break;
  }
  return 0xffffffff;
}

inline int __mulhi(int x, int y) {
  return static_cast<int>(std::int64_t{x} * y >> 32);
}
inline unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(std::uint64_t{x} * y >> 32);
}
inline long long __mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
inline int __mul24(int x, int y) {
  return static_cast<int>(static_cast<unsigned>(x << 8 >> 8) * static_cast<unsigned>(y << 8 >> 8));
}
inline unsigned __umul24(unsigned x, unsigned y) {
  return (x & 0xffffff) * (y & 0xffffff);
}
inline unsigned __sad(int x, int y, unsigned z) {
  return (x < y ? static_cast<unsigned>(y) - static_cast<unsigned>(x)
                : static_cast<unsigned>(x) - static_cast<unsigned>(y)) +
         z;
}
inline unsigned __usad(unsigned x, unsigned y, unsigned z) {
  return (x < y ? y - x : x - y) + z;
}
inline int __hadd(int x, int y) {
  return static_cast<int>((std::int64_t{x} + y) >> 1);
}
inline int __rhadd(int x, int y) {
  return static_cast<int>((std::int64_t{x} + y + 1) >> 1);
}
inline unsigned __uhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((std::uint64_t{x} + y) >> 1);
}
inline unsigned __urhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((std::uint64_t{x} + y + 1) >> 1);
}
inline int __dp4a(char4 a, char4 b, int c) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w + c;
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) + c;
}
inline int __dp4a(int a, int b, int c) {
  return __dp4a(std::bit_cast<char4>(a), std::bit_cast<char4>(b), c);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return __dp4a(std::bit_cast<uchar4>(a), std::bit_cast<uchar4>(b), c);
}

#define LADDER_AS(name, From, To)    \
  inline To name(From value) {       \
    return std::bit_cast<To>(value); \
  }
LADDER_AS(__int_as_float, int, float)
LADDER_AS(__float_as_int, float, int)
LADDER_AS(__uint_as_float, unsigned, float)
LADDER_AS(__float_as_uint, float, unsigned)
LADDER_AS(__longlong_as_double, long long, double)
LADDER_AS(__double_as_longlong, double, long long)
#undef LADDER_AS
inline double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(static_cast<std::int64_t>(high) << 32 | static_cast<unsigned>(low));
}
inline int __double2hiint(double value) {
  return static_cast<int>(std::bit_cast<std::int64_t>(value) >> 32);
}
inline int __double2loint(double value) {
  return static_cast<int>(std::bit_cast<std::int64_t>(value));
}

}  // namespace ladder::emulated::words
