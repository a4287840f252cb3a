// dot for the runner: its inputs, its exact answer, and how far from it a result may lie.
#include "compare/operations/dot.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
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
    if (std::ranges::count(distributions(), d) == 0)
      throw std::invalid_argument(
          "the dot product of this element type takes no input distribution \"" + d + "\"");
    is_dyadic_ = d == "dyadic";
    is_ill_conditioned_ = d == "ill_conditioned";
    overflows_ = d == "overflow";
  }

  void a(std::uint64_t first, std::span<T> values) const {
    a_(first, values);
    if (overflows_) put_largest(seed_ % 2 == 1 ? 1 : -1, first, values);
    if (!is_dyadic_) return;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (is_odd(first + k)) values[k] = sign(first + k);
  }

  void b(std::uint64_t first, std::span<T> values) const {
    (is_dyadic_ ? a_ : b_)(first, values);
    if (overflows_) put_largest(1, first, values);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::uint64_t i = first + k;
      if (is_dyadic_ && !is_odd(i)) values[k] = sign(i);
      if (is_ill_conditioned_) values[k] = between_half_and_one(std::min(i, n_ - 1 - i));
    }
  }

  static std::vector<std::string_view> distributions() {
    if constexpr (is_float<T>)
      return {"uniform", "dyadic",   "ill_conditioned", "constant",
              "one_hot", "specials", "overflow"};
    else return {"uniform", "constant", "one_hot", "extremes"};
  }

 private:
  static std::string of_sum(const std::string& distribution) {
    return distribution == "ill_conditioned" ? "cancellation"
           : distribution == "overflow"      ? "uniform"
                                             : distribution;
  }

  // Of the second factor: constant where another value would hide the first one's, or make NaN of
  // its infinities.
  static std::string second(const ProblemSpec& spec) {
    const std::string distribution = of_sum(spec.distribution);
    return distribution == "uniform" || distribution == "extremes" ? distribution : "constant";
  }

  void put_largest(int sign, std::uint64_t first, std::span<T> values) const {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (first + k == seed_ % n_) {
        constexpr T largest = std::numeric_limits<T>::max();
        values[k] = sign > 0 ? largest : -largest;
      }
  }

  static bool is_odd(std::uint64_t i) { return i % 2 == 1; }
  T sign(std::uint64_t i) const { return sign_of<T>(random_bits(seed_ + 7, i)); }
  T between_half_and_one(std::uint64_t i) const {
    return static_cast<T>((1 + static_cast<double>(random_bits(seed_ + 8, i) >> 11) * 0x1p-53) / 2);
  }

  std::uint64_t n_, seed_;
  Input<T, Sum> a_, b_;
  // one factor is a small multiple of a power of two, the other 1 or -1, by turns: every sum of
  // products is exact
  bool is_dyadic_;
  // products i and n - 1 - i cancel to their last places, and none of them is exact
  bool is_ill_conditioned_;
  // one product is infinite, though no factor is; its sign goes by the seed
  bool overflows_;
};

// Calls action(accumulator, a[i], b[i]) for each i.
template <class T, class Total>
Total folded_pairs(const Factors<T>& factors, std::uint64_t n, const Total& empty, const auto& add,
                   const auto& join) {
  const auto visit = [&](Total& all, std::uint64_t first, std::uint64_t last) {
    std::vector<T> a(last - first), b(last - first);
    factors.a(first, a);
    factors.b(first, b);
    for (std::size_t k = 0; k < a.size(); ++k) add(all, a[k], b[k]);
  };
  return folded_in_pieces(n, empty, visit, join);
}

template <class T>
Expected<Accumulator<T>> expected(const Factors<T>& factors, const ProblemSpec& spec) {
  if constexpr (is_float<T>) {
    const ExactSum sum = folded_pairs(
        factors, spec.n, ExactSum(),
        [](ExactSum& all, T a, T b) {
          all.add_product(static_cast<double>(a), static_cast<double>(b));
        },
        [](ExactSum& all, const ExactSum& more) { all.add(more); });
    return rounded_within_bound<Accumulator<T>>(sum, spec, 1);  // a product is rounded once
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
  const auto arguments = [&](const std::vector<const T*>& in, std::uint64_t n,
                             ResultOf<Device>* out) {
    return Device{in[0], in[1], n, out};
  };
  return std::make_unique<TypedProblem<Device, T>>(spec, inputs, reports::Output::one_result,
                                                   arguments,
                                                   [&] { return expected(factors, spec); });
}

template <class... Ts>
std::vector<Kind> kinds_of(TypeList<Ts...>) {
  return {{"", dtype_of<Ts>(), pose<Ts>, Factors<Ts>::distributions()}...};
}

const RegisterOperation operation{{
                                      .name = std::string(Dot<float>::name),
                                      .place = 6,
                                      .inputs = 2,
                                      .usual_inputs = {"uniform"},
                                  },
                                  {kinds_of(AllNumbers())}};

}  // namespace
}  // namespace ladder
