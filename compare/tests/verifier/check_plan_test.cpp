// What check-kernels runs by default, of the operations as they are: each two things that it varies
// meet, and the values at which implementations of an operator break are among its inputs. Loops
// with one mistake stand for kernels.
#include "compare/driver/plan/check_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "compare/operation.hpp"
#include "compare/operations/dot.hpp"
#include "compare/operations/histogram.hpp"
#include "compare/operations/reduce.hpp"
#include "compare/operations/scan.hpp"
#include "compare/tests/catch.hpp"
#include "reports/model/element_types.hpp"
#include "reports/text/lists.hpp"

using namespace ladder;

namespace {

Backend backend_of_all() {
  Backend all;
  for (const Kind& kind : kinds())
    all.kinds.push_back({kind.operation->name,
                         std::string(kind.op),
                         std::string(kind.dtype),
                         {kind.distributions.begin(), kind.distributions.end()},
                         kind.operation->usual_bins,
                         reports::most_bins(*kind.operation, std::string(kind.dtype))});
  return all;
}

// The check varies these.
std::vector<Kind> kinds_of_check() {
  return reports::only(
      kinds(), [](const Kind& kind) { return reports::is_accumulated_as_it_is(kind.dtype); });
}

// Of a rung of these types and operators; empty: of all.
std::vector<CheckRun> runs_by_default(const std::string& operation,
                                      std::vector<std::string> dtypes = {},
                                      std::vector<std::string> operators = {},
                                      std::uint64_t seed = 1) {
  protocol::Listing rung;
  rung.operation = operation;
  rung.dtypes = std::move(dtypes);
  rung.operators = std::move(operators);
  Selection selection;
  selection.seed = seed;
  return runs_of(rung, backend_of_all(), selection, false);
}

std::vector<CheckRun> runs_over_devices(const std::string& operation,
                                        const Selection& selection = {}) {
  protocol::Listing rung;
  rung.operation = operation;
  rung.over_devices = true;
  Backend backend = backend_of_all();
  backend.devices = 8;
  return runs_of(rung, backend, selection, false);
}

// Of runs with several elements, what is varied, by name.
using Varied = std::map<std::string, std::string>;

std::vector<Varied> varied(const std::vector<CheckRun>& runs) {
  std::vector<Varied> all;
  for (const auto& [p, multiprocessors, few] : runs)
    if (p.n > 1)
      all.push_back({{"operator and type", p.op + ' ' + p.dtype},
                     {"values", p.distribution},
                     {"size", std::to_string(p.n)},
                     {"bins", std::to_string(p.bins)},
                     {"offset", std::to_string(p.offset)},
                     {"multiprocessors", std::to_string(multiprocessors)}});
  return all;
}

// "type x has not met size y", for each two such levels that are wanted.
std::set<std::string> strangers(
    const std::vector<Varied>& runs, const std::map<std::string, std::set<std::string>>& wanted,
    const std::function<bool(const std::string& kind, const std::string& other)>& fit) {
  std::set<std::string> missing;
  for (const auto& [factor, levels] : wanted)
    for (const auto& [other, other_levels] : wanted)
      for (const std::string& a : levels)
        for (const std::string& b : other_levels) {
          if (other <= factor || !fit(a, b) || !fit(b, a)) continue;
          // clang 14 captures no structured bindings
          if (std::ranges::none_of(runs, [&, &one = factor, &two = other](const Varied& run) {
                return run.at(one) == a && run.at(two) == b;
              }))
            missing.insert(factor + ' ' + a + " has not met " + other + ' ' + b);
        }
  return missing;
}

std::set<std::string> strangers_of(const std::string& operation, const std::vector<Varied>& runs) {
  std::map<std::string, std::set<std::string>> wanted{
      {"size", {"129", "257"}},
      {"offset", {"0", "1", "2", "3"}},
      {"multiprocessors", {"2", "3"}},
      {"bins", operation == "histogram" ? std::set<std::string>{"256", "37", "1021"}
                                        : std::set<std::string>{"0"}}};
  std::map<std::string, std::set<std::string>> takes;
  for (const Kind& kind : kinds_of_check()) {
    if (kind.operation->name != operation) continue;
    const std::string name = std::string(kind.op) + ' ' + std::string(kind.dtype);
    wanted["operator and type"].insert(name);
    for (const std::string_view distribution : kind.distributions) {
      wanted["values"].emplace(distribution);
      takes[name].emplace(distribution);
    }
  }
  return strangers(runs, wanted, [&](const std::string& kind, const std::string& other) {
    if (!takes.contains(kind)) return true;
    if (wanted["values"].contains(other)) return takes[kind].contains(other);
    return !(kind == " u8" && other == "1021");
  });
}

}  // namespace

TEST_CASE("check-kernels: each two of what is varied meet, of every operation") {
  for (const reports::Operation& operation : operations()) {
    INFO(operation.name);
    CHECK(strangers_of(operation.name, varied(runs_by_default(operation.name))) ==
          std::set<std::string>());
  }
}

TEST_CASE("check-kernels: two that do not meet are noticed") {
  std::vector<Varied> runs = varied(runs_by_default("reduce"));
  std::erase_if(runs, [](const Varied& run) {
    return run.at("operator and type") == "min f64" && run.at("values") == "neutral";
  });
  CHECK(strangers_of("reduce", runs) ==
        std::set<std::string>{"operator and type min f64 has not met values neutral"});
}

TEST_CASE("check-kernels: what is converted has one displaced run, unless it is chosen or alone") {
  const auto of = [](const std::vector<CheckRun>& runs, const char* dtype) {
    return reports::only(runs, [&](const CheckRun& run) { return run.problem.dtype == dtype; });
  };
  for (const char* dtype : {"f16", "bf16"}) {
    const auto by_default = of(runs_by_default("dot"), dtype);
    REQUIRE(by_default.size() == 1);
    CHECK(by_default[0].problem.n == 257);
    CHECK(by_default[0].problem.offset == 1);
    CHECK(by_default[0].in_few_orders);
    CHECK(of(runs_by_default("dot", {dtype}), dtype).size() > 10);
    Selection chosen;
    chosen.dtypes = {dtype};
    protocol::Listing rung;
    rung.operation = "dot";
    CHECK(of(runs_of(rung, backend_of_all(), chosen, false), dtype).size() > 1);
  }
}

TEST_CASE("check-kernels: every type and operator has nothing and one element") {
  for (const Kind& kind : kinds_of_check())
    for (const std::uint64_t n : {0, 1}) {
      INFO(kind.operation->name << ' ' << kind.op << ' ' << kind.dtype << ' ' << n);
      CHECK(std::ranges::any_of(runs_by_default(kind.operation->name), [&](const CheckRun& run) {
        return run.problem.op == kind.op && run.problem.dtype == kind.dtype && run.problem.n == n;
      }));
    }
}

TEST_CASE("check-kernels: every size over one, two and three devices, in all orders over three") {
  std::map<unsigned, std::set<std::uint64_t>> sizes, in_all_orders;
  std::set<std::string> empty, several_blocks;
  for (const auto& [p, multiprocessors, few] : runs_over_devices("exclusive_scan")) {
    sizes[p.devices].insert(p.n);
    if (!few) in_all_orders[p.devices].insert(p.n);
    if (p.n == 0) empty.insert(p.op + ' ' + p.dtype);
    if (p.n == 10'007) several_blocks.insert(p.op);
    if (p.n == 40'009) CHECK(p.dtype == "i64");
  }
  const std::set<std::uint64_t> usual{0, 1, 1'024, 1'025, 4'095, 10'007};
  std::set<std::uint64_t> over_three = usual;
  over_three.insert({2, 129, 257, 40'009});
  CHECK(sizes ==
        std::map<unsigned, std::set<std::uint64_t>>{{1, usual}, {2, usual}, {3, over_three}});
  CHECK(in_all_orders == std::map<unsigned, std::set<std::uint64_t>>{{3, {0, 1, 1'025, 10'007}}});
  CHECK(several_blocks.contains("compose"));
  for (const Kind& kind : kinds_of_check()) {
    if (kind.operation->name != "exclusive_scan") continue;
    INFO(kind.op << ' ' << kind.dtype);
    const bool is_varied = kind.op == "sum" || kind.op == "compose" || kind.dtype == "i32";
    CHECK(empty.contains(std::string(kind.op) + ' ' + std::string(kind.dtype)) == is_varied);
  }

  // where nothing else has it, i32 does
  Selection of_i32;
  of_i32.dtypes = {"i32"};
  CHECK(std::ranges::any_of(runs_over_devices("exclusive_scan", of_i32),
                            [](const CheckRun& run) { return run.problem.n == 40'009; }));
  Selection of_two;
  of_two.devices = 2;
  CHECK(std::ranges::any_of(runs_over_devices("exclusive_scan", of_two),
                            [](const CheckRun& run) { return !run.in_few_orders; }));
}

TEST_CASE(
    "check-kernels: every type and operator has each of its special values, and each place of a "
    "hot element") {
  for (const Kind& kind : kinds_of_check()) {
    INFO(kind.operation->name << ' ' << kind.op << ' ' << kind.dtype);
    std::set<std::uint64_t> specials, hot, from_end;
    for (const auto& [p, multiprocessors, few] : runs_by_default(kind.operation->name)) {
      if (p.op != kind.op || p.dtype != kind.dtype || p.n < 2) continue;
      for (const std::uint64_t seed : {p.seed, p.seed + 1}) {
        if (p.distribution == "specials") specials.insert(seed % 5);
        if (p.distribution != "one_hot") continue;
        hot.insert(seed % p.n);
        from_end.insert(p.n - seed % p.n);
      }
    }
    const bool has_specials = std::ranges::count(kind.distributions, "specials") > 0;
    CHECK(specials.size() == (has_specials ? 5U : 0U));
    if (std::ranges::count(kind.distributions, "one_hot") == 0) continue;
    for (const std::uint64_t place : {0, 31, 32}) CHECK(hot.contains(place));
    CHECK(from_end.contains(1));
  }
}

namespace {

template <class T>
using DotArguments = typename Dot<T>::Device;
template <class T>
using HistogramArguments = typename Histogram<T>::Device;

// The runs that show that `answer` is wrong, which takes the arguments of a problem.
template <template <class> class Arguments, class... Ts>
unsigned wrong_runs(const char* operation, const char* op, TypeList<Ts...>, const auto& answer,
                    std::uint64_t seed = 1) {
  unsigned wrong = 0;
  std::vector<std::string> operators{op};
  std::erase(operators, "");  // there is none
  for (const CheckRun& run :
       runs_by_default(operation, {std::string(dtype_of<Ts>())...}, operators, seed)) {
    // those of the check that have more elements take long and no other values
    if (run.problem.n > 10'007) continue;
    for (const unsigned next : {0, 1}) {
      ProblemSpec spec = run.problem;
      spec.seed += next;
      const auto problem = find_kind(spec.operation, spec.op, spec.dtype)->pose(spec);
      const auto run_as = [&]<class T>(T) {
        if (spec.dtype == dtype_of<T>())
          answer(*static_cast<const Arguments<T>*>(problem->device()));
      };
      (run_as(Ts()), ...);
      wrong += problem->check(Contract::device_result, {}).pass ? 0U : 1U;
    }
  }
  return wrong;
}

template <template <class> class Arguments>
void check_found(const char* operation, const char* op, auto types, const auto& mistake,
                 const auto& twin, std::uint64_t seeds_that_find_it = 50) {
  INFO(operation << ' ' << op);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    if (seed <= seeds_that_find_it)
      CHECK(wrong_runs<Arguments>(operation, op, types, mistake, seed) > 0);
    CHECK(wrong_runs<Arguments>(operation, op, types, twin, seed) == 0);
  }
}

using Integers = TypeList<std::int32_t, std::int64_t>;
using Floats = TypeList<float, double>;

// As kernels do it: partial results of threads that begin with `first`, and a tail that is padded
// with `padding`.
template <class T>
T folded_from(const ReduceArguments<T>& d, const auto& combine, T first, T padding) {
  constexpr std::size_t threads = 64;
  T total = first;
  for (std::size_t t = 0; t < threads; ++t) {
    T mine = first;
    for (std::size_t i = t; i < (d.n + threads - 1) / threads * threads; i += threads)
      mine = combine(mine, i < d.n ? d.in[i] : padding);
    total = combine(total, mine);
  }
  return total;
}

// first(T()), padding(T()): of every type.
template <class Op>
auto extreme(const auto& first, const auto& padding) {
  return [=]<class T>(const ReduceArguments<T>& d) {
    *d.out =
        d.n == 0 ? Op::template identity<T>() : folded_from<T>(d, Op(), first(T()), padding(T()));
  };
}

constexpr auto largest = []<class T>(T) { return std::numeric_limits<T>::max(); };
constexpr auto lowest = []<class T>(T) { return std::numeric_limits<T>::lowest(); };
constexpr auto largest_float = []<class T>(T) {
  return static_cast<T>(std::numeric_limits<float>::max());
};
constexpr auto lowest_float = []<class T>(T) {
  return static_cast<T>(std::numeric_limits<float>::lowest());
};
constexpr auto half_of_largest = []<class T>(T) { return std::numeric_limits<T>::max() / 2; };
constexpr auto half_of_lowest = []<class T>(T) { return std::numeric_limits<T>::lowest() / 2; };
constexpr auto nought = []<class T>(T) { return T(0); };
constexpr auto neutral_of_min = []<class T>(T) { return Min::identity<T>(); };
constexpr auto neutral_of_max = []<class T>(T) { return Max::identity<T>(); };

void check_extreme(auto types, const auto& first, const auto& padding, auto op) {
  using Op = decltype(op);
  const auto neutral = []<class T>(T) { return Op::template identity<T>(); };
  check_found<ReduceArguments>("reduce", Op::name.data(), types, extreme<Op>(first, padding),
                               extreme<Op>(neutral, neutral));
}

}  // namespace

TEST_CASE("check-kernels: an extreme value that starts from, or is padded with, another is found") {
  check_extreme(Floats(), largest, neutral_of_min, Min());
  check_extreme(TypeList<double>(), largest_float, neutral_of_min, Min());
  check_extreme(Integers(), half_of_largest, neutral_of_min, Min());
  check_extreme(Numbers(), nought, neutral_of_min, Min());
  check_extreme(Floats(), lowest, neutral_of_max, Max());
  check_extreme(TypeList<double>(), lowest_float, neutral_of_max, Max());
  check_extreme(Integers(), half_of_lowest, neutral_of_max, Max());
  check_extreme(Numbers(), nought, neutral_of_max, Max());
  check_extreme(Floats(), neutral_of_min, largest, Min());
  check_extreme(Numbers(), neutral_of_max, nought, Max());
  // the least positive float, which is taken for the lowest one
  check_extreme(
      Floats(), []<class T>(T) { return std::numeric_limits<T>::min(); }, neutral_of_max, Max());
}

TEST_CASE("check-kernels: a mistake in the last element, or in the first, is found") {
  const auto without = [](bool last) {
    return [=]<class T>(const ReduceArguments<T>& d) {
      const std::size_t first = last || d.n < 2 ? 0 : 1, n = d.n < 2 ? d.n : d.n - 1;
      *d.out =
          folded_from<T>({d.in + first, n, d.out}, Min(), neutral_of_min(T()), neutral_of_min(T()));
    };
  };
  const auto twin = extreme<Min>(neutral_of_min, neutral_of_min);
  check_found<ReduceArguments>("reduce", "min", TypeList<float>(), without(true), twin);
  check_found<ReduceArguments>("reduce", "min", TypeList<std::int32_t>(), without(false), twin);
}

TEST_CASE("check-kernels: a minimum that leaves an infinity out is found") {
  const auto skips = []<class T>(const ReduceArguments<T>& d) {
    *d.out = folded_from<T>(
        d, [](T a, T b) { return std::isinf(b) ? a : Min()(a, b); }, neutral_of_min(T()),
        neutral_of_min(T()));
  };
  check_found<ReduceArguments>("reduce", "min", TypeList<float>(), skips,
                               extreme<Min>(neutral_of_min, neutral_of_min));
}

TEST_CASE("check-kernels: a logical operator that takes other values for true is found") {
  const auto any = [](const auto& is_true) {
    return [=]<class T>(const ReduceArguments<T>& d) {
      *d.out = T(std::any_of(d.in, d.in + d.n, is_true));
    };
  };
  const auto all = [](const auto& is_true) {
    return [=]<class T>(const ReduceArguments<T>& d) {
      *d.out = T(std::all_of(d.in, d.in + d.n, is_true));
    };
  };
  const auto right = [](auto x) { return x != 0; };
  const auto check = [&](auto types, const auto& is_true) {
    // an integer whose low half is 0 may be missing
    check_found<ReduceArguments>("reduce", "logical_or", types, any(is_true), any(right), 1);
    check_found<ReduceArguments>("reduce", "logical_and", types, all(is_true), all(right), 1);
  };
  // NaN is true, -0 is not, and the least subnormal is
  check(Floats(), [](auto x) { return x > 0 || x < 0; });
  check(Floats(), [](auto x) { return std::signbit(x) || x != 0; });
  check(Floats(), []<class T>(T x) { return !(std::abs(x) < std::numeric_limits<T>::min()); });
  check(Numbers(), [](auto x) { return x > 0; });
  check(TypeList<std::int64_t>(), [](auto x) { return static_cast<std::int32_t>(x) != 0; });
  // infinity times 0 is NaN
  const auto product = []<class T>(const ReduceArguments<T>& d) {
    T total = 1;
    for (std::size_t i = 0; i < d.n; ++i) total = total * d.in[i] != 0 ? T(1) : T(0);
    *d.out = total;
  };
  check_found<ReduceArguments>("reduce", "logical_and", TypeList<float>(), product, all(right));
}

TEST_CASE("check-kernels: an exclusive scan that takes the element off again is found") {
  const auto scan = [](const auto& takes_off) {
    return [=]<class T>(const ScanArguments<T>& d) {
      T before = 0;
      for (std::size_t i = 0; i < d.n; ++i) {
        const T through = Sum()(before, d.in[i]);
        d.out[i] = takes_off(T()) ? Sum()(through, Product()(T(-1), d.in[i])) : before;
        before = through;
      }
    };
  };
  const auto never = []<class T>(T) { return false; };
  const auto always = []<class T>(T) { return true; };
  check_found<ScanArguments>("exclusive_scan", "sum", TypeList<float>(), scan(always), scan(never));
  check_found<ScanArguments>("exclusive_scan", "sum", TypeList<double>(), scan(always),
                             scan(never));
  // right for integers, the usual type of a rung that has both
  using Both = TypeList<std::int32_t, float>;
  check_found<ScanArguments>("exclusive_scan", "sum", Both(), scan(always), scan(never));
  CHECK(wrong_runs<ScanArguments>("exclusive_scan", "sum", Integers(), scan(always)) == 0);
}

TEST_CASE("check-kernels: a sum that makes NaN of infinities, or is too narrow, is found") {
  const auto kahan = [](bool knows_infinities) {
    return [=]<class T>(const ReduceArguments<T>& d) {
      T sum = 0, lost = 0;
      for (std::size_t i = 0; i < d.n; ++i) {
        const T x = d.in[i] - lost, more = sum + x;
        lost = more - sum - x;
        if (knows_infinities && !std::isfinite(lost)) lost = 0;
        sum = more;
      }
      *d.out = sum;
    };
  };
  check_found<ReduceArguments>("reduce", "sum", Floats(), kahan(false), kahan(true));
  const auto narrow = []<class Narrow>(Narrow) {
    return [=]<class T>(const ReduceArguments<T>& d) {
      Narrow sum = 0;
      for (std::size_t i = 0; i < d.n; ++i) sum = Sum()(sum, static_cast<Narrow>(d.in[i]));
      *d.out = static_cast<T>(sum);
    };
  };
  check_found<ReduceArguments>("reduce", "sum", TypeList<std::int64_t>(), narrow(std::int32_t()),
                               narrow(std::int64_t()));
  check_found<ReduceArguments>("reduce", "sum", TypeList<double>(), narrow(float()),
                               narrow(double()));
}

TEST_CASE("check-kernels: a compensated dot product that overflows to NaN is found") {
  const auto dot2 = [](bool knows_infinities) {
    return [=](const auto& d) {
      using T = std::remove_reference_t<decltype(*d.out)>;
      T sum = 0, lost = 0;
      for (std::size_t i = 0; i < d.n; ++i) {
        const T product = d.a[i] * d.b[i];
        sum += product;
        // NaN or infinite, as from here on what is lost is
        if (std::isinf(d.a[i]) || std::isnan(d.a[i])) continue;
        lost += std::fma(d.a[i], d.b[i], -product);
      }
      *d.out = knows_infinities && !std::isfinite(sum) ? sum : sum + lost;
    };
  };
  check_found<DotArguments>("dot", "", Floats(), dot2(false), dot2(true));
}

TEST_CASE("check-kernels: a histogram wrong in one bin, and there only where nothing is aligned") {
  const auto histogram = [](const auto& loses) {
    return [=](const auto& d) {
      std::fill_n(d.out, d.bins, 0);
      for (std::size_t i = 0; i < d.n; ++i)
        if (!loses(d, d.in[i])) ++d.out[d.in[i]];
    };
  };
  const auto right = histogram([](const auto&, auto) { return false; });
  using Types = TypeList<std::int32_t, std::uint8_t>;
  const auto is_displaced = [](const auto& d) {
    return reinterpret_cast<std::uintptr_t>(d.in) % 16 != 0;
  };
  const auto last_bin = [=](const auto& d, auto x) {
    return is_displaced(d) && static_cast<unsigned>(x) + 1 == d.bins;
  };
  check_found<HistogramArguments>("histogram", "", Types(), histogram(last_bin), right);
  // bins that a last warp does not have as many lanes for
  const auto few_bins = [=](const auto& d, auto x) {
    return is_displaced(d) && d.bins % 32 != 0 && static_cast<unsigned>(x) == d.bins / 32 * 32;
  };
  check_found<HistogramArguments>("histogram", "", Types(), histogram(few_bins), right);
  const auto signed_byte = [](const auto& d, auto x) { return d.bins == 256 && x > 127; };
  check_found<HistogramArguments>("histogram", "", TypeList<std::uint8_t>(), histogram(signed_byte),
                                  right);
}
