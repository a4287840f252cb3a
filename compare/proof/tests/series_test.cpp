// A clock that is right passes, and each way in which one can be wrong is seen.
#include "compare/proof/series.hpp"

#include <algorithm>
#include <functional>

#include "compare/tests/catch.hpp"

using namespace ladder::proof;

namespace {

using Clock = std::function<double(double us)>;  // what it shows of a kernel that takes so long

// Spins by a GPU whose timer steps by 32 ns.
std::vector<Series> spins(const Clock& clock) {
  std::vector<Series> all;
  for (const double us : {5.0, 10.0, 50.0, 500.0}) {
    Series& one = all.emplace_back(Series{us, {}, {}});
    for (int sample = 0; sample < 9; ++sample) {
      const double took = us + 0.032 * (sample % 3);
      one.clock_us.push_back(clock(took));
      one.other_us.push_back(took);
    }
  }
  return all;
}

std::vector<Series> repeats(const Clock& clock) {
  std::vector<Series> all;
  for (int k = 1; k <= 16; ++k)
    all.push_back({static_cast<double>(k), {clock(100.0 * k)}, {100.0 * k}});
  return all;
}

std::string_view slope_of_spins(const Clock& clock) {
  return verdict(check_spins(spins(clock), "events").front());
}

}  // namespace

TEST_CASE("a clock that is right is called so") {
  const auto right = [](double us) { return us + 1.7; };  // a constant: launching and the events
  CHECK(all_hold(check_spins(spins(right), "events")));
  CHECK(all_hold(check_repeats(repeats(right))));
  CHECK(all_hold(check_recorded(spins(right), {1.2, 1.8})));
}

TEST_CASE("a clock that is 1 % off is called wrong") {
  CHECK(slope_of_spins([](double us) { return 1.01 * us; }) == "does not hold");
  CHECK(slope_of_spins([](double us) { return 0.99 * us; }) == "does not hold");
  CHECK(slope_of_spins([](double us) { return 1.004 * us; }) == "holds");
}

TEST_CASE("a constant offset is in the intercept, and no fault of the clock's scale") {
  const auto checks = check_spins(spins([](double us) { return us + 4; }), "events");
  CHECK(verdict(checks[0]) == "holds");
  CHECK(verdict(checks[1]) == "reported");
  // the median spin is a step over
  CHECK(checks[1].measured.value() == Approx(4.032).margin(0.001));
}

TEST_CASE("the step of the timer is the smallest difference that is one") {
  CHECK(timer_step(spins([](double us) { return us; })).measured.value() == Approx(0.032));
  CHECK(verdict(timer_step({{5, {5}, {5, 5}}})) == "not testable here");
}

TEST_CASE("repeated work that is no straight line is seen") {
  auto shuffled = repeats([](double us) { return us; });
  std::swap(shuffled[3].clock_us, shuffled[4].clock_us);
  CHECK(verdict(check_repeats(shuffled)[0]) == "does not hold");
  auto bent = repeats([](double us) { return us + 1e-5 * us * us; });
  CHECK(verdict(check_repeats(bent)[0]) == "does not hold");
}

TEST_CASE("repeated work with the wrong slope is seen, though it is a straight line") {
  const auto checks = check_repeats(repeats([](double us) { return 1.02 * us; }));
  CHECK(verdict(checks[0]) == "holds");
  CHECK(verdict(checks[1]) == "does not hold");
  CHECK(checks[1].measured.value() == Approx(1.02));
}

TEST_CASE(
    "a clock that CUPTI contradicts is seen: by more than an empty kernel shows or by less than "
    "two "
    "events show for all, or by more for some") {
  const auto checks = [](const Clock& clock) { return check_recorded(spins(clock), {1.3, 2.7}); };
  for (const double constant : {1.3, 2.5, 2.7})
    CHECK(all_hold(checks([constant](double us) { return us + constant; })));
  CHECK(verdict(checks([](double us) { return us + 1.0; })[0]) == "does not hold");
  CHECK(verdict(checks([](double us) { return us + 3.0; })[0]) == "does not hold");
  const auto far = checks([](double us) { return us + 3.5; });
  REQUIRE(far.size() == 5);
  CHECK(far[0].measured.value() == Approx(3.5));
  CHECK(verdict(far[0]) == "does not hold");
  CHECK(verdict(far[4]) == "holds");
  // the events take nothing: it lost what they took
  CHECK(verdict(checks([](double us) { return us; })[0]) == "does not hold");
  const auto steep = checks([](double us) { return 1.002 * us + 2.5; });
  CHECK(verdict(steep[0]) == "holds");
  CHECK(verdict(steep[1]) == "holds");
  CHECK(verdict(steep[4]) == "does not hold");  // 1 us of 500
  CHECK_THROWS_AS(check_recorded({{5, {5, 5}, {5}}}, {1.3, 2.7}), std::invalid_argument);
}

TEST_CASE("empty runs are for the record") {
  const auto checks = empty_runs({{0, {1.5, 1.6, 9}, {}}, {1, {2.3, 2.4, 2.5}, {}}});
  CHECK(verdict(checks[0]) == "reported");
  CHECK(checks[0].measured == 1.6);
  CHECK(checks[1].what == "an empty kernel");
  CHECK(checks[1].measured == 2.4);
}

TEST_CASE("requests and series arrive as they were sent") {
  const SeriesRequest request{.specimen = "spin",
                              .amounts = {5, 10},
                              .samples = 3,
                              .contract = ladder::reports::Contract::host_result,
                              .recorded = true};
  const auto again = nlohmann::json(request).get<SeriesRequest>();
  CHECK(nlohmann::json(again) == nlohmann::json(request));
  const Series series{5, {5.1, 5.2}, {5}};
  CHECK(nlohmann::json(nlohmann::json(series).get<Series>()) == nlohmann::json(series));
}
