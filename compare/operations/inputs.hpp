// Inputs that suit an operator, for operations that combine elements with one: nothing saturates,
// overflows or cancels unless the input is there for that.
//
// Element i is a pure function of (distribution, n, seed, i): the same on every machine, in
// whatever order or on however many threads it is made.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "compare/elements.hpp"
#include "compare/operations/glibc_random.hpp"
#include "compare/operators.hpp"

namespace ladder {

// 64 well-mixed bits for index i of stream `seed` (SplitMix64: Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", OOPSLA 2014).
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
  const auto mix = [](std::uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  };
  return mix(mix(seed) + (i + 1) * 0x9e3779b97f4a7c15);
}

// Random bits brought into [0, limit): the remainder would do, but dividing takes longer than all
// the rest.
constexpr std::uint64_t below(std::uint64_t limit, std::uint64_t bits) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(bits) * limit >> 64);
}

// No branch: half of the time it would be predicted wrongly.
template <class T>
T sign_of(std::uint64_t bits) {
  return static_cast<T>(static_cast<int>(bits & 1) * 2 - 1);
}

// One element of each stretch is chosen, which one the seed decides; of the last stretch it may lie
// beyond the input. Calls visit(i) for those that are chosen among elements first to first + count.
void for_chosen(std::uint64_t seed, std::uint64_t first, std::size_t count, std::uint64_t stretch,
                const auto& visit) {
  for (std::uint64_t k = first / stretch; k * stretch < first + count; ++k) {
    const std::uint64_t i =
        k * stretch + (stretch == 1 ? 0 : below(stretch, random_bits(seed + 1, k)));
    if (i >= first && i < first + count) visit(i);
  }
}

// Of floats: whether sums and products are exact in every order, and so have the same bits.
inline bool is_exact_in_any_order(std::string_view distribution) {
  return distribution == "dyadic" || distribution == "subnormals";
}

// No input of this name is offered.
[[noreturn]] inline void refuse(std::string_view op, std::string_view distribution,
                                const std::vector<std::string_view>& offered) {
  std::string names;
  for (const std::string_view name : offered)
    names += (names.empty() ? "" : ", ") + std::string(name);
  throw std::invalid_argument("the " + std::string(op) +
                              " of this element type takes no input distribution \"" +
                              std::string(distribution) + "\"; it takes " + names);
}

template <class T, class Op>
class Input {
 public:
  using Element = T;

  // Throws std::invalid_argument, a sentence, for a distribution that this type and operator do not
  // have.
  Input(std::string_view distribution, std::uint64_t n, std::uint64_t seed)
      : n_(n), seed_(seed), hot_(n == 0 ? 0 : seed % n) {
    for (const Named& named : offered())
      if (named.name == distribution) fill_ = named.fill;
    if (fill_ == nullptr) refuse(Op::name, distribution, distributions());
  }

  // Writes elements first, first + 1, .. of the input.
  void operator()(std::uint64_t first, std::span<T> values) const { (this->*fill_)(first, values); }

  // The study's default first.
  static std::vector<std::string_view> distributions() {
    const std::span<const Named> all = offered();
    std::vector<std::string_view> names(all.size());
    std::ranges::transform(all, names.begin(), &Named::name);
    return names;
  }

 private:
  using Limits = std::numeric_limits<T>;
  using Fill = void (Input::*)(std::uint64_t, std::span<T>) const;
  struct Named {
    std::string_view name;
    Fill fill;
  };

  static constexpr bool is_float = ladder::is_float<T>;
  static constexpr bool is_sum = std::is_same_v<Op, Sum>, is_product = std::is_same_v<Op, Product>;
  static constexpr bool is_min = std::is_same_v<Op, Min>, is_max = std::is_same_v<Op, Max>;
  static constexpr bool is_or = std::is_same_v<Op, LogicalOr>,
                        is_and = std::is_same_v<Op, LogicalAnd>,
                        is_compose = std::is_same_v<Op, Compose>;

  struct List {
    std::array<Named, 9> names{};
    std::size_t size = 0;

    constexpr void add(std::string_view name, Fill fill) { names[size++] = {name, fill}; }
  };

  // A constant, not a vector: there is one for each type and operator, and each would be compiled.
  static std::span<const Named> offered() {
    static constexpr List all = [] {
      List list;
      list.add("uniform", &Input::each<&Input::uniform>);
      list.add("constant", &Input::each<&Input::constant>);
      list.add("one_hot", &Input::each<&Input::one_hot>);
      // Products of extreme floats overflow in some orders and not in others: no answer is right.
      if constexpr (!is_float || !is_product) list.add("extremes", &Input::each<&Input::extremes>);
      if constexpr (std::is_same_v<T, std::int32_t> && is_sum)
        list.add("glibc_bytes", &Input::glibc_bytes);
      if constexpr (is_float && is_sum)
        list.add("cancellation", &Input::each<&Input::cancellation>);
      if constexpr (is_float && (is_sum || is_product)) {
        list.add("dyadic", &Input::dyadic);
        list.add("subnormals", &Input::subnormals);
        list.add("specials", &Input::each<&Input::specials>);
      }
      if constexpr (is_min || is_max) {
        list.add("neutral", &Input::each<&Input::neutral>);
        list.add("specials", &Input::each<&Input::ends>);
        list.add("sorted", &Input::each<&Input::sorted>);
      }
      if constexpr (is_or || is_and) {
        list.add("neutral", &Input::each<&Input::neutral>);
        if constexpr (is_float) list.add("specials", &Input::each<&Input::special_truths>);
      }
      return list;
    }();
    return std::span(all.names).first(all.size);
  }

  template <T (Input::*element)(std::uint64_t) const>
  void each(std::uint64_t first, std::span<T> values) const {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = (this->*element)(first + k);
  }

  // Whatever a study would feed the operator: values all over the type's range, or where that would
  // end in 0 or infinity, as far as they can go.
  T uniform(std::uint64_t i) const {
    const std::uint64_t bits = random_bits(seed_, i);
    if constexpr (is_or) return rarely(i) ? something_true(i) : T(0);
    else if constexpr (is_and) return rarely(i) ? T(0) : something_true(i);
    else if constexpr (is_compose)
      return static_cast<T>(bits | std::uint64_t{1} << 32);  // its factor, which is odd
    else if constexpr (!is_float)
      return static_cast<T>(is_product ? bits | 1 : bits);  // 32 even factors make 0 of any product
    else if constexpr (is_product) {
      // The binary logarithms of all factors add up to 80 at most, so no partial product leaves
      // [2^-80, 2^80].
      const double spread = n_ <= 80 ? 0.5 : 40.0 / static_cast<double>(n_);
      return static_cast<T>((1 + (2 * fraction(bits) - 1) * spread) * sign(i));
    } else if constexpr (is_sum) return static_cast<T>(fraction(bits));
    else return static_cast<T>(2 * fraction(bits) - 1);
  }

  // Neither 0 nor 1, which would hide lost and doubled elements.
  T constant(std::uint64_t) const {
    // its factor and its offset
    if constexpr (is_compose) return static_cast<T>(std::uint64_t{3} << 32 | 3);
    else if constexpr (!is_float) return T(3);
    else return is_product ? T(-1) : T(0.1);  // powers of anything else leave the range of the type
  }

  // The identity everywhere but in element seed % n: shows whether that very element is taken,
  // once. What it holds beats any initial value but the identity.
  T one_hot(std::uint64_t i) const {
    const bool hot = i == hot_;
    if constexpr (is_or) return hot ? something_true(i) : T(0);
    else if constexpr (is_and) return hot ? T(0) : something_true(i);
    else return hot ? T(is_max ? -5 : 5) : Op::template identity<T>();
  }

  // rand() & 0xff of a program that has called srand(seed), as in notes N1 and N4. They never call
  // srand, which is seed 1; seed 0 is the same.
  void glibc_bytes(std::uint64_t first, std::span<T> values) const {
    GlibcRandom random(static_cast<std::uint32_t>(seed_), first);
    for (T& value : values) value = static_cast<T>(random() & 0xff);
  }

  // The ends of the type's range.
  T extremes(std::uint64_t i) const {
    if constexpr (is_or) return rarely(i) ? an_end(i) : zero(i);
    else if constexpr (is_and) return rarely(i) ? zero(i) : an_end(i);
    else if constexpr (is_min || is_max) {  // mostly the end that loses
      const bool high = is_min != rarely(i);
      const bool second = random_bits(seed_, i) & 1;
      if constexpr (is_float) {
        if (rarely(i, 1)) return second ? zero(i) : signed_by(i, Limits::denorm_min());
        return second ? (high ? Limits::max() : Limits::lowest())
                      : (high ? Limits::infinity() : -Limits::infinity());
      } else return static_cast<T>(high ? Limits::max() - second : Limits::min() + second);
    } else if constexpr (!is_float) {
      constexpr std::array<T, 6> ends = {Limits::max(), Limits::min() + 1, -1, 1, Limits::min(), 0};
      // the odd ones first: the others soon make a product 0
      return ends[random_bits(seed_, i) % (is_product ? 4 : 6)];
    } else {
      // Two large ones among the smallest. For odd seeds they meet as equals, and overflow in every
      // order; else they cancel, and none overflows.
      constexpr T half = T(Limits::max() / 2);
      if (i == hot_) return seed_ % 2 == 1 ? Limits::max() : half;
      if (i == opposite()) return seed_ % 2 == 1 ? Limits::max() : -half;
      const T small = (random_bits(seed_, i) & 1) ? Limits::min() : Limits::denorm_min();
      return seed_ % 2 == 1 ? small : signed_by(i, small);
    }
  }

  // Element i and element n - 1 - i cancel to the last place, or all but the last place: the sum is
  // far smaller than what it is made of.
  T cancellation(std::uint64_t i) const requires is_float {
    const std::uint64_t mirror = n_ - 1 - i;
    // the mantissas are in [half, 2 * half)
    constexpr std::uint64_t half = std::uint64_t{1} << (Limits::digits - 1);
    const std::uint64_t bits = random_bits(seed_, std::min(i, mirror));
    const auto mantissa = static_cast<T>(half + bits % (half - 1));
    return i <= mirror ? mantissa : T(-mantissa - static_cast<T>(bits >> 63));
  }

  // Every order of combination is exact: sums of k * 2^-12, and products of a few powers of two and
  // signs.
  void dyadic(std::uint64_t first, std::span<T> values) const requires is_float {
    if constexpr (is_sum) {
      small_integers(first, values, T(0x1p-12));
    } else {
      each<&Input::sign>(first, values);
      // One in each of 100 stretches at most, so that no partial product leaves [2^-100, 2^100].
      for_chosen(seed_, first, values.size(), n_ / 100 + 1, [&](std::uint64_t i) {
        values[i - first] *= (random_bits(seed_, i) & 1) ? T(2) : T(0.5);
      });
    }
  }

  // As dyadic, at the very bottom of the type's range; lost where subnormals are flushed to zero.
  void subnormals(std::uint64_t first, std::span<T> values) const requires is_float {
    if constexpr (is_sum) {
      small_integers(first, values, Limits::denorm_min());
    } else {
      each<&Input::sign>(first, values);
      if (hot_ >= first && hot_ - first < values.size())
        values[hot_ - first] *= 3 * Limits::denorm_min();
    }
  }

  // Infinities and NaN: what they come to is the same in every order, and every kind of it comes up
  // in five seeds.
  T specials(std::uint64_t i) const requires is_float {
    const std::uint64_t kind = seed_ % 5;
    if (i == hot_)
      return kind == 0 ? Limits::quiet_NaN() : kind == 1 ? -Limits::infinity() : Limits::infinity();
    if (i == opposite() && kind == 3) return -Limits::infinity();
    if (i == opposite() && kind == 4) return is_product ? T(0) : Limits::quiet_NaN();
    return uniform(i);
  }

  // Every element leaves the result at the identity. A minimum of infinities is infinite, but not
  // if it starts at the largest finite value, or if a tail is padded with that.
  T neutral(std::uint64_t i) const {
    if constexpr (is_or) return zero(i);
    else if constexpr (is_and) return an_end(i);
    else return Op::template identity<T>();
  }

  // Of min and max: one end of the type among other values, the end that wins or the one that
  // loses; or the end that wins alone. Of floats the ends are infinities.
  T ends(std::uint64_t i) const {
    constexpr T loses = Op::template identity<T>(),
                wins = is_min ? Max::identity<T>() : Min::identity<T>();
    const std::uint64_t kind = seed_ % 3;
    if (kind == 2) return wins;
    return i != hot_ ? uniform(i) : kind == 0 ? wins : loses;
  }

  // From one end of the type to the other (of floats: from 1 to -1), for odd seeds towards the end
  // that wins, so that each element beats all before it and the last decides; for even seeds away
  // from it.
  T sorted(std::uint64_t i) const {
    const bool is_rising = is_max == (seed_ % 2 == 1);
    const std::uint64_t k = is_rising ? i : n_ - 1 - i;
    if constexpr (is_float) {
      return static_cast<T>(2 * static_cast<double>(k) / static_cast<double>(n_) - 1);
    } else {
      using U = std::make_unsigned_t<T>;
      const std::uint64_t step = std::numeric_limits<U>::max() / n_;
      return static_cast<T>(static_cast<U>(Limits::min()) + static_cast<U>(k * step));
    }
  }

  // What is true, though neither above nor below 0, infinite, or so small that it may be flushed to
  // 0. Of or one element is; of and all are, and for odd seeds but one, which is -0 and +0 by
  // turns.
  T special_truths(std::uint64_t i) const requires is_float {
    constexpr std::array<T, 5> truths = {Limits::quiet_NaN(), Limits::denorm_min(),
                                         Limits::infinity(), -Limits::infinity(),
                                         -Limits::denorm_min()};
    if constexpr (is_or) return i == hot_ ? truths[seed_ % truths.size()] : zero(i);
    else if (i == hot_ && seed_ % 2 == 1) return seed_ % 4 == 1 ? -T(0) : T(0);
    else return truths[random_bits(seed_, i) % truths.size()];
  }

  // Non-zero integers, times unit. The sum of their absolute values stays below 2^24 or 2^53 units,
  // so any of their sums is exact in the type that they are accumulated in. Longer inputs are
  // mostly zeros: one element of each stretch is not.
  void small_integers(std::uint64_t first, std::span<T> values, T unit) const {
    std::ranges::fill(values, T(0));
    for_chosen(seed_, first, values.size(), stretch_, [&](std::uint64_t i) {
      const std::uint64_t bits = random_bits(seed_, i);
      values[i - first] =
          static_cast<T>(static_cast<T>(static_cast<std::int64_t>(1 + below(largest_, bits))) *
                         sign_of<T>(bits) * unit);
    });
  }

  // True for one element of the input on average, and often for none. Each `kind` has elements of
  // its own.
  bool rarely(std::uint64_t i, std::uint64_t kind = 0) const {
    return below(n_, random_bits(seed_ + 2 + kind, i)) == 0;
  }

  // Values that are true, but not where they are cut to an integer, to their low bits, or taken as
  // they are.
  T something_true(std::uint64_t i) const {
    const std::array<T, 4> values = {T(1), T(-7), is_float ? T(0.25) : Limits::min(),
                                     is_float ? Limits::denorm_min() : T(1 << 20)};
    return values[random_bits(seed_ + 4, i) % values.size()];
  }

  T an_end(std::uint64_t i) const {
    if constexpr (is_float)
      return signed_by(i,
                       (random_bits(seed_ + 5, i) & 1) ? Limits::infinity() : Limits::denorm_min());
    else return (random_bits(seed_ + 5, i) & 1) ? Limits::max() : Limits::min();
  }

  T zero(std::uint64_t i) const { return is_float ? signed_by(i, T(0)) : T(0); }  // of either sign

  T sign(std::uint64_t i) const { return sign_of<T>(random_bits(seed_ + 6, i)); }
  T signed_by(std::uint64_t i, T value) const { return static_cast<T>(value * sign(i)); }

  static double fraction(std::uint64_t bits) {
    return static_cast<double>(bits >> (64 - Limits::digits)) / static_cast<double>(exact_up_to);
  }

  std::uint64_t opposite() const { return (hot_ + n_ / 2) % n_; }

  // T has every integer up to the first number, and what it is accumulated in up to the second
  static constexpr std::uint64_t exact_up_to = std::uint64_t{1} << Limits::digits;
  static constexpr std::uint64_t exact_sum_up_to = std::uint64_t{1}
                                                   << std::numeric_limits<Accumulator<T>>::digits;

  std::uint64_t n_, seed_, hot_;
  std::uint64_t stretch_ = n_ / (exact_sum_up_to / 2) + 1;
  std::uint64_t largest_ = std::min((exact_sum_up_to - 1) / (n_ / stretch_ + 1), exact_up_to);
  Fill fill_ = nullptr;
};

}  // namespace ladder
