// The checker: what a finding says, when it is made and when it is forgotten. That each kind of mistake is found, compare/tests/seeded/ shows.
#include <string>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"
#include "compare/tests/emulator/findings.hpp"

using namespace ladder;
using emulated::Finding;

namespace {

constexpr unsigned swap_line = __LINE__;
__global__ void swap_kernel(int* data) {
  const int other = data[threadIdx.x ^ 1];
  data[threadIdx.x] = other;
}

__global__ void same_value_kernel(int* out) {
  *out = 7;
}

__global__ void first_of_block_kernel(const int* in, int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = in[blockIdx.x];
}

}  // namespace

TEST_CASE("a finding names both lines, the threads, the array, what is missing and what mends it; and comes once") {
  const auto found = findings_of([](emulated::Checking& checking) {
    checking.call_arrays("output", "input");
    const DeviceArray<int> output(1);
    const auto data = uploaded(counted<int>(64));
    launch(swap_kernel, {1, 64}, {}, data.data());
    launch(swap_kernel, {1, 64}, {}, data.data());
  });
  REQUIRE(found.size() == 1);
  const std::string file = "compare/tests/emulator/checker_test.cpp:";
  const Finding& race = found[0];
  CHECK(race.kind == Finding::Kind::race);
  CHECK(race.kernel == "swap_kernel");
  CHECK(race.line == file + std::to_string(swap_line + 2));
  CHECK(race.other_line == file + std::to_string(swap_line + 3));
  CHECK(race.times == 2 * 64);
  CHECK(race.message == "input + 0 bytes: block 0, thread 0 writes in " + file + std::to_string(swap_line + 3) + ", block 0, thread 1 reads in " +
                            file + std::to_string(swap_line + 2) + "; no __syncwarp and no __syncthreads is between them.");
  CHECK(race.advice.find("put a __syncwarp() between the two") != std::string::npos);
}

TEST_CASE("findings are forgotten when asked to be, and nothing is found where nothing is checked") {
  const auto out = uploaded(std::vector<int>(1));
  launch(same_value_kernel, {1, 64}, {}, out.data());
  emulated::Checking checking;
  CHECK(checking.findings().empty());
  launch(same_value_kernel, {1, 64}, {}, out.data());
  CHECK(checking.findings().size() == 1);
  checking.forget_findings();
  CHECK(checking.findings().empty());
}

TEST_CASE("launches are ordered one after another") {
  CHECK(in_words(findings_of([](emulated::Checking&) {
          const auto in = uploaded(counted<int>(8)), out = uploaded(std::vector<int>(8));
          for (int launches = 0; launches < 2; ++launches) {
            launch(first_of_block_kernel, {8, 32}, {}, in.data(), out.data());
            launch(first_of_block_kernel, {8, 32}, {}, out.data(), in.data());
          }
        })) == "");
}
