// The counts of one launch, for tests.
#pragma once

#include <type_traits>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

namespace ladder {

// What a launch does under schedule 0, which must be what it does under the others.
template <class... P>
emulated::Counts counts_of(void (*kernel)(P...), LaunchShape shape,
                           std::type_identity_t<P>... arguments) {
  const auto count = [&](std::uint64_t seed) {
    const Schedule schedule(seed);
    return emulated::count([&] { launch(kernel, shape, {}, arguments...); });
  };
  const emulated::Counts counts = count(0);
  for (const std::uint64_t seed : {1, 2, 3}) CHECK(count(seed) == counts);
  return counts;
}

}  // namespace ladder
