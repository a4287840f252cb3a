// The comparison of answers is itself held to examples.
#include "compare/tests/verification/agreement.hpp"

#include <limits>
#include <string_view>

#include "compare/tests/catch.hpp"

using ladder::protocol::Answer;
using ladder::tests::disagreement;

namespace {

Answer answer_of(std::string_view dtype, const char* output, double bound = 0,
                 bool bounded = true) {
  Answer made;
  made.output_type = dtype;
  made.output = output;
  made.bound = bound;
  made.bounded = bounded;
  return made;
}

Answer integers(const char* output) {
  return answer_of({}, output);
}
Answer answer(const char* output, double bound = 0, bool bounded = true) {
  return answer_of("f32", output, bound, bounded);
}

// Little-endian floats.
constexpr const char *one = "0000803f", *one_and_a_bit = "0100803f", *two = "00000040",
                     *zero = "00000000", *minus_zero = "00000080", *infinity = "0000807f",
                     *quiet_nan = "0000c07f", *other_nan = "0100c0ff";

}  // namespace

TEST_CASE("integers agree bit for bit", "[agreement]") {
  CHECK(disagreement(integers(one), integers(one)) == "");
  CHECK(disagreement(integers(zero), integers(minus_zero)) != "");
  CHECK(disagreement(integers(one), integers("0000803f00000000")) ==
        "from byte 4 on  and 00000000");
  const std::string many(1 << 16, '0');
  CHECK(disagreement(integers((many + "01000000" + many).c_str()),
                     integers((many + "11000000" + many).c_str())) ==
        "from byte 32768 on 0100000000000000 and 1100000000000000");
}

TEST_CASE("exact floats agree bit for bit, but for the sign of zero and the bits of NaN",
          "[agreement]") {
  CHECK(disagreement(answer(zero), answer(minus_zero)) == "");
  CHECK(disagreement(answer(quiet_nan), answer(other_nan)) == "");
  CHECK(disagreement(answer(one), answer(one_and_a_bit)) ==
        "out[0] is 1 and 1.0000001192092896; both bounds together allow 0");
  CHECK(disagreement(answer_of("f64", "000000000000f03f"), answer_of("f64", "010000000000f03f")) !=
        "");
}

TEST_CASE("floats agree within both bounds together, and where there are none, if both are finite",
          "[agreement]") {
  CHECK(disagreement(answer(one, 0.5), answer(two, 0.5)) == "");
  CHECK(disagreement(answer(one, 0.5), answer(two, 0.4)) != "");
  CHECK(disagreement(answer(one, 0, false), answer(two, 0, false)) == "");
  for (const bool bounded : {true, false}) {
    CHECK(disagreement(answer(one, 9, bounded), answer(infinity, 9, bounded)) != "");
    CHECK(disagreement(answer(quiet_nan, 9, bounded), answer(one, 9, bounded)) != "");
    CHECK(disagreement(answer(infinity, 9, bounded), answer("000080ff", 9, bounded)) != "");
  }
}

TEST_CASE("an answer that may overflow on the way agrees where it is finite", "[agreement]") {
  Answer overflowing = answer("0000803f0000807f", 0.5);  // 1, infinity
  CHECK(disagreement(overflowing, answer("0000803f0000803f")) != "");
  overflowing.ulp_max = std::numeric_limits<double>::infinity();
  CHECK(disagreement(overflowing, answer("0000803f0000803f")) == "");
  CHECK(disagreement(answer("0000803f0000803f"), overflowing) == "");
  CHECK(disagreement(overflowing, answer("000000400000803f")).starts_with("out[0] is 1 and 2"));
}

TEST_CASE("every element is compared, and none may be missing", "[agreement]") {
  CHECK(disagreement(answer("0000803f0000803f"), answer("0000803f00000040"))
            .starts_with("out[1] is 1 and 2"));
  CHECK(disagreement(answer(one), answer("0000803f00000040")) == "1 and 2 elements");
  CHECK(disagreement(answer(""), answer(one)) == "0 and 1 elements");
  CHECK(disagreement(answer("checksum:00"), answer("checksum:01")) != "");
}

TEST_CASE("floats of two bytes agree within the bounds, also with the floats they are rounded from",
          "[agreement]") {
  const auto half = [](const char* output, double bound) {
    return answer_of("f16", output, bound);
  };
  constexpr const char *one_in_two_bytes = "003c", *next = "013c", *infinite = "007c";
  CHECK(disagreement(half(one_in_two_bytes, 0), half(next, 0)) ==
        "out[0] is 1 and 1.0009765625; both bounds together allow 0");
  CHECK(disagreement(half(one_in_two_bytes, 0x1p-11), half(next, 0x1p-11)) == "");
  CHECK(disagreement(answer(one_and_a_bit), half(one_in_two_bytes, 0)) == "");
  CHECK(disagreement(half(one_in_two_bytes, 0), answer(one_and_a_bit)) == "");
  CHECK(disagreement(answer(one_and_a_bit), half(next, 0)) != "");
  CHECK(disagreement(answer(one_and_a_bit), half(next, 0x1p-10)) == "");
  constexpr const char* one_hundred_thousand = "0050c347";
  CHECK(disagreement(answer(one_hundred_thousand), half(infinite, 0)) == "");
  CHECK(disagreement(answer(one), half(infinite, 0)) != "");
  CHECK(disagreement(answer_of("bf16", "803f"), answer(one)) == "");
}
