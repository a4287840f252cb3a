// reduce for the runner: its inputs, its exact answer, and how far from it a result may lie.
#include "compare/operations/reduce.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "compare/operations/bounds.hpp"
#include "compare/operations/exact_product.hpp"
#include "compare/operations/exact_sum.hpp"
#include "compare/operations/inputs.hpp"
#include "compare/operations/operations.hpp"
#include "compare/worker/problem.hpp"

namespace ladder {
namespace {

// Folds the whole input on all cores, always in the same order. add(accumulator, element), join(accumulator, accumulator of what follows)
template <class T, class Accumulator>
Accumulator folded(const Generator<T>& input, std::uint64_t n, const Accumulator& empty, const auto& add, const auto& join) {
  constexpr std::uint64_t for_a_thread = 1 << 18, at_once = 1 << 12;
  using Range = tbb::blocked_range<std::uint64_t>;
  const auto fold = [&](const Range& range, Accumulator accumulator) {
    std::vector<T> piece(std::min(range.end() - range.begin(), at_once));
    for (std::uint64_t first = range.begin(); first < range.end(); first += piece.size()) {
      const auto values = std::span(piece).first(std::min<std::uint64_t>(range.end() - first, piece.size()));
      input(first, values);
      for (const T value : values) add(accumulator, value);
    }
    return accumulator;
  };
  const auto joined = [&](Accumulator a, const Accumulator& b) {
    join(a, b);
    return a;
  };
  return tbb::parallel_deterministic_reduce(Range(0, n, for_a_thread), empty, fold, joined);
}

// magnitude: the sum of all |x|, or |product|, which rounding errors are relative to.
template <class T>
Expected<T> within_bound(T exact, double magnitude, const ProblemSpec& spec) {
  const bool exact_in_any_order = spec.distribution == "dyadic" || spec.distribution == "subnormals";
  if (exact_in_any_order || spec.n < 2 || !std::isfinite(exact)) return {{exact}};
  const double gamma_h = gamma<T>(height_of_any_order(spec.n));
  if (!std::isfinite(gamma_h)) return {.exact = {exact}, .bounded = false};
  const double own_rounding = unit_roundoff<T>() * std::abs(static_cast<double>(exact));  // `exact` is held in T itself
  return {{exact}, {gamma_h * magnitude + own_rounding}};
}

template <class T, class Op>
Expected<T> expected(const Generator<T>& input, const ProblemSpec& spec) {
  if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, Sum>) {
    const ExactSum sum = folded(
        input, spec.n, ExactSum(), [](ExactSum& all, T x) { all.add(static_cast<double>(x)); },
        [](ExactSum& all, const ExactSum& more) { all.add(more); });
    return within_bound(sum.rounded<T>(), sum.magnitude(), spec);
  } else if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, Product>) {
    const ExactProduct product = folded(
        input, spec.n, ExactProduct(), [](ExactProduct& all, T x) { all.multiply(static_cast<double>(x)); },
        [](ExactProduct& all, const ExactProduct& more) { all.multiply(more); });
    const T exact = product.rounded<T>();
    return within_bound(exact, std::abs(static_cast<double>(exact)), spec);
  } else {
    const auto combine = [](T& all, T x) { all = Op()(all, x); };
    return {{folded(input, spec.n, Op::template identity<T>(), combine, combine)}};
  }
}

template <class T, class Op>
std::unique_ptr<Problem> pose(const ProblemSpec& spec) {
  using Device = typename Reduce<T, Op>::Device;
  const Generator<T> input = Input<T, Op>(spec.distribution, spec.n, spec.seed);
  const auto arguments = [&](const std::vector<const T*>& in, T* out) { return Device{in[0], spec.n, out}; };
  return std::make_unique<TypedProblem<Device, T, T>>(spec, std::vector{input}, 1, arguments, [&] { return expected<T, Op>(input, spec); });
}

template <class T, class... Ops>
void append(std::vector<Operation>& to, TypeList<Ops...>) {
  (to.push_back({Reduce<T>::name, Ops::name, dtype_of<T>(), pose<T, Ops>, Input<T, Ops>::distributions()}), ...);
}

}  // namespace

void append_reduce(std::vector<Operation>& to) {
  append<std::int32_t>(to, Reduce<std::int32_t>::operators());
  append<std::int64_t>(to, Reduce<std::int64_t>::operators());
  append<float>(to, Reduce<float>::operators());
  append<double>(to, Reduce<double>::operators());
}

}  // namespace ladder
