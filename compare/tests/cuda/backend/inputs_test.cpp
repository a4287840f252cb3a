// Inputs in the memory of each GPU.
#include <cstdint>
#include <span>

#include "compare/problem/watched_input.hpp"
#include "compare/team.hpp"
#include "compare/tests/catch.hpp"

using namespace ladder;

TEST_CASE("an input is whole on every device once it is made") {
  constexpr std::uint64_t n = 1 << 20;  // several threads make it
  constexpr unsigned rounds = 200;
  const auto generate = [](std::uint64_t first, std::span<int> values) {
    for (int& value : values) value = static_cast<int>(first++);
  };
  Team(backend::devices()).each([&](unsigned device, Stream) {
    INFO("device " << device);
    for (unsigned round = 0; round < rounds; ++round) {
      WatchedInput<int> input(generate, 0, n, 0);
      CHECK(input.damage(backend::checksum(input.whole())).empty());
    }
  });
}
