// The scans for the runner: their inputs, every exact prefix, and how far from it a result may lie.
#include "compare/operations/scan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compare/checksum.hpp"
#include "compare/operations/inputs.hpp"
#include "compare/problem/in_parallel.hpp"
#include "compare/problem/leaves.hpp"
#include "compare/problem/problem.hpp"

namespace ladder {
namespace {

// Prefixes by the operator itself. It is exact for integers, for logical values of any type, and
// for floats whose sums or products are all exact in T.
template <class T, class Op>
class ExactPrefix {
 public:
  void add(T x) { value_ = Op()(value_, x); }
  void add(const ExactPrefix& more) { add(more.value_); }
  T exact() const { return value_; }

 private:
  T value_ = Op::template identity<T>();
};

// The same of a sum, and the sum of finite absolute values, by which those who accumulate elements
// as they are may be wrong.
template <class T>
class MeasuredPrefix {
 public:
  void add(T x) {
    sum_.add(x);
    if (std::isfinite(x)) magnitude_ += std::abs(static_cast<double>(x));
  }
  void add(const MeasuredPrefix& more) {
    sum_.add(more.sum_);
    magnitude_ += more.magnitude_;
  }
  T exact() const { return sum_.exact(); }
  double magnitude() const { return magnitude_; }

 private:
  ExactPrefix<T, Sum> sum_;
  double magnitude_ = 0;
};

// The error of a rounded product, by Dekker ("A floating-point technique for extending the
// available precision", 1971): both factors are split into halves, whose products are exact.
// std::fma of a long double is no instruction, and takes 15 times as long.
inline long double rest_of_product(long double a, long double b, long double product) {
  static_assert(std::numeric_limits<long double>::digits == 64 ||
                std::numeric_limits<long double>::digits == 113);
  constexpr long double splitter =
      (std::uint64_t{1} << (std::numeric_limits<long double>::digits + 1) / 2) + 1;
  const auto upper = [](long double x) { return x * splitter - (x * splitter - x); };
  const long double a_upper = upper(a), a_lower = a - a_upper, b_upper = upper(b),
                    b_lower = b - b_upper;
  return a_upper * b_upper - product + a_upper * b_lower + a_lower * b_upper + a_lower * b_lower;
}

// Prefixes of other floats: a pair of 64-bit mantissas holds some 128 bits, with exponents beyond
// those of a double. What n roundings of that lose is far below the last place of a T.
template <class T, class Op>
class RoundedPrefix;

template <std::floating_point T>
class RoundedPrefix<T, Sum> {
 public:
  void add(T x) {
    take(x, 0);
    if (std::isfinite(x)) magnitude_ += std::abs(static_cast<long double>(x));
  }
  void add(const RoundedPrefix& more) {
    take(more.high_, more.low_);
    magnitude_ += more.magnitude_;
  }
  T exact() const { return static_cast<T>(std::isfinite(high_) ? high_ + low_ : high_); }
  double magnitude() const { return static_cast<double>(magnitude_); }

 private:
  void take(long double high, long double low) {
    const long double sum = high_ + high, part = sum - high_;
    low_ += (high_ - (sum - part)) + (high - part) + low;
    high_ = sum;
  }

  long double high_ = 0, low_ = 0, magnitude_ = 0;
};

template <std::floating_point T>
class RoundedPrefix<T, Product> {
 public:
  void add(T x) { take(x, 0); }
  void add(const RoundedPrefix& more) { take(more.high_, more.low_); }
  T exact() const { return static_cast<T>(std::isfinite(high_) ? high_ + low_ : high_); }
  double magnitude() const { return std::abs(static_cast<double>(exact())); }

 private:
  void take(long double high, long double low) {
    const long double product = high_ * high;
    low_ = low_ * high + high_ * low + rest_of_product(high_, high, product);
    high_ = product;
  }

  long double high_ = 1, low_ = 0;
};

template <class T, class Op>
constexpr bool may_be_rounded = is_float<T> &&
                                (std::is_same_v<Op, Sum> || std::is_same_v<Op, Product>);

template <class T, class Op>
bool is_rounded(const ProblemSpec& spec) {
  return may_be_rounded<T, Op> && !is_exact_in_any_order(spec.distribution);
}

constexpr std::uint64_t terms_of_first(ScanKind kind) {
  return kind == ScanKind::inclusive ? 1 : 0;
}

constexpr std::uint64_t piece_size = 1 << 16;

template <class T>
std::vector<T>& piece_of_this_thread() {
  thread_local std::vector<T> piece(piece_size);
  return piece;
}

// visit(k, values): of each piece of the input, on all cores.
template <class T, class Op>
void for_pieces(const Input<T, Op>& input, std::uint64_t n, std::uint64_t pieces,
                const auto& visit) {
  in_parallel(pieces, [&](std::uint64_t k) {
    const auto values =
        std::span(piece_of_this_thread<T>()).first(std::min(n - k * piece_size, piece_size));
    input(k * piece_size, values);
    visit(k, values);
  });
}

// What lies before each piece.
template <class Prefix, class T, class Op>
std::vector<Prefix> starts_of_pieces(const Input<T, Op>& input, std::uint64_t n) {
  const std::uint64_t pieces = (n + piece_size - 1) / piece_size;
  std::vector<Prefix> starts(pieces);
  if (pieces == 0) return starts;
  for_pieces(input, n, pieces - 1, [&](std::uint64_t k, std::span<const T> values) {
    Prefix all;
    for (const T x : values) all.add(x);
    starts[k + 1] = all;
  });
  for (std::uint64_t k = 1; k < pieces; ++k) {
    Prefix before = starts[k - 1];
    before.add(starts[k]);
    starts[k] = before;
  }
  return starts;
}

// visit(i, prefix): of each result. Pieces are visited on all cores, the results of a piece in
// order on one of them.
template <class Prefix, class T, class Op>
void for_results(const Input<T, Op>& input, std::uint64_t n, ScanKind kind, const auto& visit) {
  const auto starts = starts_of_pieces<Prefix>(input, n);
  for_pieces(input, n, starts.size(), [&](std::uint64_t k, std::span<const T> values) {
    Prefix prefix = starts[k];
    std::uint64_t i = k * piece_size;
    for (const T x : values) {
      if (kind == ScanKind::inclusive) prefix.add(x);
      visit(i, prefix);
      if (kind == ScanKind::exclusive) prefix.add(x);
      ++i;
    }
  });
}

template <class T, class Op>
Expected<T> expected(const Input<T, Op>& input, const ProblemSpec& spec, ScanKind kind) {
  Expected<T> all;
  all.exact.resize(spec.n);
  all.terms = terms_of_first(kind);
  all.depends_on_tree = std::is_same_v<Op, Sum>;
  all.is_exact_in_any_order = !is_rounded<T, Op>(spec);
  const auto fill_with = [&]<class Prefix>(Prefix) {
    all.magnitude.resize(spec.n);
    for_results<Prefix>(input, spec.n, kind, [&](std::uint64_t i, const Prefix& prefix) {
      all.exact[i] = prefix.exact();
      all.magnitude[i] = prefix.magnitude();
    });
  };
  using Number = Accumulator<T>;
  constexpr bool is_converted = !std::is_same_v<T, Number>;
  if (is_rounded<T, Op>(spec)) {
    if constexpr (may_be_rounded<T, Op>) fill_with(RoundedPrefix<Number, Op>());
  } else if constexpr (is_converted) {
    fill_with(MeasuredPrefix<Number>());
  } else {
    for_results<ExactPrefix<Number, Op>>(
        input, spec.n, kind,
        [&](std::uint64_t i, const auto& prefix) { all.exact[i] = prefix.exact(); });
  }
  return all;
}

// Of parts of what expected() has, without holding it.
template <class T, class Op>
std::vector<std::uint64_t> exact_checksums(const Input<T, Op>& input, std::uint64_t n,
                                           ScanKind kind, const std::vector<Stretch>& parts) {
  static_assert(piece_size % 2 == 0);
  std::vector<std::vector<ChecksumOf<T>>> of_piece(n / piece_size + 1,
                                                   std::vector<ChecksumOf<T>>(parts.size()));
  for_results<ExactPrefix<Accumulator<T>, Op>>(
      input, n, kind, [&](std::uint64_t i, const auto& prefix) {
        for (std::size_t p = 0; p < parts.size(); ++p)
          if (i - parts[p].first < parts[p].n)  // before it: a large number
            of_piece[i / piece_size][p].add(static_cast<T>(prefix.exact()), i - parts[p].first);
      });
  std::vector<std::uint64_t> sums(parts.size());
  for (const auto& piece : of_piece)
    for (std::size_t p = 0; p < parts.size(); ++p) sums[p] += piece[p].sum();
  return sums;
}

// one for each result: 16 to 32 times this many bytes
constexpr std::uint64_t most_heights = 1 << 24;

template <class T, ScanKind kind>
std::unique_ptr<Problem> leaves_of(const ProblemSpec& spec) {
  if (spec.n > most_heights) return nullptr;
  return leaves<HeightFor<T>, ScanArguments<HeightFor<T>>>(spec, reports::Output::one_per_element,
                                                           terms_of_first(kind));
}

template <class T, class Op, ScanKind kind>
std::unique_ptr<Problem> pose(const ProblemSpec& spec) {
  using Device = ScanArguments<T>;
  const Input<T, Op> input(spec.distribution, spec.n, spec.seed);
  typename TypedProblem<Device, T>::Checksums checksums;
  if (!is_rounded<T, Op>(spec))
    checksums = [&](const std::vector<Stretch>& parts) {
      return exact_checksums<T, Op>(input, spec.n, kind, parts);
    };
  return std::unique_ptr<Problem>(new TypedProblem<Device, T>(
      spec, std::vector<Generator<T>>{input}, reports::Output::one_per_element,
      of_one_array<Device, T>, [input, spec] { return expected<T, Op>(input, spec, kind); },
      [spec] { return leaves_of<T, kind>(spec); }, {}, checksums));
}

template <class T, ScanKind kind, class... Ops>
std::vector<Kind> kinds_of(TypeList<Ops...>) {
  return {{Ops::name, dtype_of<T>(), pose<T, Ops, kind>, Input<T, Ops>::distributions()}...};
}

template <ScanKind kind, class... Ts>
std::vector<std::vector<Kind>> kinds_for(TypeList<Ts...>) {
  return {kinds_of<Ts, kind>(ScanOperators<Ts>())...};
}

template <ScanKind kind>
RegisterOperation registered(std::string_view name, unsigned place) {
  return {{
              .name = std::string(name),
              .place = place,
              .output = reports::Output::one_per_element,
              .order_matters = true,
              // dyadic, of floats: every prefix is exact, and compared bit for bit at any length
              .usual_inputs = {"dyadic", "uniform"},
          },
          kinds_for<kind>(AllNumbers())};
}

const RegisterOperation inclusive = registered<ScanKind::inclusive>(InclusiveScan<float>::name, 3);
const RegisterOperation exclusive = registered<ScanKind::exclusive>(ExclusiveScan<float>::name, 4);

}  // namespace
}  // namespace ladder
