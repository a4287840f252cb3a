// CUDA's floating-point numbers of 16 bits as plain host C++, each operation rounded to the nearest
// (even), once. Included by cuda_fp16.h and cuda_bf16.h, whose functions these are (CUDA Math API,
// "Half Precision" and "Bfloat16 Precision").
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "compare/emulated/language/intrinsics.hpp"
#include "compare/small_floats.hpp"

namespace ladder::emulated {

// `value`, or of the two floats around it the odd one: rounding that once more then gives what
// rounding `value` would.
template <class T>
float to_odd(T value) {
  const auto near = static_cast<float>(value);
  if (near == value || !std::isfinite(near) || std::bit_cast<std::uint32_t>(near) % 2 != 0)
    return near;
  return std::nextafter(near, near < value ? std::numeric_limits<float>::infinity()
                                           : -std::numeric_limits<float>::infinity());
}

// x * y + z likewise; the product has few enough bits for a double.
inline float fma_to_odd(double x, double y, double z) {
  const double product = x * y, sum = product + z, part = sum - product;
  const double rest = (product - (sum - part)) + (z - part);
  const bool is_exact =
      rest == 0 || !std::isfinite(rest) || std::bit_cast<std::uint64_t>(sum) % 2 != 0;
  return to_odd(is_exact ? sum : std::nextafter(sum, rest > 0 ? HUGE_VAL : -HUGE_VAL));
}

#define LADDER_FUNCTIONS(F) \
  F(exp)                    \
  F(exp2)                   \
  F(log) F(log2) F(log10) F(sin) F(cos) F(tanh) F(sqrt) F(rsqrt) F(floor) F(ceil) F(trunc) F(rint)
#define LADDER_COMPARISONS(F) F(==, eq) F(!=, ne) F(<, lt) F(<=, le) F(>, gt) F(>=, ge)

// Members that work on memory are inlined, so that the access has the line of the kernel.
template <class Format>
struct alignas(2) SmallFloat {
  unsigned short bits;

  SmallFloat() = default;
  template <class T>
  requires std::is_arithmetic_v<T> SmallFloat(T number)
      : bits(Format::from(to_odd(
            static_cast<std::conditional_t<std::is_integral_v<T>, long double, T>>(number)))) {}
  template <class Other>
  explicit SmallFloat(SmallFloat<Other> number) : SmallFloat(Other::value(number.bits)) {}

  // Integers are rounded towards zero, and the largest or the smallest where there is none.
  template <class T>
  requires std::is_arithmetic_v<T> __forceinline__ operator T() const {
    const float number = Format::value(bits);
    if constexpr (std::is_same_v<T, bool>) return number != 0;
    else if constexpr (std::is_floating_point_v<T>) return number;
    else return saturated<T>(std::trunc(number));
  }
  static SmallFloat of(unsigned short bits) {
    SmallFloat number;
    number.bits = bits;
    return number;
  }
  static float value(SmallFloat x) { return Format::value(x.bits); }

#define LADDER_OPERATOR(op, name)                                                  \
  friend SmallFloat operator op(SmallFloat x, SmallFloat y) {                      \
    return value(x) op value(y);                                                   \
  }                                                                                \
  friend SmallFloat name(SmallFloat x, SmallFloat y) {                             \
    return x op y;                                                                 \
  }                                                                                \
  friend SmallFloat name##_rn(SmallFloat x, SmallFloat y) {                        \
    return x op y;                                                                 \
  }                                                                                \
  friend __forceinline__ SmallFloat& operator op##=(SmallFloat& x, SmallFloat y) { \
    return x = x op y;                                                             \
  }
  LADDER_OPERATOR(+, __hadd)
  LADDER_OPERATOR(-, __hsub)
  LADDER_OPERATOR(*, __hmul)
  LADDER_OPERATOR(/, __hdiv)
#undef LADDER_OPERATOR

// __heq: false where one is NaN; __hequ: true then. The operators are the former, but for !=.
#define LADDER_COMPARISON(op, name)                         \
  friend bool operator op(SmallFloat x, SmallFloat y) {     \
    return value(x) op value(y);                            \
  }                                                         \
  friend bool __h##name(SmallFloat x, SmallFloat y) {       \
    return x op y && !std::isunordered(value(x), value(y)); \
  }                                                         \
  friend bool __h##name##u(SmallFloat x, SmallFloat y) {    \
    return x op y || std::isunordered(value(x), value(y));  \
  }
  LADDER_COMPARISONS(LADDER_COMPARISON)
#undef LADDER_COMPARISON

  friend SmallFloat operator+(SmallFloat x) {
    return x;
  }
  friend SmallFloat operator-(SmallFloat x) {
    return of(static_cast<unsigned short>(x.bits ^ 0x8000));
  }
  friend SmallFloat __hneg(SmallFloat x) {
    return -x;
  }
  friend SmallFloat __habs(SmallFloat x) {
    return of(x.bits & 0x7fff);
  }
  friend SmallFloat __hfma(SmallFloat x, SmallFloat y, SmallFloat z) {
    return fma_to_odd(value(x), value(y), value(z));
  }
  friend SmallFloat __hmin(SmallFloat x, SmallFloat y) {
    return std::fmin(value(x), value(y));
  }
  friend SmallFloat __hmax(SmallFloat x, SmallFloat y) {
    return std::fmax(value(x), value(y));
  }
  friend bool __hisnan(SmallFloat x) {
    return std::isnan(value(x));
  }
  friend int __hisinf(SmallFloat x) {
    return std::isinf(value(x)) ? (x.bits < 0x8000 ? 1 : -1) : 0;
  }
#define LADDER_FUNCTION(name)               \
  friend SmallFloat h##name(SmallFloat x) { \
    return ::name(double{value(x)});        \
  }
  LADDER_FUNCTIONS(LADDER_FUNCTION)
#undef LADDER_FUNCTION
  friend SmallFloat hrcp(SmallFloat x) {
    return 1 / double{value(x)};
  }
};

// Two of them, and the same done to both.
template <class Format>
struct alignas(4) SmallFloat2 {
  using Element = SmallFloat<Format>;
  Element x, y;

  SmallFloat2() = default;
  SmallFloat2(Element first, Element second) : x(first), y(second) {}

#define LADDER_OPERATOR(op, name)                                                     \
  friend SmallFloat2 operator op(SmallFloat2 a, SmallFloat2 b) {                      \
    return {a.x op b.x, a.y op b.y};                                                  \
  }                                                                                   \
  friend SmallFloat2 name(SmallFloat2 a, SmallFloat2 b) {                             \
    return a op b;                                                                    \
  }                                                                                   \
  friend __forceinline__ SmallFloat2& operator op##=(SmallFloat2& a, SmallFloat2 b) { \
    const SmallFloat2 before = a;                                                     \
    return a = before op b;                                                           \
  }
  LADDER_OPERATOR(+, __hadd2)
  LADDER_OPERATOR(-, __hsub2)
  LADDER_OPERATOR(*, __hmul2)
  LADDER_OPERATOR(/, __h2div)
#undef LADDER_OPERATOR

#define LADDER_COMPARISON(op, name)                               \
  friend bool operator op(SmallFloat2 a, SmallFloat2 b) {         \
    return a.x op b.x && a.y op b.y;                              \
  }                                                               \
  friend bool __hb##name##2(SmallFloat2 a, SmallFloat2 b) {       \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);            \
  }                                                               \
  friend SmallFloat2 __h##name##2(SmallFloat2 a, SmallFloat2 b) { \
    return {__h##name(a.x, b.x), __h##name(a.y, b.y)};            \
  }
  LADDER_COMPARISONS(LADDER_COMPARISON)
#undef LADDER_COMPARISON

  friend SmallFloat2 operator+(SmallFloat2 a) {
    return a;
  }
  friend SmallFloat2 operator-(SmallFloat2 a) {
    return {-a.x, -a.y};
  }
  friend SmallFloat2 __hneg2(SmallFloat2 a) {
    return -a;
  }
  friend SmallFloat2 __habs2(SmallFloat2 a) {
    return {__habs(a.x), __habs(a.y)};
  }
  friend SmallFloat2 __hfma2(SmallFloat2 a, SmallFloat2 b, SmallFloat2 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
  }
  friend SmallFloat2 __hmin2(SmallFloat2 a, SmallFloat2 b) {
    return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
  }
  friend SmallFloat2 __hmax2(SmallFloat2 a, SmallFloat2 b) {
    return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
  }
#define LADDER_FUNCTION(name)                  \
  friend SmallFloat2 h2##name(SmallFloat2 a) { \
    return {h##name(a.x), h##name(a.y)};       \
  }
  LADDER_FUNCTIONS(LADDER_FUNCTION)
  LADDER_FUNCTION(rcp)
#undef LADDER_FUNCTION
  friend float __low2float(SmallFloat2 a) {
    return a.x;
  }
  friend float __high2float(SmallFloat2 a) {
    return a.y;
  }
  friend SmallFloat2 __lowhigh2highlow(SmallFloat2 a) {
    return {a.y, a.x};
  }
};

template <class Format>
inline constexpr bool is_small_float<SmallFloat<Format>> = true;
template <class Format>
inline constexpr bool is_small_float<SmallFloat2<Format>> = true;

namespace words {

template <class T>
requires is_small_float<T> T atomicAdd(T* address, std::type_identity_t<T> value,
                                       Here where = Here::current(), Scope scope = Scope::device) {
  return update_atomically(
      address, [=](T old) { return old + value; }, where, scope);
}

// The functions that have the type in their names: half and half2, or bfloat16 and bfloat162.
#define LADDER_SMALL_INTEGERS(name, type, mode)             \
  inline int __##name##2int_##mode(type x) {                \
    return __float2int_##mode(x);                           \
  }                                                         \
  inline unsigned __##name##2uint_##mode(type x) {          \
    return __float2uint_##mode(x);                          \
  }                                                         \
  inline long long __##name##2ll_##mode(type x) {           \
    return __float2ll_##mode(x);                            \
  }                                                         \
  inline unsigned long long __##name##2ull_##mode(type x) { \
    return __float2ull_##mode(x);                           \
  }
#define LADDER_SMALL_FLOAT(name, type, Format)             \
  using type = SmallFloat<Format>;                         \
  using type##2 = SmallFloat2<Format>;                     \
  inline type __float2##name(float x) {                    \
    return x;                                              \
  }                                                        \
  inline type __float2##name##_rn(float x) {               \
    return x;                                              \
  }                                                        \
  inline type __double2##name(double x) {                  \
    return x;                                              \
  }                                                        \
  inline type __short2##name##_rn(short x) {               \
    return x;                                              \
  }                                                        \
  inline type __ushort2##name##_rn(unsigned short x) {     \
    return x;                                              \
  }                                                        \
  inline type __int2##name##_rn(int x) {                   \
    return x;                                              \
  }                                                        \
  inline type __uint2##name##_rn(unsigned x) {             \
    return x;                                              \
  }                                                        \
  inline type __ll2##name##_rn(long long x) {              \
    return x;                                              \
  }                                                        \
  inline type __ull2##name##_rn(unsigned long long x) {    \
    return x;                                              \
  }                                                        \
  inline float __##name##2float(type x) {                  \
    return x;                                              \
  }                                                        \
  LADDER_SMALL_INTEGERS(name, type, rn)                    \
  LADDER_SMALL_INTEGERS(name, type, rz)                    \
  LADDER_SMALL_INTEGERS(name, type, ru)                    \
  LADDER_SMALL_INTEGERS(name, type, rd)                    \
  inline type __short_as_##name(short bits) {              \
    return type::of(static_cast<unsigned short>(bits));    \
  }                                                        \
  inline type __ushort_as_##name(unsigned short bits) {    \
    return type::of(bits);                                 \
  }                                                        \
  inline short __##name##_as_short(type x) {               \
    return static_cast<short>(x.bits);                     \
  }                                                        \
  inline unsigned short __##name##_as_ushort(type x) {     \
    return x.bits;                                         \
  }                                                        \
  inline type##2 make_##name##2(type x, type y) {          \
    return {x, y};                                         \
  }                                                        \
  inline type##2 __halves2##name##2(type x, type y) {      \
    return {x, y};                                         \
  }                                                        \
  inline type##2 __##name##2##name##2(type x) {            \
    return {x, x};                                         \
  }                                                        \
  inline type##2 __float2##name##2_rn(float x) {           \
    return {x, x};                                         \
  }                                                        \
  inline type##2 __floats2##name##2_rn(float x, float y) { \
    return {x, y};                                         \
  }                                                        \
  inline type##2 __float22##name##2_rn(float2 x) {         \
    return {x.x, x.y};                                     \
  }                                                        \
  inline float2 __##name##22float2(type##2 x) {            \
    return {x.x, x.y};                                     \
  }                                                        \
  inline type __low2##name(type##2 x) {                    \
    return x.x;                                            \
  }                                                        \
  inline type __high2##name(type##2 x) {                   \
    return x.y;                                            \
  }                                                        \
  inline type##2 __low2##name##2(type##2 x) {              \
    return {x.x, x.x};                                     \
  }                                                        \
  inline type##2 __high2##name##2(type##2 x) {             \
    return {x.y, x.y};                                     \
  }                                                        \
  inline type##2 __lows2##name##2(type##2 x, type##2 y) {  \
    return {x.x, y.x};                                     \
  }                                                        \
  inline type##2 __highs2##name##2(type##2 x, type##2 y) { \
    return {x.y, y.y};                                     \
  }

}  // namespace words
}  // namespace ladder::emulated
