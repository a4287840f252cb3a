// Folds an input while it is generated.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace ladder {

// Folds elements 0 to n on all cores, always in the same order. visit(accumulator, first, last):
// takes the elements [first, last), 4,096 at most; join(accumulator, accumulator of what follows).
template <class Total>
Total folded_in_pieces(std::uint64_t n, const Total& empty, const auto& visit, const auto& join) {
  constexpr std::uint64_t for_a_thread = 1 << 18, at_once = 1 << 12;
  using Range = tbb::blocked_range<std::uint64_t>;
  const auto fold = [&](const Range& range, Total accumulator) {
    for (std::uint64_t first = range.begin(); first < range.end(); first += at_once)
      visit(accumulator, first, std::min(range.end(), first + at_once));
    return accumulator;
  };
  const auto joined = [&](Total a, const Total& b) {
    join(a, b);
    return a;
  };
  return tbb::parallel_deterministic_reduce(Range(0, n, for_a_thread), empty, fold, joined);
}

// Folds one input. add(accumulator, element)
template <class Generate, class Total>
Total folded(const Generate& input, std::uint64_t n, const Total& empty, const auto& add,
             const auto& join) {
  using T = typename Generate::Element;
  const auto visit = [&](Total& accumulator, std::uint64_t first, std::uint64_t last) {
    thread_local std::vector<T> piece;
    piece.resize(last - first);
    input(first, std::span(piece));
    for (const T value : piece) add(accumulator, value);
  };
  return folded_in_pieces(n, empty, visit, join);
}

}  // namespace ladder
