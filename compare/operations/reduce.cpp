// reduce for the runner: its inputs, its exact answer, and how far from it a result may lie.
#include "compare/operations/reduce.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "compare/operations/bounds.hpp"
#include "compare/operations/exact_sum.hpp"
#include "compare/operations/inputs.hpp"
#include "compare/operations/operations.hpp"
#include "compare/worker/problem.hpp"

namespace ladder {

namespace {

template <class T, class Op>
struct ReduceHost {
  using Operation = Reduce<T, Op>;
  using Element = T;
  using Result = T;
  static constexpr unsigned inputs = 1;

  static std::vector<T> input(const ProblemSpec& spec, unsigned) { return inputs::OfOperator<T, Op>::make(spec.distribution, spec.n, spec.seed); }

  static std::size_t results(const ProblemSpec&) { return 1; }

  static typename Operation::Device device(const ProblemSpec& spec, const std::vector<const T*>& in, T* out) { return {in[0], spec.n, out}; }

  static Expected<T> expect(const ProblemSpec& spec, const std::vector<std::vector<T>>& in) {
    const bool any_order_exact = !std::is_floating_point_v<T> || spec.distribution == "dyadic";
    if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, Sum>) {
      ExactSum sum;
      double magnitude = 0;
      for (const T x : in[0]) {
        sum.add(x);
        magnitude += std::abs(static_cast<double>(x));
      }
      return within(sum.rounded<T>(), any_order_exact ? 0 : magnitude, spec.n);
    } else if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, Product>) {
      // 113 bits: its own n roundings are 2^-60 of those of a double.
      __extension__ using Wide = __float128;
      Wide product = 1;
      for (const T x : in[0]) product *= x;
      const T exact = static_cast<T>(product);
      return within(exact, any_order_exact ? 0 : std::abs(static_cast<double>(exact)), spec.n);
    } else {
      T value = Op::template identity<T>();
      for (const T x : in[0]) value = Op{}(value, x);
      return within(value, 0, spec.n);
    }
  }

 private:
  // `magnitude` is what the rounding errors are relative to; 0: every order gives the exact result.
  static Expected<T> within(T exact, double magnitude, std::size_t n) {
    if (magnitude == 0) return {{exact}, {0}};
    const double bound = any_order_bound<T>(n, magnitude);
    if (!std::isfinite(bound)) return {{exact}, {0}, false};
    return {{exact}, {bound + std::abs(static_cast<double>(exact)) * unit_roundoff<T>()}};  // `exact` is rounded once itself
  }
};

}  // namespace

template <class... Ts, class... Ops>
void append_reduce(std::vector<Operation>& to, TypeList<Ts...>, TypeList<Ops...>) {
  const auto append_type = [&]<class T>(T) {
    (to.push_back(describe_operation<ReduceHost<T, Ops>>(Ops::name, inputs::OfOperator<T, Ops>::distributions())), ...);
  };
  (append_type(Ts{}), ...);
}

void append_reduce(std::vector<Operation>& to) {
  append_reduce(to, TypeList<std::int32_t, std::int64_t, float, double>{}, Reduce<float>::operators{});
}

}  // namespace ladder
