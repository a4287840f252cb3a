// reduce for the runner: its inputs, its exact answer, and how far from it a result may lie.
#include "compare/operations/reduce.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "compare/operations/exact_product.hpp"
#include "compare/operations/exact_sum.hpp"
#include "compare/operations/inputs.hpp"
#include "compare/problem/bounds.hpp"
#include "compare/problem/folded.hpp"
#include "compare/problem/leaves.hpp"
#include "compare/problem/problem.hpp"

namespace ladder {
namespace {

// magnitude: the sum of all finite |x|, or |product|, which rounding errors are relative to.
template <class T>
Expected<T> within_bound(T exact, double magnitude, const ProblemSpec& spec, bool depends_on_tree) {
  if (spec.n < 2) return {.exact = {exact}, .terms = spec.n};
  return {.exact = {exact},
          .magnitude = {magnitude},
          .terms = spec.n,
          .depends_on_tree = depends_on_tree,
          .is_exact_in_any_order = is_exact_in_any_order(spec.distribution)};
}

template <class T, class Op>
Expected<Accumulator<T>> expected(const Input<T, Op>& input, const ProblemSpec& spec) {
  using Result = Accumulator<T>;
  if constexpr (is_float<T> && std::is_same_v<Op, Sum>) {
    const ExactSum sum = folded(
        input, spec.n, ExactSum(), [](ExactSum& all, T x) { all.add(static_cast<double>(x)); },
        [](ExactSum& all, const ExactSum& more) { all.add(more); });
    return within_bound(sum.rounded<Result>(), sum.magnitude(), spec, true);
  } else if constexpr (is_float<T> && std::is_same_v<Op, Product>) {
    const ExactProduct product = folded(
        input, spec.n, ExactProduct(),
        [](ExactProduct& all, T x) { all.multiply(static_cast<double>(x)); },
        [](ExactProduct& all, const ExactProduct& more) { all.multiply(more); });
    const auto exact = product.rounded<Result>();
    return within_bound(exact, std::abs(static_cast<double>(exact)), spec, false);
  } else {
    const auto combine = [](Result& all, Result x) { all = Op()(all, x); };
    return {{folded(input, spec.n, Op::template identity<Result>(), combine, combine)}};
  }
}

template <class T>
std::unique_ptr<Problem> leaves_of(const ProblemSpec& spec) {
  if (spec.n > std::numeric_limits<std::int32_t>::max()) return nullptr;  // a height may be as much
  return leaves<HeightFor<T>, typename Reduce<HeightFor<T>, Height>::Device>(
      spec, reports::Output::one_result, spec.n);
}

template <class T, class Op>
std::unique_ptr<Problem> pose(const ProblemSpec& spec) {
  using Device = typename Reduce<T, Op>::Device;
  const Input<T, Op> input(spec.distribution, spec.n, spec.seed);
  return std::unique_ptr<Problem>(new TypedProblem<Device, T>(
      spec, std::vector<Generator<T>>{input}, reports::Output::one_result, of_one_array<Device, T>,
      [&] { return expected<T, Op>(input, spec); }, [spec] { return leaves_of<T>(spec); }));
}

template <class T, class... Ops>
std::vector<Kind> kinds_of(TypeList<Ops...>) {
  return {{Ops::name, dtype_of<T>(), pose<T, Ops>, Input<T, Ops>::distributions()}...};
}

template <class... Ts>
std::vector<std::vector<Kind>> kinds_for(TypeList<Ts...>) {
  return {kinds_of<Ts>(typename Reduce<Ts>::operators())...};
}

const RegisterOperation operation{{
                                      .name = std::string(Reduce<float>::name),
                                      .place = 1,
                                      .usual_inputs = {"uniform"},
                                  },
                                  kinds_for(AllNumbers())};

}  // namespace
}  // namespace ladder
