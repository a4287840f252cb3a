// dot for the runner: its inputs, its exact answer, and how far from it a result may lie.
#include "compare/operations/dot.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "compare/operations/exact_sum.hpp"
#include "compare/operations/inputs.hpp"
#include "compare/problem/folded.hpp"
#include "compare/problem/problem.hpp"

namespace ladder {
namespace {

// The two factors, each a pure function of (distribution, n, seed, i).
template <class T>
class Factors {
 public:
  explicit Factors(const ProblemSpec& spec)
      : n_(spec.n),
        seed_(spec.seed),
        a_(of_sum(spec.distribution), n_, seed_),
        b_(second(spec), n_, ~seed_) {
    const std::string& d = spec.distribution;
    for (const std::string_view offered : distributions())
      if (d == offered)
        kind_ = d == "dyadic"            ? Kind::dyadic
                : d == "ill_conditioned" ? Kind::ill_conditioned
                                         : Kind::independent;
    if (kind_ == Kind::unknown)
      throw std::invalid_argument(
          "the dot product of this element type takes no input distribution \"" + d + "\"");
  }

  void a(std::uint64_t first, std::span<T> values) const {
    a_(first, values);
    if (kind_ != Kind::dyadic) return;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (is_odd(first + k)) values[k] = sign(first + k);
  }

  void b(std::uint64_t first, std::span<T> values) const {
    (kind_ == Kind::dyadic ? a_ : b_)(first, values);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::uint64_t i = first + k;
      if (kind_ == Kind::dyadic && !is_odd(i)) values[k] = sign(i);
      if (kind_ == Kind::ill_conditioned) values[k] = between_half_and_one(std::min(i, n_ - 1 - i));
    }
  }

  static std::vector<std::string_view> distributions() {
    if constexpr (std::is_floating_point_v<T>)
      return {"uniform", "dyadic", "ill_conditioned", "constant", "one_hot", "specials"};
    else return {"uniform", "constant", "one_hot", "extremes"};
  }

 private:
  // dyadic: one factor is a small multiple of a power of two, the other 1 or -1, by turns: every
  // sum of products is exact. ill_conditioned: products i and n - 1 - i cancel to their last
  // places, and none of them is exact.
  enum class Kind { unknown, independent, dyadic, ill_conditioned };

  static std::string of_sum(const std::string& distribution) {
    return distribution == "ill_conditioned" ? "cancellation" : distribution;
  }

  // Of the second factor: constant where another value would hide the first one's, or make NaN of
  // its infinities.
  static std::string second(const ProblemSpec& spec) {
    const bool independent = spec.distribution == "uniform" || spec.distribution == "extremes";
    return independent ? spec.distribution : "constant";
  }

  static bool is_odd(std::uint64_t i) { return i % 2 == 1; }
  T sign(std::uint64_t i) const { return sign_of<T>(random_bits(seed_ + 7, i)); }
  T between_half_and_one(std::uint64_t i) const {
    return static_cast<T>((1 + static_cast<double>(random_bits(seed_ + 8, i) >> 11) * 0x1p-53) / 2);
  }

  std::uint64_t n_, seed_;
  Input<T, Sum> a_, b_;
  Kind kind_ = Kind::unknown;
};

// Calls action(accumulator, a[i], b[i]) for each i.
template <class T, class Accumulator>
Accumulator folded_pairs(const Factors<T>& factors, std::uint64_t n, const Accumulator& empty,
                         const auto& add, const auto& join) {
  const auto visit = [&](Accumulator& all, std::uint64_t first, std::uint64_t last) {
    std::vector<T> a(last - first), b(last - first);
    factors.a(first, a);
    factors.b(first, b);
    for (std::size_t k = 0; k < a.size(); ++k) add(all, a[k], b[k]);
  };
  return folded_in_pieces(n, empty, visit, join);
}

template <class T>
Expected<T> expected(const Factors<T>& factors, const ProblemSpec& spec) {
  if constexpr (std::is_floating_point_v<T>) {
    const ExactSum sum = folded_pairs(
        factors, spec.n, ExactSum(),
        [](ExactSum& all, T a, T b) {
          all.add_product(static_cast<double>(a), static_cast<double>(b));
        },
        [](ExactSum& all, const ExactSum& more) { all.add(more); });
    const T exact = sum.rounded<T>();
    if (spec.distribution == "dyadic" || spec.n == 0 || !std::isfinite(exact)) return {{exact}};
    return {{exact}, {sum.magnitude()}, spec.n, 1};  // a product is rounded once
  } else {
    const T sum = folded_pairs(
        factors, spec.n, T(0), [](T& all, T a, T b) { all = Sum()(all, Product()(a, b)); },
        [](T& all, T more) { all = Sum()(all, more); });
    return {{sum}};
  }
}

template <class T>
std::unique_ptr<Problem> pose(const ProblemSpec& spec) {
  using Device = typename Dot<T>::Device;
  const Factors<T> factors(spec);
  const std::vector<Generator<T>> inputs{
      [factors](std::uint64_t first, std::span<T> values) { factors.a(first, values); },
      [factors](std::uint64_t first, std::span<T> values) { factors.b(first, values); }};
  const auto arguments = [&](const std::vector<const T*>& in, std::uint64_t n, T* out) {
    return Device{in[0], in[1], n, out};
  };
  return std::make_unique<TypedProblem<Device, T, T>>(spec, inputs, reports::Output::one_result,
                                                      arguments,
                                                      [&] { return expected(factors, spec); });
}

template <class T>
std::vector<Kind> kinds_of() {
  return {{"", dtype_of<T>(), pose<T>, Factors<T>::distributions()}};
}

const RegisterOperation operation{
    {
        .name = std::string(Dot<float>::name),
        .place = 6,
        .inputs = 2,
        .usual_inputs = {"uniform"},
    },
    {kinds_of<std::int32_t>(), kinds_of<std::int64_t>(), kinds_of<float>(), kinds_of<double>()}};

}  // namespace
}  // namespace ladder
