// reduce: out[0] = identity op in[0] op in[1] op .. op in[n-1], in any order of combination.
//
// The identity takes part, so that n = 0 gives the identity and a logical operator gives 0 or 1 for
// n = 1 too. Elements are combined as Accumulator<T>, which is also the type of the result.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "compare/contract.hpp"
#include "compare/operators.hpp"

namespace ladder {

template <class T>
struct ReduceArguments {  // the same for each operator: what poses a problem is compiled once for
                          // all of them
  const T* in;            // n elements, never modified
  std::size_t n;          // 0 is allowed
  Accumulator<T>* out;    // one element

  std::size_t results() const { return 1; }
};

template <class T, class Op = Sum>
struct Reduce {
  static constexpr std::string_view name = "reduce";
  using types = Numbers;
  using operators = std::conditional_t<std::is_same_v<T, Accumulator<T>>,
                                       TypeList<Sum, Product, Min, Max, LogicalOr, LogicalAnd>,
                                       TypeList<Sum, Min, Max>>;
  using Device = ReduceArguments<T>;
};

}  // namespace ladder
