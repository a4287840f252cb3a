// An operator of ours for library calls, on elements that are converted to T. With T void, on any.
#pragma once

#include <type_traits>

namespace ladder {

template <class Op, class T>
struct OnConverted {
  constexpr T operator()(T a, T b) const { return Op()(a, b); }
};
template <class Op, class T>
using Converting = std::conditional_t<std::is_void_v<T>, Op, OnConverted<Op, T>>;

}  // namespace ladder
