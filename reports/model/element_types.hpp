// The element types, as results, options and reports name them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ladder::reports {

struct ElementType {
  std::string_view name;
  std::uint64_t bytes;
  std::uint64_t accumulator_bytes;  // of the type that its elements are accumulated in
  bool is_float = false;
  std::array<std::string_view, 4> elsewhere = {};  // its names in other places
};

// in the order of listings and reports
inline constexpr std::array element_types{
    ElementType{"i32", 4, 4, false, {"int", "int32", "int32_t"}},
    ElementType{"i64", 8, 8, false, {"long", "long long", "int64", "int64_t"}},
    ElementType{"f32", 4, 4, true, {"float", "float32", "single"}},
    ElementType{"f64", 8, 8, true, {"double", "float64"}},
    ElementType{"f16", 2, 4, true, {"half", "__half", "float16", "fp16"}},
    ElementType{"bf16", 2, 4, true, {"bfloat16", "__nv_bfloat16", "bfloat", "brain float"}},
    ElementType{"u8", 1, 1, false, {"byte", "uint8", "uint8_t", "unsigned char"}},
};

constexpr std::size_t rank_of_dtype(std::string_view dtype) {
  return static_cast<std::size_t>(std::ranges::find(element_types, dtype, &ElementType::name) -
                                  element_types.begin());
}

inline constexpr ElementType unknown_type{"", 4, 4};
// The schema refuses a name that is none of these.
constexpr const ElementType& element_type(std::string_view dtype) {
  const std::size_t rank = rank_of_dtype(dtype);
  return rank < element_types.size() ? element_types[rank] : unknown_type;
}

// Whether its elements are combined without another type.
constexpr bool is_accumulated_as_it_is(std::string_view dtype) {
  const ElementType& type = element_type(dtype);
  return type.bytes == type.accumulator_bytes;
}

}  // namespace ladder::reports
