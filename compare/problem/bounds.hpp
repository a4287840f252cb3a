// Error bounds of floating-point results.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ladder {

// u: the largest relative error of one rounding to nearest.
template <class T>
constexpr double unit_roundoff() {
  return static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
}

// The greatest height of a tree that combines n terms: the most roundings that one term can go
// through. worker/trees.hpp measures the real height where it can.
constexpr double height_of_any_order(std::uint64_t n) {
  return n == 0 ? 0 : static_cast<double>(n - 1);
}

// gamma_h = h u / (1 - h u). A sum computed in a tree of height h is off by gamma_h * (sum of all
// |x|) at most, since each x goes through h roundings at most. A product is off by gamma_(n-1) *
// |product| at most, in any tree, since each of its n - 1 roundings acts on the whole product (N.
// J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 3.1 and 4.2). Infinity where
// h u >= 1/2: there is no bound there.
template <class T>
constexpr double gamma(double height) {
  const double hu = height * unit_roundoff<T>();
  return hu < 0.5 ? hu / (1 - hu) : std::numeric_limits<double>::infinity();
}

// Allowed error of a float result whose rounding errors are relative to `magnitude`; 0 where no
// rounding takes place.
template <class T>
double allowed_error(double height, double magnitude, T exact) {
  // `exact` is held in T itself
  return gamma<T>(height) * magnitude + unit_roundoff<T>() * std::abs(static_cast<double>(exact));
}

// The same of a sum that is accumulated in T itself, and is not held in a wider type. NaN where a
// sum on the way may be too large for T: then any answer is possible.
template <class T>
double allowed_without_overflow(double height, double magnitude, double exact) {
  const double error = gamma<T>(height) * magnitude;
  if (magnitude + std::min(error, magnitude) > static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<double>::quiet_NaN();
  return error + unit_roundoff<T>() * std::abs(exact);
}

// The same where what each operation loses is itself added up, as in Dot2: gamma enters squared, as
// if all were computed in twice the precision and rounded once (T. Ogita, S. M. Rump and S. Oishi,
// "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005), theorem 5.5, for a chain). In a
// tree the lost parts go through two additions for each of the sum: twice the height. What is lost
// of what lies among the smallest floats is lost.
template <class T>
double allowed_error_compensated(double height, double magnitude, T exact) {
  const double twice = gamma<T>(2 * height);
  const double smallest = static_cast<double>(std::numeric_limits<T>::denorm_min());
  return twice * twice * magnitude + 2 * unit_roundoff<T>() * std::abs(static_cast<double>(exact)) +
         height * smallest;
}

}  // namespace ladder
