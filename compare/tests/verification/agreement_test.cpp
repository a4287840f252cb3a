// The comparison of answers is itself held to examples.
#include "compare/tests/verification/agreement.hpp"

#include "compare/tests/catch.hpp"

using ladder::protocol::Answer;
using ladder::tests::disagreement;

namespace {

Answer answer(const char* output, double bound = 0, bool bounded = true) {
  Answer made;
  made.output = output;
  made.bound = bound;
  made.bounded = bounded;
  return made;
}

// Little-endian floats.
constexpr const char *one = "0000803f", *one_and_a_bit = "0100803f", *two = "00000040",
                     *zero = "00000000", *minus_zero = "00000080", *infinity = "0000807f",
                     *quiet_nan = "0000c07f", *other_nan = "0100c0ff";

}  // namespace

TEST_CASE("integers agree bit for bit", "[agreement]") {
  CHECK(disagreement("i32", answer(one), answer(one)) == "");
  CHECK(disagreement("i32", answer(zero), answer(minus_zero)) != "");
  CHECK(disagreement("i64", answer(one), answer("0000803f00000000")) ==
        "from byte 4 on  and 00000000");
  const std::string many(1 << 16, '0');
  CHECK(disagreement("i32", answer((many + "01000000" + many).c_str()),
                     answer((many + "11000000" + many).c_str())) ==
        "from byte 32768 on 0100000000000000 and 1100000000000000");
}

TEST_CASE("exact floats agree bit for bit, but for the sign of zero and the bits of NaN",
          "[agreement]") {
  CHECK(disagreement("f32", answer(zero), answer(minus_zero)) == "");
  CHECK(disagreement("f32", answer(quiet_nan), answer(other_nan)) == "");
  CHECK(disagreement("f32", answer(one), answer(one_and_a_bit)) ==
        "out[0] is 1 and 1.0000001; both bounds together allow 0");
  CHECK(disagreement("f64", answer("000000000000f03f"), answer("010000000000f03f")) != "");
}

TEST_CASE("floats agree within both bounds together, and where there are none, if both are finite",
          "[agreement]") {
  CHECK(disagreement("f32", answer(one, 0.5), answer(two, 0.5)) == "");
  CHECK(disagreement("f32", answer(one, 0.5), answer(two, 0.4)) != "");
  CHECK(disagreement("f32", answer(one, 0, false), answer(two, 0, false)) == "");
  for (const bool bounded : {true, false}) {
    CHECK(disagreement("f32", answer(one, 9, bounded), answer(infinity, 9, bounded)) != "");
    CHECK(disagreement("f32", answer(quiet_nan, 9, bounded), answer(one, 9, bounded)) != "");
    CHECK(disagreement("f32", answer(infinity, 9, bounded), answer("000080ff", 9, bounded)) != "");
  }
}

TEST_CASE("every element is compared, and none may be missing", "[agreement]") {
  CHECK(disagreement("f32", answer("0000803f0000803f"), answer("0000803f00000040"))
            .starts_with("out[1] is 1 and 2"));
  CHECK(disagreement("f32", answer(one), answer("0000803f00000040")) == "1 and 2 elements");
  CHECK(disagreement("f32", answer(""), answer(one)) == "0 and 1 elements");
  CHECK(disagreement("f32", answer("checksum:00"), answer("checksum:01")) != "");
}
