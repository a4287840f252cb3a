// A kernel that touches no memory, asked where it is.
#include "compare/emulated/worker/whereabouts.hpp"

#include <csignal>
#include <string>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

using namespace ladder;

namespace {

volatile bool goes_on = true;

// To the hooks it is no access.
__attribute__((no_sanitize("thread"))) bool still() {
  return goes_on;
}

__global__ void endless_kernel() {
  if (blockIdx.x == 1 && threadIdx.x == 2) {
    raise(SIGURG);
    while (still()) {
    }
  }
}

}  // namespace

TEST_CASE("a kernel that touches no memory says where it is, when it is asked by a signal") {
  std::string told;
  {
    const emulated::Whereabouts whereabouts([&](const std::string& where) {
      told = where;
      goes_on = false;
    });
    launch(endless_kernel, {2, 3}, {});
    const std::string file = "compare/tests/emulator/whereabouts_test.cpp:";
    CAPTURE(told);
    CHECK(told.starts_with("endless_kernel in " + file));
    CHECK(told.ends_with(", block 1, thread 2"));
  }
  told.clear();
  raise(SIGURG);
  raise(SIGALRM);
  CHECK(told.empty());
}
