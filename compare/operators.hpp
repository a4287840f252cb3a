// The binary operators of reduce and scan: associative, each with its identity.
//
// Integers wrap modulo 2^32 or 2^64 for everyone, computed in unsigned arithmetic, so that every
// order of combination gives the same bits. The logical operators take any non-zero element as true
// and give 0 or 1 of the element type. Min and max of a NaN is not defined. Plain constexpr
// functions: nvcc compiles them for the device too (--expt-relaxed-constexpr).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace ladder {

struct Sum {
  static constexpr std::string_view name = "sum";
  template <class T>
  static constexpr T identity() {
    return T(0);
  }
  template <class T>
  constexpr T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
    else return a + b;
  }
};

struct Product {
  static constexpr std::string_view name = "product";
  template <class T>
  static constexpr T identity() {
    return T(1);
  }
  template <class T>
  constexpr T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(std::make_unsigned_t<T>(a) * std::make_unsigned_t<T>(b));
    else return a * b;
  }
};

struct Min {
  static constexpr std::string_view name = "min";
  template <class T>
  static constexpr T identity() {
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::max();
  }
  template <class T>
  constexpr T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};

struct Max {
  static constexpr std::string_view name = "max";
  template <class T>
  static constexpr T identity() {
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::lowest();
  }
  template <class T>
  constexpr T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

struct LogicalOr {
  static constexpr std::string_view name = "logical_or";
  template <class T>
  static constexpr T identity() {
    return T(0);
  }
  template <class T>
  constexpr T operator()(T a, T b) const {
    return T(a != T(0) || b != T(0));
  }
};

struct LogicalAnd {
  static constexpr std::string_view name = "logical_and";
  template <class T>
  static constexpr T identity() {
    return T(1);
  }
  template <class T>
  constexpr T operator()(T a, T b) const {
    return T(a != T(0) && b != T(0));
  }
};

// Composition of two affine maps x -> factor x + offset modulo 2^32, each packed into 64 bits:
// first a, then b. It does not commute, so that an order which is not the elements' shows.
struct Compose {
  static constexpr std::string_view name = "compose";
  template <class T>
  static constexpr T identity() {
    return packed<T>(1, 0);
  }
  template <class T>
  constexpr T operator()(T a, T b) const {
    return packed<T>(factor(a) * factor(b), offset(a) * factor(b) + offset(b));
  }

 private:
  template <class T>
  static constexpr T packed(std::uint32_t factor, std::uint32_t offset) {
    static_assert(sizeof(T) == sizeof(std::uint64_t) && std::is_integral_v<T>);
    return static_cast<T>(std::uint64_t{factor} << 32 | offset);
  }
  template <class T>
  static constexpr std::uint32_t factor(T map) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(map) >> 32);
  }
  template <class T>
  static constexpr std::uint32_t offset(T map) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(map));
  }
};

// Whether elements may also change places.
template <class Op>
constexpr bool commutes = !std::is_same_v<Op, Compose>;

// What two elements are combined under Height: one application of the operator. The emulated
// backend has a count(Join<T>), and counts them.
template <class T>
struct Join {};

// No operation offers this one: it measures. Where every element is a leaf, 0, an implementation
// computes the height of its own tree in place of each result: how many applications of its
// operator an element goes through at most, and so how many roundings in a sum of floats. Any
// implementation that takes any operator can be asked, a library too, on whatever machine it runs.
//
// To combine with the identity is no application: it rounds nothing, and its result was there
// before.
struct Height {
  static constexpr std::string_view name = "height";
  template <class T>
  static constexpr T identity() {
    return T(-1);  // nothing, which has no height
  }
  template <class T>
  constexpr T operator()(T a, T b) const {
    if (a < 0) return b;
    if (b < 0) return a;
    if constexpr (requires { count(Join<T>()); }) count(Join<T>());
    return (a < b ? b : a) + 1;
  }
};

// A height in two bytes, as a float without a sign: above 2,048 it is rounded up to 11 significant
// bits.
struct SmallHeight {
  using Accumulator = std::int32_t;
  static constexpr std::string_view dtype = "f16";  // of those for which it stands

  std::uint16_t bits;

  SmallHeight() = default;
  constexpr SmallHeight(std::int32_t height) : bits(none) {
    if (height < 0) return;
    const auto size = static_cast<std::uint32_t>(height);
    const int cut = std::max(static_cast<int>(std::bit_width(size)) - fraction - 1, 0);
    // the first of its bits, which is not stored, adds 1 to the exponent
    bits = static_cast<std::uint16_t>((cut << fraction) + static_cast<int>(size >> cut));
    if ((size >> cut << cut) < size) ++bits;
  }
  constexpr operator std::int32_t() const {
    constexpr int first = 1 << fraction;
    if (bits == none) return -1;
    if (bits / first > 31 - fraction) return std::numeric_limits<std::int32_t>::max();  // no height
    return bits < first ? bits : (first + bits % first) << (bits / first - 1);
  }

 private:
  static constexpr int fraction = 10;  // bits
  static constexpr std::uint16_t none = 0xffff;
};

// The integer in which heights stand for elements of type T: of the same size, since the shape of a
// tree may depend on it.
template <class T>
using HeightFor = std::conditional_t<
    sizeof(T) == sizeof(SmallHeight), SmallHeight,
    std::conditional_t<sizeof(T) == sizeof(std::int32_t), std::int32_t, std::int64_t>>;

}  // namespace ladder
