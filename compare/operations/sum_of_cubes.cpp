// sum_of_cubes for the runner: its inputs, its exact answer, and how far from it a result may lie.
#include "compare/operations/sum_of_cubes.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "compare/operations/exact_sum.hpp"
#include "compare/operations/inputs.hpp"
#include "compare/problem/folded.hpp"
#include "compare/problem/problem.hpp"

namespace ladder {
namespace {

// Element i is a pure function of (distribution, n, seed, i).
template <class T>
class Bases {
 public:
  using Element = T;

  explicit Bases(const ProblemSpec& spec)
      : n_(spec.n),
        seed_(spec.seed),
        distribution_(spec.distribution),
        others_(is_own() || overflows() ? "uniform" : distribution_, n_, seed_) {}

  void operator()(std::uint64_t first, std::span<T> values) const {
    if (overflows()) return overflow(first, values);
    if (!is_own()) return others_(first, values);
    if constexpr (is_float<T>) dyadic(first, values);
    else digits(first, values);
  }

  static std::vector<std::string_view> distributions() {
    if constexpr (is_float<T>)
      return {"uniform", "dyadic", "constant", "one_hot", "specials", "overflow"};
    else return {"digits", "uniform", "constant", "one_hot", "extremes"};
  }

 private:
  bool is_own() const { return distribution_ == (is_float<T> ? "dyadic" : "digits"); }

  bool overflows() const { return is_float<T> && distribution_ == "overflow"; }

  // One cube is infinite, though its base is not; its sign goes by the seed.
  void overflow(std::uint64_t first, std::span<T> values) const {
    others_(first, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (first + k == seed_ % n_)
        values[k] =
            seed_ % 2 == 1 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  }

  // 0 to 9, as in note N2.
  void digits(std::uint64_t first, std::span<T> values) const {
    for (T& value : values) value = static_cast<T>(below(10, random_bits(seed_, first++)));
  }

  // Multiples of 1/4 up to 1/2 in magnitude, most of them 0 where there are more than 2^20: all
  // cubes together stay within 2^24 units of 1/64.
  void dyadic(std::uint64_t first, std::span<T> values) const {
    std::ranges::fill(values, T(0));
    for_chosen(seed_, first, values.size(), n_ / (std::uint64_t{1} << 20) + 1,
               [&](std::uint64_t i) {
                 const std::uint64_t bits = random_bits(seed_, i);
                 values[i - first] =
                     static_cast<T>(sign_of<Accumulator<T>>(bits) * ((bits & 2) ? 0.5F : 0.25F));
               });
  }

  std::uint64_t n_, seed_;
  std::string distribution_;
  Input<T, Sum> others_;
};

template <class T>
Expected<Accumulator<T>> expected(const Bases<T>& bases, const ProblemSpec& spec) {
  if constexpr (is_float<T>) {
    const ExactSum sum = folded(
        bases, spec.n, ExactSum(), [](ExactSum& all, T x) { all.add_cube(static_cast<double>(x)); },
        [](ExactSum& all, const ExactSum& more) { all.add(more); });
    return rounded_within_bound<Accumulator<T>>(sum, spec, 2);  // a cube is rounded twice
  } else {
    return {{folded(
        bases, spec.n, T(0), [](T& all, T x) { all = Sum()(all, cube(x)); },
        [](T& all, T more) { all = Sum()(all, more); })}};
  }
}

template <class T>
std::unique_ptr<Problem> pose(const ProblemSpec& spec) {
  using Device = typename SumOfCubes<T>::Device;
  const Bases<T> bases(spec);
  return std::make_unique<TypedProblem<Device, T>>(
      spec, std::vector<Generator<T>>{bases}, reports::Output::one_result, of_one_array<Device, T>,
      [&] { return expected(bases, spec); });
}

template <class... Ts>
std::vector<Kind> kinds_of(TypeList<Ts...>) {
  return {{"", dtype_of<Ts>(), pose<Ts>, Bases<Ts>::distributions()}...};
}

const RegisterOperation operation{{
                                      .name = std::string(SumOfCubes<float>::name),
                                      .place = 2,
                                      .usual_inputs = {"digits", "uniform"},
                                  },
                                  {kinds_of(AllNumbers())}};

}  // namespace
}  // namespace ladder
