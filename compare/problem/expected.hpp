// The expected answer, and the verdict on an answer.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "compare/elements.hpp"
#include "compare/operation.hpp"
#include "compare/problem/bounds.hpp"
#include "compare/problem/folded.hpp"
#include "compare/problem/in_parallel.hpp"
#include "compare/problem/long_array.hpp"

namespace ladder {

// The exact result, and the data for the error bound of each element. The bound also depends on the
// tree in which the implementation combines the elements.
template <class T>
struct Expected {
  LongArray<Accumulator<T>> exact;  // before it is converted to T
  // of each element: its rounding errors are relative to this, also where the exact result is
  // infinite or NaN; empty: no rounding
  LongArray<double> magnitude = {};
  // combined into the first element; into each further one, one more
  std::uint64_t terms = 0;
  double roundings = 0;  // that a term goes through besides those of the tree
  // false for a product: each rounding acts on the whole, and every tree has the same number
  bool depends_on_tree = true;
  // no rounding, unless elements are accumulated in a type that others convert them from
  bool is_exact_in_any_order = false;

  // whether every tree gives the same bits
  bool is_exact() const { return magnitude.empty() || is_exact_in_any_order; }
  bool is_exact(const Summation& summation) const {
    return summation.accumulates_elements ? magnitude.empty() : is_exact();
  }
};

constexpr std::uint64_t no_element = std::numeric_limits<std::uint64_t>::max();

// Allowed |error| of element i, before it is converted to T. Infinity: theory gives no bound; only
// NaN and infinities must agree.
template <class T>
double allowed(const Expected<T>& expected, const Summation& summation, std::size_t i) {
  using Number = Accumulator<T>;
  if constexpr (std::is_floating_point_v<Number>) {
    const Number exact = expected.exact[i];
    if (!std::isfinite(exact)) {
      if (!summation.accumulates_elements || expected.magnitude.empty()) return 0;
      // an infinity or NaN of the input is the answer, unless a sum of others becomes one before
      const double finite = allowed_without_overflow<T>(height_of_any_order(expected.terms + i),
                                                        expected.magnitude[i], 0);
      return std::isnan(finite) ? finite : 0;
    }
    // An addition may lose either term, or its result.
    const bool flushes = summation.flushes_subnormals && std::is_same_v<Number, float>;
    const double flushed =
        flushes ? 3.0 * static_cast<double>(expected.terms + i) * std::numeric_limits<Number>::min()
                : 0;
    if (expected.is_exact(summation)) return flushed;
    const auto& heights = summation.heights;
    const double roundings =
        (heights.empty() || !expected.depends_on_tree ? height_of_any_order(expected.terms + i)
                                                      : heights[i]) +
        expected.roundings;
    if (roundings == 0) return flushed;
    const double magnitude = expected.magnitude[i];
    if (summation.accumulates_elements)
      return allowed_without_overflow<T>(roundings, magnitude, exact);
    const auto bound =
        summation.is_compensated ? allowed_error_compensated<Number> : allowed_error<Number>;
    return flushed + bound(roundings, magnitude, exact);
  }
  return 0;
}

// From this element on theory gives no bound: in some order too many elements are added up for the
// type that accumulates them. no_element: the heights are known, or nothing is rounded.
template <class T>
std::uint64_t first_without_bound(const Expected<T>& expected, const Summation& summation) {
  if (!summation.heights.empty() || expected.is_exact(summation)) return no_element;
  // gamma() is infinite at this height; element 0 has one of terms - 1 at least
  const double too_high =
      0.5 / (summation.accumulates_elements ? unit_roundoff<T>() : unit_roundoff<Accumulator<T>>());
  return static_cast<std::uint64_t>(too_high) + 1;
}

// The same expectation of an answer in the element type.
template <class T>
Expected<T> in_elements(const Expected<Accumulator<T>>& expected) {
  return {expected.exact,     expected.magnitude,       expected.terms,
          expected.roundings, expected.depends_on_tree, expected.is_exact_in_any_order};
}

// The exact bits of the whole answer; empty where an error is allowed.
template <class T>
auto exact_bits(const Expected<T>& expected) {
  const auto& exact = expected.exact;
  if constexpr (std::is_same_v<T, Accumulator<T>>) {
    return expected.is_exact() ? std::span<const T>(exact) : std::span<const T>();
  } else {
    LongArray<T> bits(expected.is_exact() ? exact.size() : 0);
    constexpr std::size_t piece = 1 << 16;
    in_parallel((bits.size() + piece - 1) / piece, [&](std::uint64_t k) {
      const std::size_t last = std::min((k + 1) * piece, bits.size());
      for (std::size_t i = k * piece; i < last; ++i) bits[i] = static_cast<T>(exact[i]);
    });
    return bits;
  }
}

template <class T>
bool depends_on_summation(const Expected<T>& expected) {
  return !expected.is_exact() && expected.depends_on_tree;
}

// The exponent of a finite number; of a subnormal one and of 0, one below the least. std::ilogb and
// std::ldexp are calls, and take longer than all else that is done with an element.
template <std::floating_point Number>
int exponent_of(Number x) {
  using Bits = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
  using Limits = std::numeric_limits<Number>;
  static_assert(Limits::is_iec559 && sizeof(Number) == sizeof(Bits));
  constexpr Bits exponents = 2 * Limits::max_exponent - 1;
  return static_cast<int>(std::bit_cast<Bits>(x) >> (Limits::digits - 1) & exponents) -
         (Limits::max_exponent - 1);
}
// For the exponents of normal doubles, -1022 to 1023.
inline double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

// Units in the last place of the element type between `got` and `exact`, both finite.
template <class T>
double ulps_between(double got, Accumulator<T> exact) {
  const int exponent = std::max(exponent_of(exact), std::numeric_limits<T>::min_exponent - 1);
  const double distance = std::abs(got - static_cast<double>(exact));
  const int places = std::numeric_limits<T>::digits - 1 - exponent;  // of a double, up to 1,074
  return distance * power_of_two(places / 2) * power_of_two(places - places / 2);
}

// NaN is right only where the exact result is NaN, an infinity only where it is that one; -0 equals
// +0.
template <class T>
bool is_right(T got, T exact, double allowed) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(exact)) return std::isnan(got);
    if (!std::isfinite(exact) || !std::isfinite(got)) return got == exact;
    return std::abs(static_cast<double>(got) - static_cast<double>(exact)) <= allowed;
  } else {
    return got == exact;
  }
}

// The same of an answer that was rounded once more, to T. Each value within the bound is right
// before that, so the answer lies between the rounded ends of the bound. An end may be infinite.
// Infinite: an infinity is right only near the largest number. NaN: nothing was promised.
template <class T>
requires(!std::is_same_v<T, Accumulator<T>>) bool is_right(T got, Accumulator<T> exact,
                                                           double allowed) {
  const Accumulator<T> value = got;
  if (std::isnan(allowed)) return true;
  if (std::isnan(exact)) return std::isnan(value);
  if (std::isinf(allowed)) return std::isinf(value) ? T(2 * exact) == got : !std::isnan(value);
  return T(exact - allowed) <= got && got <= T(exact + allowed);
}

// An answer as a number. What was rounded to an infinity is the power of two beyond the largest
// number, if the exact value is less than that; else there is no such number.
template <class T>
std::optional<double> as_number(T answer, Accumulator<T> exact) {
  const double number = Accumulator<T>(answer);
  if (std::isfinite(number)) return number;
  const double beyond = power_of_two(std::numeric_limits<T>::max_exponent);
  if (!std::isinf(number) || !(std::abs(static_cast<double>(exact)) < beyond)) return {};
  return std::copysign(beyond, number);
}

// The distance from the exact value to the farther of these ends.
template <class T>
double allowed_once_rounded(Accumulator<T> exact, double allowed) {
  if constexpr (!std::is_same_v<T, Accumulator<T>>) {
    if (allowed == 0 || !std::isfinite(allowed)) return allowed;
    double most = 0;
    for (const T end : {T(exact - allowed), T(exact + allowed)})
      if (const auto number = as_number(end, exact))
        most = std::max(most, std::abs(*number - static_cast<double>(exact)));
    return most;
  }
  return allowed;
}

// got and exact: both finite. allowed: |error|. Only a new largest error is divided.
template <class T>
void note_error(Verdict& verdict, double got, Accumulator<T> exact, double allowed) {
  const double error = std::abs(got - static_cast<double>(exact)),
               size = std::abs(static_cast<double>(exact));
  if (allowed > 0 && std::isfinite(allowed) &&
      (!verdict.of_bound || error > *verdict.of_bound * allowed))
    verdict.of_bound = error / allowed;
  if (got == exact) return;
  verdict.ulp_max = std::max(verdict.ulp_max, ulps_between<T>(got, exact));
  // infinite where 0 is exact
  if (size == 0 || error > verdict.relative * size) verdict.relative = error / size;
}

// What there is to say of some elements of an answer.
struct Tally {
  Verdict verdict;
  std::size_t wrong = 0, first_wrong = 0, unwritten = 0;

  void add(const Tally& later) {
    if (wrong == 0) first_wrong = later.first_wrong;
    wrong += later.wrong;
    unwritten += later.unwritten;
    verdict.ulp_max = std::max(verdict.ulp_max, later.verdict.ulp_max);
    verdict.relative = std::max(verdict.relative, later.verdict.relative);
    verdict.bound = std::max(verdict.bound, later.verdict.bound);
    verdict.bounded = verdict.bounded && later.verdict.bounded;
    verdict.of_bound = std::max(verdict.of_bound, later.verdict.of_bound);
  }
};

// allowed(i): |error| of element i, infinite or NaN from element `without_bound` on. `untouched` is
// what an element holds that was never written.
template <class T>
Verdict verdict_within(std::span<const T> got, std::span<const Accumulator<T>> all_exact,
                       const auto& allowed, T untouched, std::uint64_t without_bound = no_element) {
  using Number = Accumulator<T>;
  // Bytes, as NaN and -0 are told apart here.
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  const auto same_bits = [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; };
  // Of 65,536 values a right one may be that by chance, though it is not the rounded exact one.
  const auto is_written = [&](const T& it, Number exact, double allowed_here) {
    if (!same_bits(it, untouched) || same_bits(static_cast<T>(exact), untouched)) return true;
    return sizeof(T) == 2 && std::isfinite(allowed_here) && is_right(it, exact, allowed_here);
  };
  // of a right answer, or one of numbers
  const auto note = [](Tally& tally, T it, Number exact, double allowed_here) {
    if constexpr (std::is_floating_point_v<Number>) {
      const Number value = it;
      if (std::isfinite(value) && std::isfinite(exact))
        return note_error<T>(tally.verdict, value, exact, allowed_here);
      if (!std::isfinite(Number(static_cast<T>(exact)))) return;
      // An infinity in place of a number: of the last rounding, or it overflowed on the way.
      if constexpr (!std::is_same_v<T, Number>)
        if (const auto number = as_number(it, exact); number && std::isfinite(allowed_here))
          return note_error<T>(tally.verdict, *number, exact, allowed_here);
      tally.verdict.ulp_max = tally.verdict.relative = std::numeric_limits<double>::infinity();
    }
  };
  const auto judge = [&](Tally& tally, std::size_t i) {
    const Number exact = all_exact[i];
    const double allowed_here = allowed(i);
    const bool written = is_written(got[i], exact, allowed_here);
    if (!written) ++tally.unwritten;
    if ((!written || !is_right(got[i], exact, allowed_here)) && tally.wrong++ == 0)
      tally.first_wrong = i;

    const double in_all = allowed_once_rounded<T>(exact, allowed_here);
    if (std::isfinite(in_all)) tally.verdict.bound = std::max(tally.verdict.bound, in_all);
    else tally.verdict.bounded = false;
    note(tally, got[i], allowed_here == 0 ? Number(static_cast<T>(exact)) : exact, in_all);
  };
  // Most elements of a long answer are so, and there is less to look at.
  const auto judge_without_bound = [&](Tally& tally, std::size_t i) {
    constexpr double none = std::numeric_limits<double>::infinity();
    const Number exact = all_exact[i];
    if (std::isfinite(exact) && is_written(got[i], exact, none) && is_right(got[i], exact, none)) {
      tally.verdict.bounded = false;
      note(tally, got[i], exact, none);
    } else {
      judge(tally, i);
    }
  };
  const Tally all = folded_in_pieces(
      got.size(), Tally(),
      [&](Tally& tally, std::uint64_t first, std::uint64_t last) {
        const std::uint64_t bounded = std::clamp(without_bound, first, last);
        for (std::uint64_t i = first; i < bounded; ++i) judge(tally, i);
        for (std::uint64_t i = bounded; i < last; ++i) judge_without_bound(tally, i);
      },
      [](Tally& tally, const Tally& later) { tally.add(later); });

  Verdict verdict = all.verdict;
  verdict.pass = all.wrong == 0;
  if (verdict.pass) return verdict;

  if (all.unwritten == got.size()) {
    verdict.reason = "wrote nothing: its output is as it was before the run";
    return verdict;
  }
  const std::size_t first_wrong = all.first_wrong;
  verdict.reason = fmt::format("out[{}] is {}, not {}", first_wrong,
                               static_cast<Number>(got[first_wrong]), all_exact[first_wrong]);
  if (same_bits(got[first_wrong], untouched))
    verdict.reason = fmt::format("out[{}] was not written", first_wrong);
  else if (const double allowed_there = allowed(first_wrong);
           allowed_there > 0 && std::isfinite(allowed_there))
    verdict.reason += fmt::format(", and may be off by {:.3g}", allowed_there);
  if (got.size() > 1)
    verdict.reason += fmt::format("; {} of {} elements are wrong", all.wrong, got.size());
  return verdict;
}

template <class T>
Verdict verdict_on(std::span<const T> got, const Expected<T>& expected, const Summation& summation,
                   T untouched) {
  return verdict_within<T>(
      got, expected.exact, [&](std::size_t i) { return allowed(expected, summation, i); },
      untouched, first_without_bound(expected, summation));
}

}  // namespace ladder
