// The Kahan step of note N5, as the note has it.
#pragma once

#include "compare/operators.hpp"

namespace ladder {

// x - y; integers wrap.
template <class T>
constexpr T minus(T x, T y) {
  return Sum()(x, Product()(T(-1), y));
}

// A product, as the first and only term of a sum that Kahan compensates: what the sum lost is
// always 0, and is dropped. So this is the product, whatever a compiler makes of it: no flag is
// needed to keep it from simplifying the step away.
template <class T>
constexpr T kahan_step(T product) {
  T sum = 0;
  T lost = 0;
  lost = minus(lost, product);           // -p
  const T next = minus(sum, lost);       // 0 - -p = p
  lost = Sum()(minus(next, sum), lost);  // (p - 0) + -p = 0
  sum = next;
  return sum;
}

}  // namespace ladder
