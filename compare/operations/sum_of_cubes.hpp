// sum_of_cubes: out[0] = in[0]^3 + in[1]^3 + .. + in[n-1]^3, in any order. Integers wrap, in
// unsigned arithmetic: Product and Sum do. Cubes and sums are of Accumulator<T>.
#pragma once

#include <cstddef>
#include <string_view>

#include "compare/contract.hpp"
#include "compare/operators.hpp"

namespace ladder {

template <class T>
struct SumOfCubes {
  static constexpr std::string_view name = "sum_of_cubes";
  using types = Numbers;
  using operators = TypeList<>;

  struct Device {
    const T* in;          // n elements, never modified
    std::size_t n;        // 0 is allowed
    Accumulator<T>* out;  // one element

    std::size_t results() const { return 1; }
  };
};

template <class T>
constexpr T cube(T x) {
  return Product()(Product()(x, x), x);
}

// The same as a type, for library calls. Of elements that are converted to T; void: of any.
template <class T>
struct Cube {
  constexpr T operator()(T x) const { return cube(x); }
};
template <>
struct Cube<void> {
  template <class T>
  constexpr T operator()(T x) const {
    return cube(x);
  }
};

}  // namespace ladder
