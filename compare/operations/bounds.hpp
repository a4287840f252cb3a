// How far a floating-point result may lie from the exact one.
#pragma once

#include <cstddef>
#include <limits>

namespace ladder {

// u: the largest relative error of one rounding to nearest.
template <class T>
constexpr double unit_roundoff() {
  return static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
}

// gamma_h * magnitude, gamma_h = h u / (1 - h u): the error of a summation tree of height h whose terms have absolute values adding up to `magnitude`
// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 4.2); for a product, of magnitude |product|. Infinity where h u >= 1/2: the bound
// says nothing any more.
template <class T>
constexpr double summation_bound(double height, double magnitude) {
  const double hu = height * unit_roundoff<T>();
  return hu < 0.5 ? hu / (1 - hu) * magnitude : std::numeric_limits<double>::infinity();
}

// For an order of combination that nobody has measured: no tree of n terms is higher than n - 1, whichever it is.
template <class T>
constexpr double any_order_bound(std::size_t n, double magnitude) {
  return n < 2 ? 0 : summation_bound<T>(static_cast<double>(n - 1), magnitude);
}

}  // namespace ladder
