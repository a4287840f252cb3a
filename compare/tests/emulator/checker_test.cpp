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

// The last block to take a ticket puts it back. fenced: with a fence after the ticket; last: as it should.
template <bool fenced, bool last>
__global__ void reset_ticket_kernel(unsigned* ticket) {
  __threadfence();
  const bool is_last = atomicAdd(ticket, 1U) == gridDim.x - 1;
  if (fenced) __threadfence();
  if (last ? is_last : blockIdx.x == 0) *ticket = 0;
}

template <bool fenced, bool last>
std::size_t findings_of_reset() {
  return findings_of([](emulated::Checking&) {
           const auto ticket = uploaded(std::vector<unsigned>(1));
           launch(reset_ticket_kernel<fenced, last>, {8, 1}, {}, ticket.data());
         })
      .size();
}

// A shuffle makes the thread that puts it back come after the one that takes it, and orders nothing.
__global__ void reset_by_another_kernel(unsigned* ticket) {
  if (threadIdx.x == 0) {
    atomicAdd(ticket, 1U);
    __threadfence();
  }
  __shfl_sync(0b11, 0, 0);
  if (threadIdx.x == 1 && blockIdx.x == gridDim.x - 1) *ticket = 0;
}

__global__ void add_kernel(int* out) {
  atomicAdd(out, 1);
}

}  // namespace

TEST_CASE("the last block may reset the ticket that it took, any other may not, and not without a fence") {
  CHECK(findings_of_reset<true, true>() == 0);
  CHECK(findings_of_reset<false, true>() == 1);
  CHECK(findings_of_reset<true, false>() > 0);
  CHECK(findings_of([](emulated::Checking&) {
          const auto ticket = uploaded(std::vector<unsigned>(1));
          launch(reset_by_another_kernel, {8, 2}, {}, ticket.data());
        }).size() == 1);
}

TEST_CASE("what is declared unwritten is, until it is written") {
  const auto found = findings_of([](emulated::Checking& checking) {
    checking.call_arrays("output", "input");
    const auto output = uploaded(std::vector<int>(1)), input = uploaded(std::vector<int>(1));
    launch(add_kernel, {1, 1}, {}, output.data());
    checking.unwritten("output");
    launch(add_kernel, {1, 1}, {}, input.data());
    launch(add_kernel, {1, 1}, {}, output.data());
    launch(add_kernel, {1, 1}, {}, output.data());
  });
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Finding::Kind::uninitialised_global);
  CHECK(found[0].times == 1);
  CHECK(found[0].message.starts_with("output + 0 bytes"));
}

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
