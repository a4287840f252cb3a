// The exact references against rational arithmetic.
#include "compare/operations/exact_sum.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "compare/operations/exact_product.hpp"
#include "compare/tests/catch.hpp"

using ladder::ExactProduct;
using ladder::ExactSum;

namespace {

// Holds every sum of doubles exactly: 2,098 bits from the least subnormal to the largest double,
// and some to grow.
using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<2200>,
                                           boost::multiprecision::et_off>;

constexpr double infinite = std::numeric_limits<double>::infinity();

ExactSum sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double x : values) sum.add(x);
  return sum;
}

Wide wide_sum(const std::vector<double>& values) {
  Wide sum = 0;
  for (const double x : values) sum += x;
  return sum;
}

// No neighbour of `rounded` is nearer to `exact`, and of two that are as near it is the even one.
template <class T>
void check_nearest(T rounded, const Wide& exact) {
  const auto distance = [&](T x) { return Wide(abs(Wide(x) - exact)); };
  const auto is_even = [](T x) {
    return std::fmod(
               std::ldexp(x, std::numeric_limits<T>::digits - 1 -
                                 std::max(std::ilogb(x), std::numeric_limits<T>::min_exponent - 1)),
               T(2)) == 0;
  };
  REQUIRE(std::isfinite(rounded));
  for (const T neighbour : {std::nextafter(rounded, std::numeric_limits<T>::infinity()),
                            std::nextafter(rounded, -std::numeric_limits<T>::infinity())}) {
    if (!std::isfinite(neighbour)) continue;
    CHECK(distance(rounded) <= distance(neighbour));
    if (rounded != 0 && distance(rounded) == distance(neighbour)) CHECK(is_even(rounded));
  }
}

}  // namespace

TEST_CASE("sums of doubles of every size are rounded once, to nearest") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values;
    const int spread = round % 2 == 0 ? 30 : 1000;
    std::uniform_int_distribution<int> exponent(-spread, spread), count(1, 60);
    std::uniform_real_distribution<double> mantissa(-1, 1);
    for (int k = count(random); k > 0; --k)
      values.push_back(std::ldexp(mantissa(random), exponent(random)));
    if (round % 3 == 0) values.push_back(-values[0]);  // some of it cancels
    check_nearest(sum_of(values).rounded<double>(), wide_sum(values));
    for (double& x : values) x = std::abs(x);
    check_nearest(sum_of(values).magnitude(), wide_sum(values));
    CHECK(sum_of(values).magnitude() == sum_of(values).rounded<double>());
  }
}

TEST_CASE("sums of floats are rounded once, to float") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values;
    std::uniform_int_distribution<int> exponent(-149, round % 2 == 0 ? -120 : 100);
    std::uniform_real_distribution<float> mantissa(-1, 1);
    for (int k = 0; k < 40; ++k) values.push_back(std::ldexp(mantissa(random), exponent(random)));
    check_nearest(sum_of(values).rounded<float>(), wide_sum(values));
  }
}

TEST_CASE("ties go to even, and what lies far below breaks them") {
  const double tiny = std::numeric_limits<double>::denorm_min();
  CHECK(sum_of({1, 0x1p-53}).rounded<double>() == 1);
  CHECK(sum_of({1, 0x1p-53, tiny}).rounded<double>() == 1 + 0x1p-52);
  CHECK(sum_of({1 + 0x1p-52, 0x1p-53}).rounded<double>() == 1 + 0x1p-51);
  CHECK(sum_of({1 + 0x1p-52, 0x1p-53, -tiny}).rounded<double>() == 1 + 0x1p-52);
  CHECK(sum_of({1, 0x1p-24}).rounded<float>() == 1.0F);
  // rounding to double first would lose this
  CHECK(sum_of({1, 0x1p-24, tiny}).rounded<float>() == 1 + 0x1p-23F);
  CHECK(sum_of({-1, -0x1p-53, -tiny}).rounded<double>() == -1 - 0x1p-52);
}

TEST_CASE("what cancels leaves the rest untouched") {
  const double largest = std::numeric_limits<double>::max(),
               tiny = std::numeric_limits<double>::denorm_min();
  CHECK(sum_of({largest, largest, tiny, -largest, -largest}).rounded<double>() == tiny);
  CHECK(sum_of({1e308, 1e-308, -1e308}).rounded<double>() == 1e-308);
  CHECK(sum_of({}).rounded<double>() == 0);
  CHECK(sum_of({-0.0, 0.0}).rounded<double>() == 0);
  CHECK(sum_of({3, -3}).magnitude() == 6);
}

TEST_CASE("a sum beyond the largest number rounds to infinity, and only then") {
  const double largest = std::numeric_limits<double>::max(), half_a_place = 0x1p970;
  CHECK(sum_of({largest, half_a_place}).rounded<double>() == infinite);
  CHECK(sum_of({largest, half_a_place, -1e-300}).rounded<double>() == largest);
  CHECK(sum_of({-largest, -largest}).rounded<double>() == -infinite);
  CHECK(sum_of({std::numeric_limits<float>::max(), 0x1p103}).rounded<float>() ==
        std::numeric_limits<float>::infinity());
  CHECK(sum_of({std::numeric_limits<float>::max(), 0x1p102}).rounded<float>() ==
        std::numeric_limits<float>::max());
}

TEST_CASE("infinities and NaN add up as IEEE 754 says") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(sum_of({1, infinite, 2}).rounded<float>() == std::numeric_limits<float>::infinity());
  CHECK(sum_of({infinite, infinite}).rounded<double>() == infinite);
  CHECK(sum_of({-infinite, 1e308}).rounded<double>() == -infinite);
  CHECK(std::isnan(sum_of({infinite, 1, -infinite}).rounded<double>()));
  CHECK(std::isnan(sum_of({nan, 1}).rounded<float>()));
  CHECK(sum_of({-infinite, 1}).magnitude() == 1);
  ExactSum whole = sum_of({1});
  whole.add(sum_of({infinite}));
  CHECK(whole.rounded<double>() == infinite);
}

TEST_CASE("sums of parts add up to the sum of all, in every order") {
  std::mt19937_64 random(3);
  std::vector<double> values(100'000);
  for (double& x : values)
    x = std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random),
                   static_cast<int>(random() % 400));
  const double whole = sum_of(values).rounded<double>();

  std::ranges::shuffle(values, random);
  CHECK(sum_of(values).rounded<double>() == whole);
  ExactSum parts;
  for (std::size_t first = 0; first < values.size(); first += 1000)
    parts.add(sum_of({values.begin() + static_cast<std::ptrdiff_t>(first),
                      values.begin() + static_cast<std::ptrdiff_t>(first) + 1000}));
  CHECK(parts.rounded<double>() == whole);
  CHECK(parts.magnitude() == sum_of(values).magnitude());
}

TEST_CASE("products are right to the last place", "[many]") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 50; ++round) {
    ExactProduct product;
    Wide wide = 1;
    for (int k = 0; k < 1000; ++k) {
      const double x =
          std::uniform_real_distribution<double>(0.7, 1.4)(random) * (random() % 2 == 0 ? 1 : -1);
      product.multiply(x);
      wide *= x;
    }
    check_nearest(product.rounded<double>(), wide);
  }
}

TEST_CASE("products of infinities, zeros and NaN are what IEEE 754 says") {
  const auto product_of = [](const std::vector<double>& values) {
    ExactProduct product;
    for (const double x : values) product.multiply(x);
    return product.rounded<float>();
  };
  CHECK(product_of({}) == 1.0F);
  CHECK(product_of({-3, infinite, 0.1}) == -std::numeric_limits<float>::infinity());
  CHECK(product_of({3, 0, 0.1}) == 0.0F);
  CHECK(std::isnan(product_of({infinite, 2, 0})));
  CHECK(std::isnan(product_of({std::numeric_limits<double>::quiet_NaN(), 2})));
}
