// Names of functions in messages, and the lanes that a mask names.
#include "compare/emulated/memory/names.hpp"

#include <vector>

#include "compare/emulated/types/lanes.hpp"
#include "compare/tests/catch.hpp"

using namespace ladder::emulated;

TEST_CASE("a function is named without its return type, its scope and its parameters") {
  CHECK(own_name("main") == "main");
  CHECK(own_name("int a::f(int*, b::C)") == "f");
  CHECK(own_name("void a::f<int, a::Sum>(int*)") == "f<int, a::Sum>");
  CHECK(own_name("void (anonymous namespace)::f<(a::Kind)0>(int*)") == "f<(a::Kind)0>");
  CHECK(own_name("a::sum<a::k_kernel(int*)::{lambda()#1}>(int*)") ==
        "sum<a::k_kernel(int*)::{lambda()#1}>");
}

TEST_CASE("a mask names its lanes from the lowest on") {
  const auto lanes = [](std::uint32_t mask) {
    std::vector<unsigned> all;
    for (const unsigned lane : lanes_in(mask)) all.push_back(lane);
    return all;
  };
  CHECK(lanes(0).empty());
  CHECK(lanes(0x80000005) == std::vector<unsigned>{0, 2, 31});
  CHECK(lanes(first_lanes(3)) == std::vector<unsigned>{0, 1, 2});
  CHECK(lanes(first_lanes(32)).size() == 32);
  CHECK(lanes(first_lanes(33)).size() == 32);
}
