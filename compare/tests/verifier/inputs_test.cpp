// Inputs: the same every time, different for every seed, and suited to their operator.
#include "compare/operations/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "compare/checksum.hpp"
#include "compare/operation.hpp"
#include "compare/operations/reduce.hpp"
#include "compare/tests/catch.hpp"

using namespace ladder;

namespace {

template <class T, class Op>
std::vector<T> made(std::string_view distribution, std::uint64_t n, std::uint64_t seed) {
  std::vector<T> values(n);
  Input<T, Op>(distribution, n, seed)(0, values);
  return values;
}

// Combined as a random tree would: any two neighbours or strangers next.
template <class T, class Op>
T in_random_order(std::vector<T> values, std::mt19937_64& random) {
  while (values.size() > 1) {
    std::ranges::shuffle(values, random);
    const std::size_t half = values.size() / 2;
    const std::size_t folded = 1 + random() % half;
    for (std::size_t k = 0; k < folded; ++k)
      values[k] = Op()(values[k], values[values.size() - 1 - k]);
    values.resize(values.size() - folded);
  }
  return values.empty() ? Op::template identity<T>() : values[0];
}

// action.operator()<T, Op>()
template <class... Ops>
void for_each_operator(TypeList<Ops...>, const auto& action) {
  (action.template operator()<std::int32_t, Ops>(), ...);
  (action.template operator()<std::int64_t, Ops>(), ...);
  (action.template operator()<float, Ops>(), ...);
  (action.template operator()<double, Ops>(), ...);
}

template <class T>
bool same(T a, T b) {
  return a == b || (std::isnan(static_cast<double>(a)) && std::isnan(static_cast<double>(b)));
}

constexpr std::uint64_t sizes[] = {1, 2, 3, 100, 101, 1000, 65'537};

}  // namespace

TEST_CASE("every element is a pure function of its index, and every seed another input") {
  for_each_operator(Reduce<float>::operators(), []<class T, class Op> {
    for (const auto distribution : Input<T, Op>::distributions()) {
      INFO(Op::name << " of " << dtype_of<T>() << ", " << distribution);
      const Input<T, Op> input(distribution, 1000, 5);
      const auto whole = made<T, Op>(distribution, 1000, 5);
      std::vector<T> part(100);
      input(333, part);
      CHECK(std::ranges::equal(part, std::span(whole).subspan(333, 100), same<T>));
      const bool differs = !std::ranges::equal(whole, made<T, Op>(distribution, 1000, 6), same<T>);
      const bool is_neutral = distribution == "neutral" && !std::is_same_v<Op, LogicalAnd>;
      CHECK(differs == (distribution != "constant" && !is_neutral));
    }
  });
}

TEST_CASE("a piece of a long exact input is its elements one by one, wherever it begins") {
  const auto check = []<class T, class Op>(const char* distribution, std::uint64_t n,
                                           std::uint64_t first) {
    const Input<T, Op> input(distribution, n, 3);
    for (const std::uint64_t count : {0, 1, 4, 5, 6, 1000}) {
      INFO(Op::name << " of " << dtype_of<T>() << ", " << distribution << ", n = " << n << ", "
                    << count << " from " << first);
      std::vector<T> piece(std::min<std::uint64_t>(count, n - first), T(-7));
      input(first, piece);
      for (std::size_t k = 0; k < piece.size(); ++k) {
        T one = 0;
        input(first + k, {&one, 1});
        REQUIRE(piece[k] == one);
      }
    }
  };
  for (const char* distribution : {"dyadic", "subnormals"})
    for (const std::uint64_t n :
         {std::uint64_t{1001}, std::uint64_t{40'000'000}, std::uint64_t{1} << 48})
      for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{4},
                                        std::uint64_t{5}, std::uint64_t{7}, n - 3, n - 1000}) {
        check.operator()<float, Sum>(distribution, n, first);
        check.operator()<double, Sum>(distribution, n, first);
        check.operator()<float, Product>(distribution, n, first);
        check.operator()<double, Product>(distribution, n, first);
      }
}

// Published results were measured on these.
TEST_CASE("inputs stay as they are") {
  const auto checksum = []<class T, class Op>(const char* distribution, std::uint64_t n) {
    std::vector<T> piece(10'000);
    Input<T, Op>(distribution, n, 1)(n - piece.size(), piece);
    return checksum_on_host(piece.data(), piece.size() * sizeof(T));
  };
  CHECK(checksum.operator()<std::int32_t, Sum>("uniform", 65'536) == 0x924d49cfa367a1cb);
  CHECK(checksum.operator()<double, Sum>("uniform", 65'536) == 0xff1f4339e609af37);
  CHECK(checksum.operator()<float, Sum>("dyadic", 65'536) == 0x8977c817b930eb05);
  CHECK(checksum.operator()<float, Sum>("dyadic", 268'435'456) == 0xacd7bad9e1a61fca);
  CHECK(checksum.operator()<double, Sum>("dyadic", 268'435'456) == 0x8343ade40e880731);
  CHECK(checksum.operator()<float, Product>("dyadic", 65'536) == 0x93142e9a3b597748);
  CHECK(checksum.operator()<double, Product>("uniform", 65'536) == 0xe7871edf3f46b17e);
  CHECK(checksum.operator()<float, Max>("uniform", 65'536) == 0x10f13af79b7380a1);
  CHECK(checksum.operator()<std::int64_t, Compose>("uniform", 65'536) == 0xb2a1411ceee7dea2);
}

TEST_CASE("a distribution that does not suit is refused, with those that do") {
  const auto refusal = [](const char* op, const char* dtype,
                          const char* distribution) -> std::string {
    ProblemSpec spec;
    spec.distribution = distribution;
    spec.n = 1;
    try {
      find_kind("reduce", op, dtype)->pose(spec);
    } catch (const std::invalid_argument& refused) {
      return refused.what();
    }
    return "accepted";
  };
  CHECK(refusal("product", "i32", "dyadic") ==
        "the product of this element type takes no input distribution \"dyadic\"; it takes "
        "uniform, constant, one_hot, extremes");
  CHECK(refusal("min", "f32", "dyadic").starts_with("the min of"));
  CHECK(refusal("product", "f32", "extremes").starts_with("the product of"));
  CHECK(refusal("sum", "f64", "zipf").starts_with("the sum of"));
  for (const Kind& kind : kinds())
    if (kind.operation->name == "reduce") CHECK(kind.distributions.front() == "uniform");
}

TEST_CASE("there is an operation for each operator and type, and no other") {
  const auto kinds_of = [](const char* name) {
    return std::ranges::count(kinds(), name, [](const Kind& kind) { return kind.operation->name; });
  };
  CHECK(kinds_of("reduce") == 6 * 4 + 3 * 2);
  CHECK(kinds_of("inclusive_scan") == 4 * 4 + 1 + 2);
  CHECK(find_kind("reduce", "sum", "i32") != nullptr);
  CHECK(find_kind("reduce", "", "i32") == nullptr);
  CHECK(find_kind("reduce", "sum", "u8") == nullptr);
  CHECK(find_kind("scan", "sum", "i32") == nullptr);
}

TEST_CASE("glibc_bytes are those of rand() & 0xff after srand(seed), from any element on") {
  for (const unsigned seed : {1U, 2U, 0x80000001U, 4'000'000'000U}) {
    INFO("seed " << seed);
    const auto whole = made<std::int32_t, Sum>("glibc_bytes", 5000, seed);
    srand(seed);
    for (std::size_t i = 0; i < whole.size(); ++i) REQUIRE(whole[i] == (rand() & 0xff));
    for (const std::uint64_t first : {1, 30, 31, 32, 4999}) {
      std::int32_t one = -1;
      Input<std::int32_t, Sum>("glibc_bytes", 5000, seed)(first, {&one, 1});
      CHECK(one == whole[first]);
    }
  }
}

TEST_CASE("the sum of the first 2^24 glibc_bytes is the one that note N4 has") {
  CHECK(std::ranges::count(find_kind("reduce", "sum", "i32")->distributions, "glibc_bytes") == 1);
  std::vector<std::int32_t> piece(1 << 16);
  std::int64_t sum = 0;
  for (std::uint64_t first = 0; first < 1 << 24; first += piece.size()) {
    Input<std::int32_t, Sum>("glibc_bytes", 1 << 24, 1)(first, piece);
    sum = std::accumulate(piece.begin(), piece.end(), sum);
  }
  CHECK(sum == 2'139'353'471);
}

TEST_CASE("neither or nor and is settled by the first elements that come") {
  const auto check = [](const auto& values, bool common) {
    const auto rare = std::ranges::count_if(values, [&](auto x) { return (x != 0) != common; });
    CHECK(rare < 12);  // one on average
    return rare != 0;
  };
  unsigned with_or = 0, with_and = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const char* distribution : {"uniform", "extremes"}) {
      with_or += check(made<float, LogicalOr>(distribution, 10'000, seed), false) ? 1U : 0U;
      with_and += check(made<std::int32_t, LogicalAnd>(distribution, 10'000, seed), true) ? 1U : 0U;
    }
  }
  for (const unsigned with : {with_or, with_and}) {  // both answers come up
    CHECK(with > 20);
    CHECK(with < 70);
  }
}

TEST_CASE("min and max are not settled by the first elements of an extreme input") {
  unsigned infinite = 0, finite = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto values = made<float, Min>("extremes", 10'000, seed);
    const float least = *std::ranges::min_element(values);
    CHECK(std::ranges::count(values, least) < 5'100);
    ++(std::isinf(least) ? infinite : finite);
    const auto integers = made<std::int64_t, Max>("extremes", 10'000, seed);
    CHECK(std::ranges::count(integers, std::numeric_limits<std::int64_t>::max()) < 12);
  }
  CHECK(infinite > 5);
  CHECK(finite > 5);
}

TEST_CASE("products neither vanish nor leave the range of their type, whatever is combined first") {
  for (const std::uint64_t n : sizes) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      for (const char* distribution : {"uniform", "constant", "extremes", "one_hot"})
        for (const std::int32_t x : made<std::int32_t, Product>(distribution, n, seed))
          CHECK(x % 2 != 0);  // odd: no power of two builds up
      for (const char* distribution : {"uniform", "constant", "dyadic"}) {
        // binary logarithms: the largest and the least of all partial products
        double up = 0, down = 0;
        for (const float x : made<float, Product>(distribution, n, seed))
          (std::abs(x) > 1 ? up : down) += std::log2(std::abs(x));
        CHECK(up < 126);
        CHECK(down > -126);
      }
    }
  }
  const auto values = made<float, Product>("uniform", 1'000'000, 1);
  // and yet not all ones
  CHECK(std::ranges::count_if(values, [](float x) { return std::abs(x) == 1; }) < 50'000);
}

TEST_CASE("the inputs said to be exact in every order are") {
  std::mt19937_64 random(7);
  const auto check = [&]<class T, class Op>(const char* distribution) {
    for (const std::uint64_t n : sizes) {
      INFO(Op::name << " of " << dtype_of<T>() << ", " << distribution << ", " << n);
      const auto values = made<T, Op>(distribution, n, n);
      const T first = in_random_order<T, Op>(values, random);
      for (int order = 0; order < 5; ++order)
        CHECK(in_random_order<T, Op>(values, random) == first);
      CHECK(std::accumulate(values.begin(), values.end(), Op::template identity<T>(), Op()) ==
            first);
    }
  };
  for (const char* distribution : {"dyadic", "subnormals"}) {
    check.operator()<float, Sum>(distribution);
    check.operator()<double, Sum>(distribution);
    check.operator()<float, Product>(distribution);
    check.operator()<double, Product>(distribution);
  }
}

TEST_CASE("dyadic sums stay within the integers of their type, for long inputs too", "[many]") {
  for (const std::uint64_t n :
       {1000ULL, 5'000'000ULL, (1ULL << 24) - 1, 1ULL << 24, 40'000'000ULL}) {
    const Input<float, Sum> input("dyadic", n, 3);
    std::vector<float> piece(1 << 16);
    double sum = 0;
    std::uint64_t non_zero = 0;
    for (std::uint64_t first = 0; first < n; first += piece.size()) {
      const auto values = std::span(piece).first(std::min<std::uint64_t>(piece.size(), n - first));
      input(first, values);
      for (const float x : values) sum += std::abs(static_cast<double>(x)) * 0x1p12;
      non_zero +=
          static_cast<std::uint64_t>(std::ranges::count_if(values, [](float x) { return x != 0; }));
    }
    INFO(n);
    CHECK(sum < 0x1p24);
    CHECK(non_zero >= std::min<std::uint64_t>(n, 1 << 22));
  }
}

TEST_CASE("which elements of a long dyadic input are not zero, the seed decides") {
  const auto non_zeros = [](std::uint64_t seed) {
    std::vector<float> values(1000);
    Input<float, Sum>("dyadic", 40'000'000, seed)(0, values);
    std::vector<bool> mask;
    for (const float x : values) mask.push_back(x != 0);
    return mask;
  };
  CHECK(std::ranges::count(non_zeros(1), true) == 200);  // one of every five
  CHECK(non_zeros(1) != non_zeros(2));
}

TEST_CASE("one element is hot, and it decides") {
  for_each_operator(Reduce<float>::operators(), []<class T, class Op> {
    for (const std::uint64_t seed : {0, 31, 999, 1000}) {
      INFO(Op::name << " of " << dtype_of<T>() << ", seed " << seed);
      auto values = made<T, Op>("one_hot", 1000, seed);
      const auto folded = [&] {
        return std::accumulate(values.begin(), values.end(), Op::template identity<T>(), Op());
      };
      const T with = folded();
      values[seed % 1000] = Op::template identity<T>();
      CHECK(folded() == Op::template identity<T>());
      CHECK(with != Op::template identity<T>());
      // a fold that starts from 0 shows
      if (std::is_same_v<Op, Min> || std::is_same_v<Op, Max>) CHECK(Op()(with, T(0)) == T(0));
    }
  });
}

namespace {

template <class Op, class T>
T combined(const std::vector<T>& values) {
  return std::accumulate(values.begin(), values.end(), Op::template identity<T>(), Op());
}

// action.operator()<T, Op>(), of the operators that have an input of this name
void for_each_that_has(std::string_view distribution, const auto& action) {
  for_each_operator(Reduce<float>::operators(), [&]<class T, class Op> {
    if (std::ranges::count(Input<T, Op>::distributions(), distribution) == 0) return;
    INFO(Op::name << " of " << dtype_of<T>());
    action.template operator()<T, Op>();
  });
}

}  // namespace

TEST_CASE("neutral elements leave the identity, and are all that is neutral") {
  unsigned kinds = 0, infinite = 0;
  for_each_that_has("neutral", [&]<class T, class Op> {
    ++kinds;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const auto values = made<T, Op>("neutral", 100, seed);
      CHECK(combined<Op>(values) == Op::template identity<T>());
      infinite += std::ranges::all_of(values, [](T x) { return std::isinf(double(x)); }) ? 1U : 0U;
      if (std::is_same_v<Op, LogicalOr> && std::is_floating_point_v<T>) {
        const auto negative =
            std::ranges::count_if(values, [](T x) { return std::signbit(double(x)); });
        CHECK((negative > 20 && negative < 80));
      }
    }
  });
  CHECK(kinds == 4 * 4);         // min, max, or, and
  CHECK(infinite == 2 * 2 * 5);  // min and max of floats
}

TEST_CASE("of min and max, special values are the ends of the type: alone, or one among others") {
  const auto check = [&]<class T, class Op>(T loses, T wins) {
    for (const std::uint64_t seed : {3, 4, 5}) {
      const auto values = made<T, Op>("specials", 100, seed);
      const auto winning = std::ranges::count(values, wins),
                 losing = std::ranges::count(values, loses);
      CHECK(winning == (seed == 3 ? 1 : seed == 4 ? 0 : 100));
      CHECK(losing == (seed == 4 ? 1 : 0));
      CHECK((combined<Op>(values) == wins) == (seed != 4));
    }
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  using Limits = std::numeric_limits<std::int64_t>;
  check.operator()<float, Min>(infinity, -infinity);
  check.operator()<float, Max>(-infinity, infinity);
  check.operator()<std::int64_t, Min>(Limits::max(), Limits::min());
  check.operator()<std::int64_t, Max>(Limits::min(), Limits::max());
}

TEST_CASE("sorted values end with the one that decides, or begin with it, and have both signs") {
  for_each_that_has("sorted", [&]<class T, class Op> {
    for (const std::uint64_t n : sizes) {
      auto values = made<T, Op>("sorted", n, 1);
      CHECK(combined<Op>(values) == values.back());
      if (n <= 1000)  // of more, neighbours may be equal
        CHECK(std::ranges::adjacent_find(values) == values.end());
      CHECK((std::ranges::is_sorted(values) || std::ranges::is_sorted(values, std::greater())));
      if (n > 2) CHECK((values.front() < 0) != (values.back() < 0));
      const auto other = made<T, Op>("sorted", n, 2);
      std::ranges::reverse(values);
      CHECK(other == values);
    }
  });
}

TEST_CASE("of logical operators, special truths are NaN, infinite or subnormal, and decide") {
  unsigned kinds = 0;
  for_each_that_has("specials", [&]<class T, class Op> {
    if constexpr (std::is_same_v<Op, LogicalOr> || std::is_same_v<Op, LogicalAnd>) {
      ++kinds;
      std::set<std::string> truths;
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const auto values = made<T, Op>("specials", 100, seed);
        for (const T x : values)
          if (x != 0) truths.insert(std::to_string(x) + (std::abs(x) < 1 ? "tiny" : ""));
        const auto zeros = std::ranges::count(values, T(0));
        CHECK(zeros == (std::is_same_v<Op, LogicalOr> ? 99 : seed % 2 == 1 ? 1 : 0));
        CHECK(combined<Op>(values) == T(std::is_same_v<Op, LogicalOr> || seed % 2 == 0));
      }
      CHECK(truths.size() == 5);
    }
  });
  CHECK(kinds == 2 * 2);
}

TEST_CASE("extreme sums of floats overflow in every order or in none") {
  std::mt19937_64 random(8);
  for (const std::uint64_t n : {2, 3, 100, 1001}) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const auto values = made<float, Sum>("extremes", n, seed);
      for (int order = 0; order < 10; ++order) {
        const float sum = in_random_order<float, Sum>(values, random);
        CHECK(std::isinf(sum) == (seed % 2 == 1));
        CHECK((std::isinf(sum) || std::abs(sum) < 1e-30F));
      }
    }
  }
}

TEST_CASE("special values come to the same in every order, and to each kind of result") {
  std::mt19937_64 random(9);
  const auto check = [&]<class Op>(Op, unsigned expected_nans) {
    std::set<std::string> results;
    unsigned nans = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto values = made<float, Op>("specials", 1000, seed);
      const float first = in_random_order<float, Op>(values, random);
      nans += std::isnan(first) ? 1U : 0U;
      results.insert(std::isnan(first) ? "nan" : std::to_string(first));
      for (int order = 0; order < 5; ++order)
        CHECK(same(in_random_order<float, Op>(values, random), first));
    }
    CHECK(results == std::set<std::string>{"nan", "inf", "-inf"});
    CHECK(nans == expected_nans);
  };
  check(Sum(), 3 * 4);      // of every five seeds three: NaN, inf - inf, and inf + NaN
  check(Product(), 2 * 4);  // two: NaN, and inf * 0
}

TEST_CASE("what cancels is far larger than what is left") {
  for (const std::uint64_t n : {2, 3, 1000, 1001}) {
    const auto values = made<double, Sum>("cancellation", n, 1);
    long double sum = 0, magnitude = 0;
    for (const double x : values) sum += x, magnitude += std::abs(x);
    CHECK(std::abs(sum) * 2 < magnitude);
    for (std::size_t k = 0; k < n / 2; ++k) CHECK(std::abs(values[k] + values[n - 1 - k]) <= 1);
  }
}
