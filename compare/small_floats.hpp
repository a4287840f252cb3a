// Floats of two bytes, as arrays hold them. Nobody computes in them: they are read as floats, which
// is exact, and written with one rounding, to nearest, ties to even.
#pragma once

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace ladder {

// IEEE 754 binary16: 5 bits of exponent, 10 of fraction.
struct Binary16 {
  static constexpr std::string_view dtype = "f16";
  static constexpr int digits = 11, max_exponent = 16;

  static constexpr std::uint16_t from(float value) {
    const auto all = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = all >> 16 & 0x8000, size = all & 0x7fffffff;
    if (value != value) return 0x7fff;
    std::uint32_t bits = 0;
    // 2^16
    if (size >= 0x47800000) bits = 0x7c00;
    else if (size < 0x38800000)
      bits = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5F) -
             0x3f000000;  // subnormal: units of 2^-24
    else bits = (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13;
    return static_cast<std::uint16_t>(sign | bits);
  }
  static constexpr float value(std::uint16_t bits) {
    const auto size = std::uint32_t{bits} << 13 & 0x0fffe000;
    const auto scaled = size >= 0x0f800000
                            ? size | 0x7f800000
                            : std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) * 0x1p112F);
    return std::bit_cast<float>(scaled | (bits & 0x8000U) << 16);
  }
};

// The upper half of a float: 8 bits of exponent, 7 of fraction.
struct Bfloat16 {
  static constexpr std::string_view dtype = "bf16";
  static constexpr int digits = 8, max_exponent = 128;

  static constexpr std::uint16_t from(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>(value != value ? 0x7fff
                                                     : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  static constexpr float value(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t{bits} << 16);
  }
};

// On a GPU these are one instruction each.
template <class Format>
constexpr std::uint16_t rounded(float value) {
#ifdef __CUDACC__
  if (!std::is_constant_evaluated()) {
    if constexpr (std::is_same_v<Format, Binary16>) return __half_as_ushort(__float2half_rn(value));
    else return __bfloat16_as_ushort(__float2bfloat16_rn(value));
  }
#endif
  return Format::from(value);
}
template <class Format>
constexpr float exact(std::uint16_t bits) {
#ifdef __CUDACC__
  if constexpr (std::is_same_v<Format, Binary16>)
    if (!std::is_constant_evaluated()) return __half2float(__ushort_as_half(bits));
#endif
  return Format::value(bits);
}

// An element of an array. Its members are inlined, so that an access to memory is in the line of
// the kernel.
template <class Format>
struct alignas(2) SmallFloat {
  using Accumulator = float;
  static constexpr std::string_view dtype = Format::dtype;

  std::uint16_t bits;

  SmallFloat() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  [[gnu::always_inline]] explicit constexpr SmallFloat(Number number)
      : bits(rounded<Format>(static_cast<float>(number))) {}

  [[gnu::always_inline]] constexpr operator float() const { return exact<Format>(bits); }
  friend constexpr SmallFloat operator-(SmallFloat x) {
    return of(static_cast<std::uint16_t>(x.bits ^ 0x8000));
  }

  static constexpr SmallFloat of(std::uint16_t bits) {
    SmallFloat number{};
    number.bits = bits;
    return number;
  }
};

using F16 = SmallFloat<Binary16>;
using BF16 = SmallFloat<Bfloat16>;

}  // namespace ladder

template <class Format>
class std::numeric_limits<ladder::SmallFloat<Format>> {
  using T = ladder::SmallFloat<Format>;
  static constexpr std::uint16_t one_of_exponent = 1 << (Format::digits - 1);
  static constexpr std::uint16_t of_infinity = 0x7fff & ~(one_of_exponent - 1);

 public:
  static constexpr bool is_specialized = true, is_signed = true, has_infinity = true;
  static constexpr int digits = Format::digits, max_exponent = Format::max_exponent,
                       min_exponent = 3 - Format::max_exponent;

  static constexpr T infinity() { return T::of(of_infinity); }
  static constexpr T quiet_NaN() { return T::of(0x7fff); }
  static constexpr T max() { return T::of(of_infinity - 1); }
  static constexpr T lowest() { return -max(); }
  static constexpr T min() { return T::of(one_of_exponent); }
  static constexpr T denorm_min() { return T::of(1); }
  static constexpr T epsilon() { return T(2.0F / (1 << Format::digits)); }
};
