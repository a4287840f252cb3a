// The libraries' own operators: they know these, and may have faster code for them than for an operator of ours.
#pragma once

#include <cuda/functional>
#include <cuda/std/functional>

#include "compare/operators.hpp"

namespace ladder {

template <class Op>
struct InLibrary;

template <>
struct InLibrary<Sum> {
  using type = ::cuda::std::plus<>;
};
template <>
struct InLibrary<Product> {
  using type = ::cuda::std::multiplies<>;
};
template <>
struct InLibrary<Min> {
  using type = ::cuda::minimum<>;
};
template <>
struct InLibrary<Max> {
  using type = ::cuda::maximum<>;
};
template <>
struct InLibrary<LogicalOr> {
  using type = ::cuda::std::logical_or<>;
};
template <>
struct InLibrary<LogicalAnd> {
  using type = ::cuda::std::logical_and<>;
};

template <>
struct InLibrary<Compose> {  // which no library has
  using type = Compose;
};

template <class Op>
using LibraryOperator = typename InLibrary<Op>::type;

}  // namespace ladder
