// The expected answer of an implementation over Height: any heights that a tree can have.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "compare/elements.hpp"
#include "compare/operation.hpp"

namespace ladder {

struct AnyTree {
  std::uint64_t terms;  // elements combined into the first result; into each further one, one more
};

// A tree of n leaves has a height from ceil(log2 n) to n - 1. A lower tree has lost leaves; a
// higher tree has some leaves twice.
template <class T>
Verdict verdict_on(std::span<const T> heights, const AnyTree& tree, const Summation&, T untouched) {
  using Number = Accumulator<T>;
  static_assert(std::is_signed_v<Number>);
  // as an array holds it
  const auto held = [](Number height) { return static_cast<Number>(static_cast<T>(height)); };
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const std::uint64_t terms = tree.terms + i;
    const Number height = heights[i];
    const Number least = terms == 0 ? -1 : static_cast<Number>(std::bit_width(terms - 1));
    const Number most = held(static_cast<Number>(terms) - 1);
    if (height == static_cast<Number>(untouched))
      return {.pass = false, .reason = fmt::format("over heights, out[{}] was not written", i)};
    if (height < least)
      return {.pass = false,
              .reason = fmt::format("its summation tree loses elements: out[{}], of {}, has height "
                                    "{}, and {} is the least",
                                    i, terms, height, least)};
    if (height > most)
      return {.pass = false,
              .reason = fmt::format("its summation tree has elements twice, or values that are no "
                                    "elements: out[{}], of {}, has height {}, and {} is the most",
                                    i, terms, height, most)};
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
