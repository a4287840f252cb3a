// CUDA's functions of floating-point numbers, and its min and max, as plain host C++: those that
// the C library does not have. Its fast functions (__expf, __fdividef, ..) are the accurate ones
// here: their error on a GPU is documented and not a value.
#pragma once

// In CUDA sqrt and so on are global, for all types, and so is clock(), which hooks.cpp answers in a
// kernel.
// NOLINTBEGIN(modernize-deprecated-headers)
#include <math.h>
#include <time.h>
// NOLINTEND(modernize-deprecated-headers)

#include <cfenv>
#include <limits>
#include <type_traits>

// glibc declares these in the global namespace, and defines none.
#define LADDER_FAST(name)                              \
  extern "C" inline float __##name(float x) noexcept { \
    return name(x);                                    \
  }
LADDER_FAST(sinf)
LADDER_FAST(cosf)
LADDER_FAST(tanf)
LADDER_FAST(tanhf)
LADDER_FAST(expf)
LADDER_FAST(exp10f)
LADDER_FAST(logf)
LADDER_FAST(log2f)
LADDER_FAST(log10f)
#undef LADDER_FAST
extern "C" inline float __powf(float x, float y) noexcept {
  return powf(x, y);
}
extern "C" inline void __sincosf(float x, float* sine, float* cosine) noexcept {
  *sine = sinf(x);
  *cosine = cosf(x);
}

namespace ladder::emulated {

// As PTX's cvt does: the nearest value that there is, and for NaN 0, but of 64 bits on either side
// the highest bit alone.
template <class To, class From>
To saturated(From value) {
  using Limits = std::numeric_limits<To>;
  constexpr bool wide = sizeof(To) == 8 || sizeof(From) == 8;
  if (value != value)
    return wide ? static_cast<To>(std::make_unsigned_t<To>{1} << (8 * sizeof(To) - 1)) : To{0};
  constexpr From past = static_cast<From>(Limits::max() / 2 + 1) * 2;
  if (value >= past) return Limits::max();
  return value <= static_cast<From>(Limits::min()) ? Limits::min() : static_cast<To>(value);
}

// While it lives, results are rounded that way. Operands and the result go through it: else the
// compiler may move the operation away.
template <int mode>
struct Rounding {
  Rounding() { std::fesetround(mode); }
  ~Rounding() { std::fesetround(FE_TONEAREST); }
  template <class T>
  T operator()(T value) const {
    const volatile T fixed = value;
    return fixed;
  }
};
template <>
struct Rounding<FE_TONEAREST> {
  template <class T>
  T operator()(T value) const {
    return value;
  }
};

namespace words {

// --- min and max: NaN is no number to choose; of different signs, both count as unsigned --------

#define LADDER_CHOOSE(R, A, B, less, greater)             \
  inline R min(A a, B b) {                                \
    const R x = static_cast<R>(a), y = static_cast<R>(b); \
    return less;                                          \
  }                                                       \
  inline R max(A a, B b) {                                \
    const R x = static_cast<R>(a), y = static_cast<R>(b); \
    return greater;                                       \
  }
#define LADDER_CHOOSE_INTEGER(R, A, B) LADDER_CHOOSE(R, A, B, x < y ? x : y, x < y ? y : x)
#define LADDER_CHOOSE_INTEGERS(I, U) \
  LADDER_CHOOSE_INTEGER(I, I, I)     \
  LADDER_CHOOSE_INTEGER(U, U, U)     \
  LADDER_CHOOSE_INTEGER(U, I, U)     \
  LADDER_CHOOSE_INTEGER(U, U, I)
LADDER_CHOOSE_INTEGERS(int, unsigned)
LADDER_CHOOSE_INTEGERS(long, unsigned long)
LADDER_CHOOSE_INTEGERS(long long, unsigned long long)
LADDER_CHOOSE(float, float, float, fminf(x, y), fmaxf(x, y))
LADDER_CHOOSE(double, double, double, ::fmin(x, y), ::fmax(x, y))
LADDER_CHOOSE(double, float, double, ::fmin(x, y), ::fmax(x, y))
LADDER_CHOOSE(double, double, float, ::fmin(x, y), ::fmax(x, y))
#undef LADDER_CHOOSE_INTEGERS
#undef LADDER_CHOOSE_INTEGER
#undef LADDER_CHOOSE

// --- functions ----------------------------------------------------------------------------------

// clang-format off
inline float rsqrtf(float x) { return static_cast<float>(1 / ::sqrt(double{x})); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rsqrt(double x) { return 1 / ::sqrt(x); }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline float __saturatef(float x) { return fminf(fmaxf(x, 0), 1); }
inline float fdividef(float x, float y) { return x / y; }
inline float __fdividef(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }
// clang-format on

// --- in each rounding ---------------------------------------------------------------------------

// __fadd_rn to the nearest (even), _rz towards zero, _ru up, _rd down. None is ever fused with
// another (-ffp-contract=off).

#define LADDER_ROUNDED(R, name, mode, parameters, expression) \
  inline R name parameters {                                  \
    const Rounding<mode> in;                                  \
    return in(expression);                                    \
  }
#define LADDER_ARITHMETIC(T, t, m, mode)                             \
  LADDER_ROUNDED(T, __##t##add_##m, mode, (T x, T y), in(x) + in(y)) \
  LADDER_ROUNDED(T, __##t##sub_##m, mode, (T x, T y), in(x)-in(y))   \
  LADDER_ROUNDED(T, __##t##mul_##m, mode, (T x, T y), in(x)*in(y))   \
  LADDER_ROUNDED(T, __##t##div_##m, mode, (T x, T y), in(x) / in(y)) \
  LADDER_ROUNDED(T, __##t##rcp_##m, mode, (T x), 1 / in(x))          \
  LADDER_ROUNDED(T, __##t##sqrt_##m, mode, (T x), ::sqrt(in(x)))
#define LADDER_TO_INTEGER(From, from, To, to, m, mode) \
  LADDER_ROUNDED(To, __##from##2##to##_##m, mode, (From x), saturated<To>(in(::nearbyint(in(x)))))
#define LADDER_TO_INTEGERS(From, from, m, mode)          \
  LADDER_TO_INTEGER(From, from, int, int, m, mode)       \
  LADDER_TO_INTEGER(From, from, unsigned, uint, m, mode) \
  LADDER_TO_INTEGER(From, from, long long, ll, m, mode)  \
  LADDER_TO_INTEGER(From, from, unsigned long long, ull, m, mode)
#define LADDER_TO_FLOAT(From, from, To, to, m, mode) \
  LADDER_ROUNDED(To, __##from##2##to##_##m, mode, (From x), static_cast<To>(in(x)))
#define LADDER_MODE(m, mode)                                                                       \
  LADDER_ARITHMETIC(float, f, m, mode)                                                             \
  LADDER_ARITHMETIC(double, d, m, mode)                                                            \
  LADDER_ROUNDED(float, __fmaf_##m, mode, (float x, float y, float z), ::fma(in(x), in(y), in(z))) \
  LADDER_ROUNDED(double, __fma_##m, mode, (double x, double y, double z),                          \
                 ::fma(in(x), in(y), in(z)))                                                       \
  LADDER_TO_INTEGERS(float, float, m, mode)                                                        \
  LADDER_TO_INTEGERS(double, double, m, mode)                                                      \
  LADDER_TO_FLOAT(int, int, float, float, m, mode)                                                 \
  LADDER_TO_FLOAT(unsigned, uint, float, float, m, mode)                                           \
  LADDER_TO_FLOAT(long long, ll, float, float, m, mode)                                            \
  LADDER_TO_FLOAT(unsigned long long, ull, float, float, m, mode)                                  \
  LADDER_TO_FLOAT(long long, ll, double, double, m, mode)                                          \
  LADDER_TO_FLOAT(unsigned long long, ull, double, double, m, mode)                                \
  LADDER_TO_FLOAT(double, double, float, float, m, mode)
LADDER_MODE(rn, FE_TONEAREST)
LADDER_MODE(rz, FE_TOWARDZERO)
LADDER_MODE(ru, FE_UPWARD)
LADDER_MODE(rd, FE_DOWNWARD)
LADDER_TO_FLOAT(int, int, double, double, rn, FE_TONEAREST)
LADDER_TO_FLOAT(unsigned, uint, double, double, rn, FE_TONEAREST)
#undef LADDER_MODE
#undef LADDER_TO_FLOAT
#undef LADDER_TO_INTEGERS
#undef LADDER_TO_INTEGER
#undef LADDER_ARITHMETIC
#undef LADDER_ROUNDED

}  // namespace words
}  // namespace ladder::emulated
