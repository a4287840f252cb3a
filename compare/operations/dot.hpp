// dot: out[0] = a[0] b[0] + a[1] b[1] + .. + a[n-1] b[n-1], in any order. Integers wrap, in
// unsigned arithmetic: Product and Sum do. Products and sums are of Accumulator<T>.
#pragma once

#include <cstddef>
#include <string_view>

#include "compare/contract.hpp"
#include "compare/operators.hpp"

namespace ladder {

template <class T>
struct Dot {
  static constexpr std::string_view name = "dot";
  using types = Numbers;
  using operators = TypeList<>;

  struct Device {
    const T* a;           // n elements, never modified
    const T* b;           // n elements, never modified
    std::size_t n;        // 0 is allowed
    Accumulator<T>* out;  // one element

    std::size_t results() const { return 1; }
  };
};

}  // namespace ladder
