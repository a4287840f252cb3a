// The scans for the runner: their inputs, every exact prefix, and how far from it a result may lie.
#include "compare/operations/scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "compare/operations/inputs.hpp"
#include "compare/operations/leaves.hpp"
#include "compare/operations/operations.hpp"
#include "compare/worker/problem.hpp"

namespace ladder {
namespace {

// Prefixes of integers, and of logical values of any type: the operator itself is exact.
template <class T, class Op>
class Prefix {
 public:
  void add(T x) { value_ = Op()(value_, x); }
  T exact() const { return value_; }
  double magnitude() const { return 0; }

 private:
  T value_ = Op::template identity<T>();
};

// Prefixes of floats: a pair of 64-bit mantissas holds some 128 bits, with exponents beyond those of a double. What n roundings of that lose is far
// below the last place of a T.
template <std::floating_point T>
class Prefix<T, Sum> {
 public:
  void add(T x) {
    const long double sum = high_ + x, part = sum - high_;
    low_ += (high_ - (sum - part)) + (x - part);
    high_ = sum;
    magnitude_ += std::abs(static_cast<long double>(x));
  }
  T exact() const { return static_cast<T>(std::isfinite(high_) ? high_ + low_ : high_); }
  double magnitude() const { return static_cast<double>(magnitude_); }

 private:
  long double high_ = 0, low_ = 0, magnitude_ = 0;
};

template <std::floating_point T>
class Prefix<T, Product> {
 public:
  void add(T x) {
    const long double product = high_ * x;
    low_ = low_ * x + std::fma(high_, static_cast<long double>(x), -product);
    high_ = product;
  }
  T exact() const { return static_cast<T>(std::isfinite(high_) ? high_ + low_ : high_); }
  double magnitude() const { return std::abs(static_cast<double>(exact())); }

 private:
  long double high_ = 1, low_ = 0;
};

template <class T, class Op>
constexpr bool is_rounded = std::is_floating_point_v<T> && (std::is_same_v<Op, Sum> || std::is_same_v<Op, Product>);

constexpr std::uint64_t terms_of_first(ScanKind kind) {
  return kind == ScanKind::inclusive ? 1 : 0;
}

template <class T, class Op>
Expected<T> expected(const Input<T, Op>& input, const ProblemSpec& spec, ScanKind kind) {
  constexpr std::uint64_t at_once = 1 << 12;
  const bool is_bounded = is_rounded<T, Op> && spec.distribution != "dyadic" && spec.distribution != "subnormals";
  Expected<T> all;
  all.exact.resize(spec.n);
  if (is_bounded) all.magnitude.resize(spec.n);
  all.terms = terms_of_first(kind);
  all.depends_on_tree = std::is_same_v<Op, Sum>;
  Prefix<T, Op> prefix;
  std::vector<T> piece(std::min(spec.n, at_once));
  for (std::uint64_t first = 0; first < spec.n; first += piece.size()) {
    const auto values = std::span(piece).first(std::min<std::uint64_t>(spec.n - first, piece.size()));
    input(first, values);
    for (std::uint64_t k = 0; k < values.size(); ++k) {
      const std::uint64_t i = first + k;
      if (kind == ScanKind::inclusive) prefix.add(values[k]);
      all.exact[i] = prefix.exact();
      if (is_bounded) all.magnitude[i] = prefix.magnitude();
      if (kind == ScanKind::exclusive) prefix.add(values[k]);
    }
  }
  return all;
}

// Of floats, the study's default is the input whose every prefix is exact: it is compared bit for bit at any length.
template <class T, class Op>
std::vector<std::string_view> distributions() {
  auto all = Input<T, Op>::distributions();
  if (const auto dyadic = std::ranges::find(all, "dyadic"); dyadic != all.end()) std::rotate(all.begin(), dyadic, dyadic + 1);
  return all;
}

constexpr std::uint64_t most_heights = 1 << 24;  // one for each result: 16 to 32 times this many bytes

template <class T, ScanKind kind>
std::unique_ptr<Problem> leaves_of(const ProblemSpec& spec) {
  if (spec.n > most_heights) return nullptr;
  return leaves<ScanArguments<HeightFor<T>>, HeightFor<T>>(spec, spec.n, terms_of_first(kind));
}

template <class T, class Op, ScanKind kind>
std::unique_ptr<Problem> pose(const ProblemSpec& spec) {
  using Device = ScanArguments<T>;
  const Input<T, Op> input(spec.distribution, spec.n, spec.seed);
  const auto arguments = [&](const std::vector<const T*>& in, T* out) { return Device{in[0], spec.n, out}; };
  return std::make_unique<TypedProblem<Device, T, T>>(
      spec, std::vector<Generator<T>>{input}, spec.n, arguments, [&] { return expected<T, Op>(input, spec, kind); },
      [spec] { return leaves_of<T, kind>(spec); });
}

template <class T, class... Ops>
void append(std::vector<Operation>& to, TypeList<Ops...>) {
  (to.push_back({InclusiveScan<T>::name, Ops::name, dtype_of<T>(), pose<T, Ops, ScanKind::inclusive>, distributions<T, Ops>()}), ...);
  (to.push_back({ExclusiveScan<T>::name, Ops::name, dtype_of<T>(), pose<T, Ops, ScanKind::exclusive>, distributions<T, Ops>()}), ...);
}

}  // namespace

void append_scans(std::vector<Operation>& to) {
  append<std::int32_t>(to, ScanOperators<std::int32_t>());
  append<std::int64_t>(to, ScanOperators<std::int64_t>());
  append<float>(to, ScanOperators<float>());
  append<double>(to, ScanOperators<double>());
}

}  // namespace ladder
