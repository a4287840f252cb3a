// Verdicts, and how they are shown.
#include "compare/proof/check.hpp"

#include <limits>

#include "compare/tests/catch.hpp"

using namespace ladder::proof;

TEST_CASE("a value at a limit holds, one past it does not") {
  const auto of = [](double value) {
    return verdict(
        {.what = "x", .asked = "", .measured = value, .at_least = 0.995, .at_most = 1.005});
  };
  CHECK(of(0.995) == "holds");
  CHECK(of(1.005) == "holds");
  CHECK(of(0.9949) == "does not hold");
  CHECK(of(1.0051) == "does not hold");
}

TEST_CASE("what is no number does not hold, limit or not") {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK(verdict({.what = "x", .asked = "", .measured = value, .at_least = 0}) == "does not hold");
    CHECK(verdict({.what = "x", .asked = "", .measured = value}) == "does not hold");
  }
  CHECK(verdict({.what = "x", .asked = ""}) == "does not hold");
}

TEST_CASE("only what does not hold fails the proof") {
  const Check held{.what = "x", .asked = "", .measured = 1, .at_most = 2},
      reported{.what = "x", .asked = "", .measured = 1},
      untestable{.what = "x", .asked = "", .untestable = "there is no ncu here"},
      failed{.what = "x", .asked = "", .failure = "it crashed"},
      beyond{.what = "x", .asked = "", .measured = 3, .at_most = 2};
  CHECK(verdict(reported) == "reported");
  CHECK(verdict(untestable) == "not testable here");
  CHECK(all_hold({held, reported, untestable}));
  CHECK_FALSE(all_hold({held, failed}));
  CHECK_FALSE(all_hold({beyond, held}));
  CHECK(summary({held, held, untestable, beyond}) ==
        "4 checks: 2 hold, 1 does not hold, 1 not testable here");
}

TEST_CASE("the table shows what was asked, measured and allowed") {
  CHECK(
      table({{.what = "slope",
              .asked = "5, 50 us",
              .measured = 0.99502,
              .at_least = 0.995,
              .at_most = 1.005},
             {.what = "called different", .asked = "200 pairs", .measured = 17, .at_most = 16},
             {.what = "found", .asked = "100 trials", .measured = 100, .unit = "%", .at_least = 95},
             {.what = "an empty kernel", .asked = "median of 200", .measured = 2.304, .unit = "us"},
             {.what = "bytes", .asked = "by ncu", .untestable = "there is no ncu here"},
             {.what = "pairs", .asked = "", .failure = "worker_cuda ended: a|b"}}) ==
      "| check | asked | measured | limit | verdict |\n"
      "| --- | --- | ---: | ---: | --- |\n"
      "| slope | 5, 50 us | 0.99502 | 0.995 to 1.005 | holds |\n"
      "| called different | 200 pairs | 17 | at most 16 | does not hold |\n"
      "| found | 100 trials | 100 % | at least 95 % | holds |\n"
      "| an empty kernel | median of 200 | 2.304 us | none | reported |\n"
      "| bytes | by ncu | there is no ncu here | none | not testable here |\n"
      "| pairs |  | worker_cuda ended: a&#124;b | none | does not hold |\n");
}

TEST_CASE("a check as JSON has its number, its limits and its verdict") {
  CHECK(nlohmann::json(
            Check{.what = "slope", .asked = "5 us", .measured = 1.5, .unit = "us", .at_most = 2}) ==
        nlohmann::json{{"check", "slope"},
                       {"asked", "5 us"},
                       {"measured", 1.5},
                       {"unit", "us"},
                       {"at_least", nullptr},
                       {"at_most", 2.0},
                       {"verdict", "holds"},
                       {"reason", ""}});
}
