// The element types of the operations, and what each is accumulated in.
//
// Another type is a class that has a dtype and an Accumulator, and converts to it and from it, as
// SmallFloat does; a place in AllNumbers; and a line in reports/model/element_types.hpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "compare/small_floats.hpp"

namespace ladder {

template <class... Ts>
struct TypeList {};

// The types that are accumulated as they are; and these with the others.
using Numbers = TypeList<std::int32_t, std::int64_t, float, double>;
using AllNumbers = TypeList<std::int32_t, std::int64_t, float, double, F16, BF16>;

// The element types, as results and options name them.
template <class T>
constexpr std::string_view dtype_of() {
  if constexpr (requires { T::dtype; }) return T::dtype;
  if constexpr (std::is_same_v<T, std::uint8_t>) return "u8";
  if constexpr (std::is_same_v<T, std::int32_t>) return "i32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "i64";
  if constexpr (std::is_same_v<T, float>) return "f32";
  if constexpr (std::is_same_v<T, double>) return "f64";
}

template <class T>
struct AccumulatorOf {
  using type = T;
};
template <class T>
requires requires {
  typename T::Accumulator;
}
struct AccumulatorOf<T> {
  using type = typename T::Accumulator;
};
// What elements are converted to, exactly, before they are combined: the element type itself, or a
// wider one.
template <class T>
using Accumulator = typename AccumulatorOf<T>::type;

template <class T>
constexpr bool is_float = std::is_floating_point_v<Accumulator<T>>;

}  // namespace ladder
