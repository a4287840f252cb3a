// Dot2: each product and each addition also gives the exact error of its rounding, and the errors
// are added up beside the sum.
#pragma once

#include <cmath>
#include <type_traits>

#include "compare/operators.hpp"
#include "handwritten/fold.hpp"

namespace ladder {

// sum + error, of which `sum` alone is what plain arithmetic would have.
template <class T>
struct Compensated {
  T sum, error;
};

template <class T>
__device__ Compensated<T> shuffle_down(Compensated<T> value, unsigned lanes) {
  return {shuffle_down(value.sum, lanes), shuffle_down(value.error, lanes)};
}

// a * b, rounded and what that lost. The compiler may fuse a plain product with the addition that
// follows: then it would not be rounded.
template <class T>
__device__ Compensated<T> exact_product(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return {Product()(a, b), T(0)};
  } else {
    T product;
    if constexpr (std::is_same_v<T, float>) product = __fmul_rn(a, b);
    else product = __dmul_rn(a, b);
    return {product, std::fma(a, b, -product)};
  }
}

// Knuth's TwoSum, and the errors of before.
struct CompensatedSum {
  template <class OfPair>
  static constexpr OfPair identity() {
    return {0, 0};
  }
  template <class T>
  __device__ Compensated<T> operator()(Compensated<T> x, Compensated<T> y) const {
    if constexpr (std::is_integral_v<T>) {
      return {Sum()(x.sum, y.sum), T(0)};
    } else {
      const T sum = x.sum + y.sum;
      const T of_y = sum - x.sum;
      const T lost = (x.sum - (sum - of_y)) + (y.sum - of_y);
      return {sum, (x.error + y.error) + lost};
    }
  }
};

// Where the sum overflowed, or met an infinity or a NaN, there is no telling what was lost.
template <class T>
__device__ T rounded(Compensated<T> x) {
  if constexpr (std::is_integral_v<T>) return x.sum;
  else return x.error - x.error == 0 ? x.sum + x.error : x.sum;
}

}  // namespace ladder
