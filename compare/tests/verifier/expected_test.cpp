// Bounds, and the judgement of single values.
#include "compare/problem/expected.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "compare/operations/inputs.hpp"
#include "compare/problem/bounds.hpp"
#include "compare/tests/catch.hpp"

using namespace ladder;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity(),
                not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float untouched = 77;

struct Within {
  std::vector<float> exact;
  std::vector<double> allowed = {};  // none: 0
  bool bounded = true;
};

Verdict verdict(std::vector<float> got, const Within& expected) {
  const auto allowed = [&](std::size_t i) {
    return !expected.bounded          ? std::numeric_limits<double>::infinity()
           : expected.allowed.empty() ? 0
                                      : expected.allowed[i];
  };
  return verdict_within<float>(got, expected.exact, allowed, untouched);
}

}  // namespace

TEST_CASE("gamma grows with the height, from nothing to no bound at all") {
  CHECK(gamma<float>(0) == 0);
  CHECK(gamma<float>(1) == Approx(0x1p-24).epsilon(1e-6));
  CHECK(gamma<double>(1) == Approx(0x1p-53).epsilon(1e-6));
  CHECK(gamma<float>(0x1p22) == Approx(1.0 / 3));  // hu = 1/4
  CHECK(std::isfinite(gamma<float>(0x1p23 - 1)));
  CHECK(std::isinf(gamma<float>(0x1p23)));
  CHECK(std::isinf(gamma<double>(0x1p52)));
  CHECK(height_of_any_order(0) == 0);
  CHECK(height_of_any_order(1) == 0);
  CHECK(height_of_any_order(1000) == 999);
}

TEST_CASE("the bound holds for a sum in order, and is not far above the worst of them") {
  // 1 and then as many halves of its last place as can be lost.
  constexpr std::size_t n = 10'001;
  std::vector<float> values(n, 0x1p-24F);
  values[0] = 1;
  const double error = (n - 1) * 0x1p-24 + 1 -
                       static_cast<double>(std::accumulate(values.begin(), values.end(), 0.0F));
  const double magnitude = (n - 1) * 0x1p-24 + 1,
               bound = gamma<float>(height_of_any_order(n)) * magnitude;
  CHECK(error <= bound);
  CHECK(error > 0.99 * bound);
}

TEST_CASE("within the bound is right, beyond it is wrong") {
  const Within expected{{1}, {0.25}};
  CHECK(verdict({1.25F}, expected).pass);
  CHECK(verdict({0.75F}, expected).pass);
  CHECK(verdict({1.2500001F}, expected).reason ==
        "out[0] is 1.2500001, not 1, and may be off by 0.25");
  CHECK_FALSE(verdict({not_a_number}, expected).pass);
  CHECK_FALSE(verdict({-infinity}, expected).pass);
}

TEST_CASE("without a bound only the same number will do, but either zero") {
  CHECK(verdict({1}, {{1}}).pass);
  CHECK_FALSE(verdict({std::nextafter(1.0F, 2.0F)}, {{1}}).pass);
  CHECK(verdict({-0.0F}, {{0}}).pass);
  CHECK_FALSE(verdict({std::numeric_limits<float>::denorm_min()}, {{0}}).pass);
}

TEST_CASE("NaN and infinities have to be just where they are due, bounded or not") {
  for (const bool bounded : {true, false}) {
    CHECK(verdict({not_a_number}, {{not_a_number}, {}, bounded}).pass);
    CHECK(verdict({infinity}, {{infinity}, {}, bounded}).pass);
    CHECK_FALSE(verdict({1}, {{not_a_number}, {}, bounded}).pass);
    CHECK_FALSE(verdict({infinity}, {{not_a_number}, {}, bounded}).pass);
    CHECK_FALSE(verdict({not_a_number}, {{1}, {}, bounded}).pass);
    CHECK_FALSE(verdict({-infinity}, {{infinity}, {}, bounded}).pass);
    CHECK_FALSE(verdict({1}, {{infinity}, {}, bounded}).pass);
    CHECK_FALSE(verdict({infinity}, {{1}, {}, bounded}).pass);
    CHECK(verdict({2}, {{1}, {}, bounded}).pass == !bounded);
  }
}

TEST_CASE("of many elements the first wrong one is named, and the others counted") {
  const Within expected{{1, 2, 3, 4}, {0, 0.5, 0, 0}};
  CHECK(verdict({1, 2.5F, 3, 4}, expected).pass);
  CHECK(verdict({1, 2, 7, 4}, expected).reason == "out[2] is 7, not 3; 1 of 4 elements are wrong");
  CHECK(verdict({1, 3, not_a_number, 4}, expected).reason ==
        "out[1] is 3, not 2, and may be off by 0.5; 2 of 4 elements are wrong");
  CHECK(verdict({1, 2, untouched, 4}, expected).reason ==
        "out[2] was not written; 1 of 4 elements are wrong");
  CHECK(verdict({untouched, untouched, untouched, untouched}, expected).reason ==
        "wrote nothing: its output is as it was before the run");
  CHECK(verdict(std::vector<float>(1'000'000, 1), {std::vector<float>(1'000'000, 2)}).reason ==
        "out[0] is 1, not 2; 1000000 of 1000000 elements are wrong");
}

TEST_CASE(
    "what was not written is wrong even if it happens to be near, and right if it is the exact "
    "result") {
  CHECK_FALSE(verdict({untouched}, {{untouched + 1}, {10}}).pass);
  CHECK(verdict({untouched}, {{untouched}}).pass);
}

TEST_CASE("the error is given in units in the last place and as a fraction") {
  const auto near_one = verdict({1 + 0x1p-22F}, {{1}, {1}});
  CHECK(near_one.ulp_max == 2);
  CHECK(near_one.relative == Approx(0x1p-22));
  CHECK(near_one.bound == 1);
  // the places of subnormals are all alike
  CHECK(verdict({3 * 0x1p-149F}, {{0x1p-149F}, {1}}).ulp_max == 2);
  CHECK(verdict({0x1p-149F}, {{0}, {1}}).ulp_max == 1);
  CHECK(std::isinf(verdict({1}, {{0}, {1}}).relative));
  CHECK(verdict({1}, {{1}}).ulp_max == 0);
  CHECK(verdict({not_a_number}, {{not_a_number}}).ulp_max == 0);
  const float largest = std::numeric_limits<float>::max();
  CHECK(verdict({std::nextafter(largest, 0.0F)}, {{largest}, {1e38}}).ulp_max == 1);
  CHECK(ulps_between<double>(1.0, 1.0 + 0x1p-52) == 1);
}

TEST_CASE("of what each element is allowed to be off, the largest share counts") {
  CHECK(verdict({1.125F}, {{1}, {0.25}}).of_bound == 0.5);
  // of the second 1/4, of the first nothing is allowed
  CHECK(verdict({1, 2.25F, 3}, {{1, 2, 3.5}, {0, 1, 1}}).of_bound == 0.5);
  CHECK(verdict({1}, {{1}, {0.25}}).of_bound == 0.0);
  CHECK(verdict({1.5F}, {{1}, {0.25}}).of_bound == 2.0);
  CHECK(!verdict({1}, {{1}}).of_bound);
  CHECK(!verdict({2}, {{1}, {}, false}).of_bound);
  CHECK(!verdict({not_a_number}, {{1}, {0.25}}).of_bound);
  CHECK(!verdict_on<std::int64_t>(std::vector<std::int64_t>{1}, Expected<std::int64_t>{{1}}, {}, 0)
             .of_bound);
}

TEST_CASE("integers are right or wrong") {
  const LongArray<std::int64_t> got{std::numeric_limits<std::int64_t>::max()};
  CHECK(verdict_on<std::int64_t>(got, Expected<std::int64_t>{got}, {}, 0).pass);
  // as doubles they are equal
  CHECK_FALSE(verdict_on<std::int64_t>(got, Expected<std::int64_t>{{got[0] - 1}}, {}, 0).pass);
}

TEST_CASE(
    "what is allowed follows from the height of each tree, and from the highest where it is not "
    "known") {
  constexpr double u = 0x1p-24;
  const Expected<float> sum{.exact = {2}, .magnitude = {8}, .terms = 1001};
  CHECK(allowed(sum, {}, 0) == allowed(sum, {.heights = {1000}}, 0));
  CHECK(allowed(sum, {.heights = {10}}, 0) == Approx(10 * u * 8 + 2 * u).epsilon(1e-5));
  CHECK(allowed(sum, {.is_compensated = true}, 0) ==
        Approx(2 * u * 2 + 4e6 * u * u * 8).epsilon(1e-3));
  CHECK(allowed(sum, {.heights = {1U << 23}}, 0) == std::numeric_limits<double>::infinity());

  const Expected<float> dot{.exact = {2}, .magnitude = {8}, .terms = 1, .roundings = 1};
  CHECK(allowed(dot, {}, 0) == Approx(u * 8 + 2 * u).epsilon(1e-5));

  const Expected<float> prefixes{
      .exact = {0, 1, 2, infinity}, .magnitude = {0, 8, 8, 8}, .terms = 0};
  CHECK(allowed(prefixes, {}, 0) == 0);
  CHECK(allowed(prefixes, {}, 1) == 0);  // one element alone is not rounded
  CHECK(allowed(prefixes, {}, 2) == Approx(u * 8 + 2 * u).epsilon(1e-5));
  CHECK(allowed(prefixes, {}, 3) == 0);

  const Expected<float> product{
      .exact = {2}, .magnitude = {2}, .terms = 1001, .depends_on_tree = false};
  CHECK(allowed(product, {.heights = {10}}, 0) == allowed(product, {.heights = {1000}}, 0));

  CHECK(allowed(Expected<float>{{1}}, {}, 0) == 0);
}

TEST_CASE("an implementation that flushes may lose subnormal numbers of f32, and nothing larger") {
  constexpr float smallest_normal = std::numeric_limits<float>::min();
  const auto passes = [](auto exact, auto got, bool flushes) {
    using T = decltype(exact);
    const Expected<T> expected{.exact = {exact}, .magnitude = {0}, .terms = 1};
    return verdict_on<T>(std::vector<T>{got}, expected, {.flushes_subnormals = flushes}, T(-1))
        .pass;
  };
  CHECK(passes(smallest_normal / 2, 0.0F, true));
  CHECK_FALSE(passes(smallest_normal / 2, 0.0F, false));
  CHECK_FALSE(passes(4 * smallest_normal, 0.0F, true));
  CHECK_FALSE(passes(std::numeric_limits<double>::min() / 2, 0.0, true));

  // exact in any order, but for that
  const Expected<float> alone{.exact = {smallest_normal / 2}, .terms = 1};
  CHECK(allowed(alone, {.flushes_subnormals = true}, 0) == Approx(3 * smallest_normal));
  CHECK(allowed(alone, {}, 0) == 0);
}
