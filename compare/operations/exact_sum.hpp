// The exact sum of floating-point numbers: nothing is rounded until the end, so the order does not
// matter.
//
// Every number is added, as an integer, to the counter of its own sign and exponent; a counter is
// wide enough for 2^75 of them. This is the "large superaccumulator" of R. M. Neal, "Fast exact
// summation using small and large superaccumulators" (arXiv:1505.05571).
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "compare/operation.hpp"
#include "compare/problem/expected.hpp"

namespace ladder {

class ExactSum {
 public:
  void add(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t exponent = bits >> fraction_bits & largest_exponent;
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
    if (exponent == largest_exponent) special_ += x;
    else
      mantissas_[bits >> fraction_bits] +=
          exponent == 0 ? fraction : fraction | std::uint64_t{1} << fraction_bits;
  }

  // The product of two numbers, and the cube of one, without rounding either, as long as nothing
  // over- or underflows: each is added together with what its rounding lost. The product of two
  // values of type float loses nothing.
  void add_product(double a, double b) {
    const double product = a * b, lost = std::isfinite(product) ? std::fma(a, b, -product) : 0;
    add(product);
    if (lost != 0) add(lost);
  }
  void add_cube(double x) {
    const double square = x * x, lost = std::isfinite(square) ? std::fma(x, x, -square) : 0;
    add_product(square, x);
    if (lost != 0) add_product(lost, x);
  }

  void add(const ExactSum& other);

  // The sum, rounded once, to nearest with ties to even. Infinities and NaN as IEEE 754 adds them.
  template <class T>
  T rounded() const;

  // The sum of all finite |x|, rounded likewise.
  double magnitude() const;

 private:
  static constexpr std::size_t fraction_bits = 52, largest_exponent = 0x7ff;
  __extension__ using Counter = unsigned __int128;

  // by sign and exponent, as a double holds them
  std::array<Counter, 2 * (largest_exponent + 1)> mantissas_{};
  double special_ = 0;  // the sum of infinities and NaN
};

// What the sum in the answer to this problem may be, of terms that are rounded so often each.
template <class T>
Expected<T> rounded_within_bound(const ExactSum& sum, const ProblemSpec& spec, double roundings) {
  const T exact = sum.rounded<T>();
  if (spec.distribution == "dyadic" || spec.n == 0 || !std::isfinite(exact)) return {{exact}};
  return {{exact}, {sum.magnitude()}, spec.n, roundings};
}

}  // namespace ladder
