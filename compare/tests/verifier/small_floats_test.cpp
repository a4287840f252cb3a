// Floats of two bytes: their conversions, their inputs, and the judgement of answers in them.
#include "compare/small_floats.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "compare/elements.hpp"
#include "compare/operations/dot.hpp"
#include "compare/operations/inputs.hpp"
#include "compare/operations/reduce.hpp"
#include "compare/operations/scan.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "compare/problem/expected.hpp"
#include "compare/tests/catch.hpp"

using namespace ladder;

namespace {

// What these bits are, from the definition of the format.
template <class T>
double by_definition(unsigned bits) {
  constexpr int fraction = std::numeric_limits<T>::digits - 1,
                bias = std::numeric_limits<T>::max_exponent - 1;
  const int exponent = static_cast<int>((bits & 0x7fff) >> fraction);
  const double part = bits & ((1U << fraction) - 1);
  const double size = exponent == 0
                          ? std::ldexp(part, 1 - bias - fraction)
                          : std::ldexp(part + (1U << fraction), exponent - bias - fraction);
  return bits & 0x8000 ? -size : size;
}

template <class T>
void check_conversions() {
  INFO(dtype_of<T>());
  const unsigned of_infinity = std::numeric_limits<T>::infinity().bits;
  for (unsigned bits = 0; bits < of_infinity; ++bits) {
    const float value = T::of(static_cast<std::uint16_t>(bits));
    REQUIRE(static_cast<double>(value) == by_definition<T>(bits));
    REQUIRE(T(value).bits == bits);
    REQUIRE((-T(value)).bits == (bits | 0x8000));
    // Between this one and the next: to the nearer, and half-way to the even one.
    const auto half_way =
        static_cast<float>((by_definition<T>(bits) + by_definition<T>(bits + 1)) / 2);
    REQUIRE(T(half_way).bits == bits + bits % 2);
    REQUIRE(T(std::nextafter(half_way, 0.0F)).bits == bits);
    REQUIRE(T(std::nextafter(half_way, HUGE_VALF)).bits == bits + 1);
  }
  CHECK(std::isnan(static_cast<float>(std::numeric_limits<T>::quiet_NaN())));
  CHECK(std::isnan(static_cast<float>(T(std::numeric_limits<float>::quiet_NaN()))));
  CHECK(T(HUGE_VALF).bits == of_infinity);
  CHECK(T(-HUGE_VALF) == -HUGE_VALF);
}

}  // namespace

TEST_CASE("floats of two bytes are what their formats say, and rounded to the nearest") {
  check_conversions<F16>();
  check_conversions<BF16>();
  CHECK(std::numeric_limits<F16>::max() == 65504);
  CHECK(std::numeric_limits<F16>::min() == 0x1p-14F);
  CHECK(std::numeric_limits<F16>::denorm_min() == 0x1p-24F);
  CHECK(std::numeric_limits<F16>::epsilon() == 0x1p-10F);
  CHECK(std::numeric_limits<BF16>::max() == 0x1.fep127F);
  CHECK(std::numeric_limits<BF16>::min() == std::numeric_limits<float>::min());
  CHECK(std::numeric_limits<BF16>::min_exponent == std::numeric_limits<float>::min_exponent);
  CHECK(std::numeric_limits<BF16>::epsilon() == 0x1p-7F);
  CHECK(F16(65519.996F) == 65504);
  CHECK(F16(65520.0F) == HUGE_VALF);
}

TEST_CASE(
    "a height of two bytes is exact up to 2,048, then no lower, and no bytes of old are one") {
  for (std::int32_t height = -1; height <= 2048; ++height) REQUIRE(SmallHeight(height) == height);
  std::int32_t last = 2048;
  for (std::int32_t height = 2048; height < 1 << 24; height += 1 + height / 5000) {
    const std::int32_t held = SmallHeight(height);
    REQUIRE(held >= height);
    REQUIRE(held <= height + height / 1024);
    REQUIRE(held >= last);
    REQUIRE(SmallHeight(held) == held);
    last = held;
  }
  SmallHeight untouched;
  untouched.bits = 0xa5a5;
  CHECK(untouched == std::numeric_limits<std::int32_t>::max());
}

TEST_CASE("dyadic and subnormal elements of two bytes have the same sum of floats in every order") {
  const auto check = []<class T>(T) {
    std::mt19937_64 random(7);
    for (const char* distribution : {"dyadic", "subnormals"})
      for (const std::uint64_t n : {1, 2, 100, 65'537}) {
        INFO(dtype_of<T>() << ", " << distribution << ", " << n);
        std::vector<T> values(n);
        Input<T, Sum>(distribution, n, n)(0, values);
        CHECK(std::ranges::count(values, 0.0F) == 0);
        const auto sum = [&] {
          float all = 0;
          for (const float x : values) all += x;
          return all;
        };
        const float first = sum();
        for (int order = 0; order < 5; ++order) {
          std::ranges::shuffle(values, random);
          CHECK(sum() == first);
        }
      }
  };
  check(F16());
  check(BF16());
}

namespace {

Verdict judged(std::vector<F16> got, std::vector<float> exact, double allowed) {
  const F16 untouched(77);
  return verdict_within<F16>(
      got, exact, [&](std::size_t) { return allowed; }, untouched);
}

}  // namespace

TEST_CASE("an answer in two bytes is rounded once more, and that is all it may be off") {
  // between 1 and 1 + 2^-10, nearer to 1
  const float exact = 1 + 0x1p-12F;
  CHECK(judged({F16(1)}, {exact}, 0).pass);
  CHECK(judged({F16(1)}, {exact}, 0).ulp_max == 0);
  CHECK_FALSE(judged({F16(1 + 0x1p-10F)}, {exact}, 0).pass);
  CHECK_FALSE(judged({F16(1 + 0x1p-10F)}, {exact}, 0x1p-13).pass);
  const Verdict rounded_up = judged({F16(1 + 0x1p-10F)}, {exact}, 0x1p-11);
  CHECK(rounded_up.pass);
  CHECK(rounded_up.of_bound == 1);
  CHECK(rounded_up.ulp_max == 0.75);
  CHECK(judged({F16(1)}, {exact}, 0x1p-11).of_bound == Approx(1.0 / 3));
  CHECK_FALSE(judged({F16(1 + 0x1p-9F)}, {exact}, 0x1p-11).pass);
}

TEST_CASE("an answer that is too large for two bytes is infinite, and near the limit it may be") {
  CHECK(judged({F16(HUGE_VALF)}, {100'000}, 10).pass);
  CHECK_FALSE(judged({F16(65504)}, {100'000}, 10).pass);
  CHECK(judged({F16(HUGE_VALF)}, {65'519}, 10).pass);
  CHECK(judged({F16(65504)}, {65'519}, 10).pass);
  CHECK(judged({F16(65504)}, {65'519}, 10).bounded);
  CHECK_FALSE(judged({F16(HUGE_VALF)}, {65'519}, 0.5).pass);
  CHECK_FALSE(judged({std::numeric_limits<F16>::quiet_NaN()}, {65'519}, 10).pass);
  CHECK(judged({std::numeric_limits<F16>::quiet_NaN()}, {NAN}, 10).pass);
  CHECK_FALSE(judged({F16(0)}, {NAN}, 10).pass);
  CHECK(judged({F16(-HUGE_VALF)}, {-HUGE_VALF}, 0).pass);
  CHECK_FALSE(judged({F16(HUGE_VALF)}, {-HUGE_VALF}, 0).pass);
}

TEST_CASE("from some element on a sum in two bytes has no bound, and before it each has one") {
  const auto check = []<class T>(T, std::uint64_t as_many) {
    Expected<T> expected;
    expected.terms = 1;
    expected.is_exact_in_any_order = true;
    expected.exact.assign(as_many + 10, 1);
    expected.magnitude.assign(as_many + 10, 1);
    const Summation in_elements{.accumulates_elements = true};
    const std::uint64_t first = first_without_bound(expected, in_elements);
    CHECK(first == as_many + 1);
    CHECK(std::isfinite(allowed(expected, in_elements, as_many - 1)));
    for (std::uint64_t i = first; i < expected.exact.size(); ++i)
      CHECK_FALSE(std::isfinite(allowed(expected, in_elements, i)));

    CHECK(first_without_bound(expected, {}) == no_element);  // exact in a float
    Summation known = in_elements;
    known.heights.assign(as_many + 10, 1);
    CHECK(first_without_bound(expected, known) == no_element);
    CHECK(std::isfinite(allowed(expected, known, first)));
    expected.is_exact_in_any_order = false;
    CHECK(first_without_bound(expected, {}) == (1 << 23) + 1);
    expected.magnitude.clear();
    CHECK(first_without_bound(expected, in_elements) == no_element);
  };
  check(F16(), 1 << 10);
  check(BF16(), 1 << 7);
}

TEST_CASE("without a bound an element is judged as any other, though in less time") {
  const auto check = []<class T>(T untouched) {
    using Limits = std::numeric_limits<T>;
    const std::vector<T> all{T(0),
                             T(-0.0F),
                             T(1),
                             T(3),
                             Limits::max(),
                             Limits::denorm_min(),
                             untouched,
                             Limits::lowest(),
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::quiet_NaN()};
    for (const double allowed : {HUGE_VAL, double{NAN}})
      for (const T got : all)
        for (const Accumulator<T> exact : all) {
          if (!std::isfinite(exact)) continue;  // it has a bound: 0
          const auto judged_from = [&](std::uint64_t without_bound) {
            return verdict_within<T>(
                std::vector{got, T(1)}, std::vector<Accumulator<T>>{exact, 1},
                [&](std::size_t) { return allowed; }, untouched, without_bound);
          };
          INFO(dtype_of<T>() << ": " << Accumulator<T>(got) << ", not " << exact << ", allowed "
                             << allowed);
          const Verdict one = judged_from(no_element), other = judged_from(0);
          CHECK(other.pass == one.pass);
          CHECK(other.reason == one.reason);
          CHECK(other.ulp_max == one.ulp_max);
          CHECK(other.relative == one.relative);
          CHECK(other.bound == one.bound);
          CHECK(other.bounded == one.bounded);
          CHECK(other.of_bound == one.of_bound);
        }
  };
  check(F16(77));
  check(BF16(77));
}

TEST_CASE("an infinity that the bound allows is off by what the next power of two would be") {
  const Verdict rounded_up = judged({F16(HUGE_VALF)}, {65'519}, 10);
  CHECK(rounded_up.pass);
  CHECK(rounded_up.ulp_max == 17.0 / 32);
  CHECK(rounded_up.bound == 17);
  CHECK(rounded_up.of_bound == 1);
  const Verdict rounded_down = judged({F16(65504)}, {65'521}, 10);
  CHECK(rounded_down.pass);
  CHECK(rounded_down.ulp_max == 17.0 / 32);
  CHECK(rounded_down.of_bound == 1);
  CHECK(judged({F16(-HUGE_VALF)}, {-65'519}, 10).ulp_max == 17.0 / 32);
  CHECK(std::isinf(judged({F16(HUGE_VALF)}, {65'519}, NAN).ulp_max));
  CHECK(judged({F16(HUGE_VALF)}, {70'000}, 10).bound == 0);  // no such number
}

TEST_CASE("without a bound an infinity is right only near the largest number") {
  CHECK_FALSE(judged({F16(HUGE_VALF)}, {5}, HUGE_VAL).pass);
  CHECK_FALSE(judged({F16(-HUGE_VALF)}, {40'000}, HUGE_VAL).pass);
  CHECK(judged({F16(HUGE_VALF)}, {40'000}, HUGE_VAL).pass);
  CHECK(judged({F16(-3)}, {5}, HUGE_VAL).pass);
  CHECK_FALSE(judged({std::numeric_limits<F16>::quiet_NaN()}, {5}, HUGE_VAL).pass);
  CHECK(judged({F16(HUGE_VALF)}, {5}, NAN).pass);  // nothing was promised
}

TEST_CASE("an infinity of the input is the answer, unless elements may overflow before it") {
  const Summation in_elements{.accumulates_elements = true};
  Expected<F16> expected;
  expected.exact = {HUGE_VALF};
  expected.terms = 100;
  expected.magnitude = {30'000};
  CHECK(allowed(expected, in_elements, 0) == 0);
  CHECK(allowed(expected, {}, 0) == 0);
  expected.magnitude = {70'000};
  CHECK(std::isnan(allowed(expected, in_elements, 0)));
  CHECK(allowed(expected, {}, 0) == 0);
  expected.magnitude.clear();
  CHECK(allowed(expected, in_elements, 0) == 0);
}

TEST_CASE("an answer in two bytes that was not written is told as such") {
  CHECK(judged({F16(77)}, {1}, 0).reason ==
        "wrote nothing: its output is as it was before the run");
  CHECK(judged({F16(77)}, {77}, 0).pass);
  CHECK(judged({F16(2), F16(3)}, {1, 3}, 0).reason ==
        "out[0] is 2, not 1; 1 of 2 elements are wrong");
  // by chance the value of what was not written
  CHECK(judged({F16(77), F16(3)}, {77.05F, 3}, 0.1).pass);
  CHECK_FALSE(judged({F16(77), F16(3)}, {77.05F, 3}, 0).pass);
  CHECK_FALSE(judged({F16(77), F16(3)}, {77.05F, 3}, HUGE_VAL).pass);
}

namespace {

std::unique_ptr<Problem> posed(const char* name, std::string_view op, std::string_view dtype,
                               std::uint64_t n, std::string_view distribution, std::uint64_t seed) {
  return find_kind(name, op, dtype)
      ->pose({.operation = name,
              .op = std::string(op),
              .dtype = std::string(dtype),
              .n = n,
              .distribution = std::string(distribution),
              .seed = seed});
}

// loop(problem): computes the answer, and returns where it is.
template <class T>
void check_values(const char* name, std::string_view op, const auto& loop) {
  for (const auto distribution : find_kind(name, op, dtype_of<T>())->distributions)
    for (const std::uint64_t n : {0, 1, 2, 1000, 70'000})
      for (const std::uint64_t seed : {3, 4}) {
        INFO(name << ' ' << op << ' ' << dtype_of<T>() << ' ' << distribution << " n = " << n
                  << " seed " << seed);
        const auto problem = posed(name, op, dtype_of<T>(), n, distribution, seed);
        const auto passes = [&] {
          const Verdict verdict = problem->check(Contract::device_result, {});
          INFO(verdict.reason);
          return verdict.pass;
        };
        CHECK_FALSE(passes());
        float* const out = loop(*problem);
        CHECK(passes());
        if (!std::isfinite(*out)) continue;
        *out = 2 * std::abs(*out) + 1;
        // a sum of large numbers that cancel may be as far off
        if (distribution != "cancellation" && distribution != "ill_conditioned" &&
            distribution != "extremes")
          CHECK_FALSE(passes());
      }
}

template <class T, class Op>
void check_reduce() {
  check_values<T>("reduce", Op::name, [](Problem& problem) {
    const auto& d = *static_cast<const ReduceArguments<T>*>(problem.device());
    *d.out = Op::template identity<float>();
    for (std::size_t i = 0; i < d.n; ++i) *d.out = Op()(*d.out, float{d.in[i]});
    return d.out;
  });
}

template <class T>
void check_all() {
  check_reduce<T, Sum>();
  check_reduce<T, Min>();
  check_reduce<T, Max>();
  check_values<T>("sum_of_cubes", "", [](Problem& problem) {
    const auto& d = *static_cast<const typename SumOfCubes<T>::Device*>(problem.device());
    *d.out = 0;
    for (std::size_t i = 0; i < d.n; ++i) *d.out += cube(float{d.in[i]});
    return d.out;
  });
  check_values<T>("dot", "", [](Problem& problem) {
    const auto& d = *static_cast<const typename Dot<T>::Device*>(problem.device());
    *d.out = 0;
    for (std::size_t i = 0; i < d.n; ++i) *d.out += float{d.a[i]} * float{d.b[i]};
    return d.out;
  });
}

}  // namespace

TEST_CASE("values of two bytes: the loop in floats passes, and what is far from it does not",
          "[many]") {
  check_all<F16>();
  check_all<BF16>();
}

namespace {

const Summation returns_elements{.returns_elements = true},
    accumulates_elements{.returns_elements = true, .accumulates_elements = true};

template <class T>
T sum_in_elements(const T* in, std::size_t n) {
  T all(0);
  for (std::size_t i = 0; i < n; ++i) all = T(float{all} + float{in[i]});
  return all;
}

}  // namespace

TEST_CASE("a value in two bytes lies at the start of the output, and is rounded once") {
  const auto problem = posed("dot", "", "f16", 1000, "uniform", 3);
  const auto& d = *static_cast<const Dot<F16>::Device*>(problem->device());
  float exact = 0;
  for (std::size_t i = 0; i < d.n; ++i) exact += float{d.a[i]} * float{d.b[i]};
  const auto verdict_on = [&](const auto& answer, const Summation& summation) {
    problem->poison();
    std::memcpy(d.out, &answer, sizeof answer);
    return problem->check(Contract::device_result, summation);
  };
  const F16 rounded(exact);
  CHECK(verdict_on(rounded, returns_elements).pass);
  CHECK_FALSE(verdict_on(rounded, {}).pass);
  CHECK_FALSE(verdict_on(exact, returns_elements).pass);
  CHECK(verdict_on(exact, {}).pass);
  CHECK_FALSE(verdict_on(F16::of(rounded.bits + 1), returns_elements).pass);
  problem->poison();
  CHECK(problem->check(Contract::device_result, returns_elements).reason ==
        "wrote nothing: its output is as it was before the run");
}

TEST_CASE("a value that two bytes do not hold is infinite and right, and the error says so") {
  const auto problem = posed("dot", "", "f16", std::uint64_t{1} << 20, "uniform", 3);
  auto* const out = static_cast<const Dot<F16>::Device*>(problem->device())->out;
  const F16 overflow(HUGE_VALF);
  std::memcpy(out, &overflow, sizeof overflow);
  const Verdict verdict = problem->check(Contract::device_result, returns_elements);
  CHECK(verdict.pass);
  CHECK_FALSE(verdict.bounded);
  CHECK(std::isinf(verdict.ulp_max));
  CHECK(std::isinf(verdict.relative));
}

TEST_CASE("a sum in two bytes is held to the bound of its own precision") {
  for (const char* distribution : {"uniform", "dyadic"}) {
    INFO(distribution);
    const auto problem = posed("reduce", "sum", "f16", 1000, distribution, 3);
    const auto& d = *static_cast<const ReduceArguments<F16>*>(problem->device());
    const auto passes = [&](F16 answer, const Summation& summation) {
      std::memcpy(d.out, &answer, sizeof answer);
      return problem->check(Contract::device_result, summation).pass;
    };
    const F16 sum = sum_in_elements(d.in, d.n);
    CHECK(passes(sum, accumulates_elements));
    // gamma of 999 roundings is 0.95
    CHECK_FALSE(passes(F16(2000), accumulates_elements));
    const F16 off = F16(float{sum} + 1);
    CHECK(passes(off, accumulates_elements));
    CHECK_FALSE(passes(off, returns_elements));
  }
}

TEST_CASE("prefixes in two bytes are held to the bound of their own precision") {
  for (const char* distribution : {"uniform", "dyadic"}) {
    INFO(distribution);
    const auto problem = posed("inclusive_scan", "sum", "bf16", 100, distribution, 3);
    const auto& d = *static_cast<const ScanArguments<BF16>*>(problem->device());
    for (std::size_t i = 0; i < d.n; ++i) d.out[i] = sum_in_elements(d.in, i + 1);
    CHECK(problem->check(Contract::device_result, accumulates_elements).pass);
    d.out[50] = BF16(float{d.out[50]} + 0.25F);
    CHECK(problem->check(Contract::device_result, accumulates_elements).pass);
    CHECK_FALSE(problem->check(Contract::device_result, {}).pass);
    d.out[50] = BF16(200);
    CHECK_FALSE(problem->check(Contract::device_result, accumulates_elements).pass);
  }
}

TEST_CASE("a sum in two bytes may overflow where sums on the way may, and the error says so") {
  const auto of_sum = [](float exact, double magnitude, F16 got) {
    const Expected<F16> expected{.exact = {exact}, .magnitude = {magnitude}, .terms = 100};
    return verdict_on<F16>(std::vector<F16>{got}, expected, accumulates_elements, F16(77));
  };
  const F16 overflow(HUGE_VALF), nothing = std::numeric_limits<F16>::quiet_NaN();
  for (const F16 got : {overflow, -overflow, nothing}) {
    const Verdict verdict = of_sum(10, 70'000, got);
    CHECK(verdict.pass);
    CHECK_FALSE(verdict.bounded);
    CHECK(std::isinf(verdict.ulp_max));
    CHECK(std::isinf(verdict.relative));
    CHECK_FALSE(of_sum(10, 20'000, got).pass);
  }
  CHECK(of_sum(10, 70'000, F16(30'000)).pass);
  CHECK(of_sum(10, 70'000, F16(30'000)).relative == 2999);
}
