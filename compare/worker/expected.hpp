// What an answer is held against, and the judgement.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "compare/operation.hpp"

namespace ladder {

// The exact result, and how far from it each element of an answer may lie.
template <class T>
struct Expected {
  std::vector<T> exact;
  std::vector<double> allowed = {};  // |error|; empty: 0, the same bits, for all
  bool bounded = true;               // false: no bound means anything; only what is NaN or infinite has to be so, and nothing else
};

// Units in the last place of the element type between `got` and `exact`, both finite.
template <class T>
double ulps_between(T got, T exact) {
  const int exponent = std::max(exact == 0 ? std::numeric_limits<int>::min() : std::ilogb(exact), std::numeric_limits<T>::min_exponent - 1);
  const double distance = std::abs(static_cast<double>(got) - static_cast<double>(exact));
  return std::ldexp(distance, std::numeric_limits<T>::digits - 1 - exponent);
}

// NaN is right only where the exact result is NaN, an infinity only where it is that one; -0 equals +0.
template <class T>
bool is_right(T got, T exact, double allowed, bool bounded) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(exact)) return std::isnan(got);
    if (!std::isfinite(exact) || !std::isfinite(got)) return got == exact;
    return !bounded || std::abs(static_cast<double>(got) - static_cast<double>(exact)) <= allowed;
  } else {
    return got == exact;
  }
}

// `untouched` is what an element holds that was never written.
template <class T>
Verdict verdict_on(std::span<const T> got, const Expected<T>& expected, T untouched) {
  // Bytes, as NaN and -0 are told apart here.  NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  const auto same_bits = [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; };
  Verdict verdict;
  verdict.bounded = expected.bounded;
  std::size_t wrong = 0, first_wrong = 0, unwritten = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const T exact = expected.exact[i];
    const double allowed = expected.allowed.empty() ? 0 : expected.allowed[i];
    const bool written = !same_bits(got[i], untouched) || same_bits(exact, untouched);
    if (!written) ++unwritten;
    if ((!written || !is_right(got[i], exact, allowed, expected.bounded)) && wrong++ == 0) first_wrong = i;

    verdict.bound = std::max(verdict.bound, allowed);
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isfinite(got[i]) && std::isfinite(exact) && got[i] != exact) {
        verdict.ulp_max = std::max(verdict.ulp_max, ulps_between(got[i], exact));
        verdict.relative = std::max(verdict.relative, std::abs((static_cast<double>(got[i]) - exact) / exact));  // infinite where 0 is exact
      }
    }
  }
  verdict.pass = wrong == 0;
  if (verdict.pass) return verdict;

  if (unwritten == got.size()) {
    verdict.reason = "wrote nothing: its output is as it was before the run";
    return verdict;
  }
  verdict.reason = fmt::format("out[{}] is {}, not {}", first_wrong, got[first_wrong], expected.exact[first_wrong]);
  if (same_bits(got[first_wrong], untouched)) verdict.reason = fmt::format("out[{}] was not written", first_wrong);
  else if (!expected.allowed.empty() && expected.allowed[first_wrong] > 0)
    verdict.reason += fmt::format(", and may be off by {:.3g}", expected.allowed[first_wrong]);
  if (got.size() > 1) verdict.reason += fmt::format("; {} of {} elements are wrong", wrong, got.size());
  return verdict;
}

}  // namespace ladder
