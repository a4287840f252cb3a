// The expected answer of an implementation over Height: any heights that a tree can have.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "compare/operation.hpp"

namespace ladder {

struct AnyTree {
  std::uint64_t terms;  // elements combined into the first result; into each further one, one more
};

// A tree of n leaves has a height from ceil(log2 n) to n - 1. A lower tree has lost leaves; a
// higher tree has some leaves twice.
template <class T>
Verdict verdict_on(std::span<const T> heights, const AnyTree& tree, const Summation&, T untouched) {
  static_assert(std::is_signed_v<T>);
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const std::uint64_t terms = tree.terms + i;
    const auto least = terms == 0 ? T(-1) : static_cast<T>(std::bit_width(terms - 1)),
               most = static_cast<T>(terms) - 1;
    if (heights[i] == untouched)
      return {.pass = false, .reason = fmt::format("over heights, out[{}] was not written", i)};
    if (heights[i] < least)
      return {.pass = false,
              .reason = fmt::format("its summation tree loses elements: out[{}], of {}, has height "
                                    "{}, and {} is the least",
                                    i, terms, heights[i], least)};
    if (heights[i] > most)
      return {.pass = false,
              .reason = fmt::format("its summation tree has elements twice, or values that are no "
                                    "elements: out[{}], of {}, has height {}, and {} is the most",
                                    i, terms, heights[i], most)};
  }
  return {.pass = true, .reason = {}};
}

template <class T>
std::span<const T> exact_bits(const AnyTree&) {
  return {};
}

inline bool depends_on_summation(const AnyTree&) {
  return false;
}

}  // namespace ladder
