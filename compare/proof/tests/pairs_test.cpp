// How often pairs may be called different, and how often they have to be.
#include "compare/proof/pairs.hpp"

#include <cmath>
#include <random>

#include "compare/tests/catch.hpp"

using namespace ladder::proof;

namespace {

// b takes `factor` times as long. Processes differ by far less than that.
Pair pair(double factor) {
  Pair made;
  for (int process = 0; process < 6; ++process) {
    made.a_us.push_back(40 + 0.01 * process);
    made.b_us.push_back(factor * (40 + 0.01 * ((process + 3) % 6)));
  }
  return made;
}

std::vector<Pair> pairs(std::size_t different, double factor, std::size_t all) {
  std::vector<Pair> made(all, pair(1));
  for (std::size_t i = 0; i < different; ++i) made[i] = pair(factor);
  return made;
}

}  // namespace

TEST_CASE("of 200 twins 16 may be called different, 17 may not") {
  const Check most = check_twins(pairs(16, 1.02, 200)),
              too_many = check_twins(pairs(17, 0.98, 200));
  CHECK(most.measured == 16);
  CHECK(most.at_most == 16);
  CHECK(verdict(most) == "holds");
  CHECK(too_many.measured == 17);
  CHECK(verdict(too_many) == "does not hold");
}

TEST_CASE("of 100 trials with 2 % more work 95 have to be found, 94 are too few") {
  CHECK(verdict(check_slower(pairs(95, 1.02, 100))[0]) == "holds");
  CHECK(verdict(check_slower(pairs(94, 1.02, 100))[0]) == "does not hold");
}

TEST_CASE("a difference the other way round is none that was found") {
  CHECK(check_slower(pairs(100, 0.98, 100))[0].measured == 0);
}

TEST_CASE("how much more time it takes is for the record") {
  const Check more = check_slower(pairs(100, 1.02, 100))[1];
  CHECK(verdict(more) == "reported");
  CHECK(more.measured.value() == Approx(2));
}

TEST_CASE("twins of equal times are not different") {
  CHECK(check_twins({{{40, 40, 40, 40, 40, 40}, {40, 40, 40, 40, 40, 40}}}).measured == 0);
}

// 0.3 % between processes, which a pair shares, and 0.25 % of a median's own: then the limits are
// met as a matter of course.
TEST_CASE("honest noise passes, and does not hide 2 %") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const auto noisy = [&](double factor) {
    Pair made;
    for (int process = 0; process < 6; ++process) {
      const double shared = 40 * std::exp(0.003 * normal(random));
      made.a_us.push_back(shared * std::exp(0.0025 * normal(random)));
      made.b_us.push_back(factor * shared * std::exp(0.0025 * normal(random)));
    }
    return made;
  };
  std::vector<Pair> same, slower;
  for (int i = 0; i < 200; ++i) same.push_back(noisy(1));
  for (int i = 0; i < 100; ++i) slower.push_back(noisy(1.02));
  CHECK(verdict(check_twins(same)) == "holds");
  CHECK(verdict(check_slower(slower)[0]) == "holds");
}

TEST_CASE("no trials are no proof") {
  CHECK_THROWS_AS(check_slower({}), std::invalid_argument);
}
