// reduce for the runner: its inputs, its exact answer, and how far from it a result may lie.
#include "compare/operations/reduce.hpp"

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

template <class T>
void for_each_element(const Generator<T>& input, std::uint64_t n, const auto& action) {
  std::vector<T> piece(std::min<std::uint64_t>(n, 1 << 12));
  for (std::uint64_t first = 0; first < n; first += piece.size()) {
    const auto values = std::span(piece).first(std::min<std::uint64_t>(n - first, piece.size()));
    input(first, values);
    for (const T value : values) action(value);
  }
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
    ExactSum sum;
    for_each_element(input, spec.n, [&](T x) { sum.add(static_cast<double>(x)); });
    return within_bound(sum.rounded<T>(), sum.magnitude(), spec);
  } else if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, Product>) {
    ExactProduct product;
    for_each_element(input, spec.n, [&](T x) { product.multiply(static_cast<double>(x)); });
    const T exact = product.rounded<T>();
    return within_bound(exact, std::abs(static_cast<double>(exact)), spec);
  } else {
    T result = Op::template identity<T>();
    for_each_element(input, spec.n, [&](T x) { result = Op()(result, x); });
    return {{result}};
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
