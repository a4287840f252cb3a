// The checker: what a finding says, when it is made and when it is forgotten. That each kind of
// mistake is found, compare/tests/seeded/ shows.
#include <cooperative_groups.h>

#include <string>

#include "compare/emulated/checking/findings.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"
#include "compare/tests/emulator/findings.hpp"

using namespace ladder;
using Catch::Matchers::ContainsSubstring, Catch::Matchers::StartsWith;
using protocol::Finding;

namespace {

constexpr unsigned swap_line = __LINE__;
__global__ void swap_kernel(int* data) {
  const int other = data[threadIdx.x ^ 1];
  data[threadIdx.x] = other;
}

__global__ void same_value_kernel(int* out) {
  *out = 7;
}

__global__ void one_word_kernel(unsigned* out) {
  *out = blockIdx.x * blockDim.x + threadIdx.x;
}

// Ten words, and all threads write to each of them, in a line of its own.
__global__ void ten_races_kernel(unsigned* out) {
  out[0] = threadIdx.x;
  out[1] = threadIdx.x;
  out[2] = threadIdx.x;
  out[3] = threadIdx.x;
  out[4] = threadIdx.x;
  out[5] = threadIdx.x;
  out[6] = threadIdx.x;
  out[7] = threadIdx.x;
  out[8] = threadIdx.x;
  out[9] = threadIdx.x;
}

// A race between threads, where all touch data[0]; and one between lanes and their neighbours.
constexpr unsigned two_lines = __LINE__;
__global__ void two_races_kernel(unsigned* data) {
  const unsigned other = data[threadIdx.x ^ 1];
  data[threadIdx.x] = other;
  data[64] = other;
}

__global__ void first_of_block_kernel(const int* in, int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = in[blockIdx.x];
}

// The last block to take a ticket puts it back. fenced: with a fence after the ticket; last: as it
// should.
template <bool fenced, bool last>
__global__ void reset_ticket_kernel(unsigned* ticket) {
  __threadfence();
  const bool is_last = atomicAdd(ticket, 1U) == gridDim.x - 1;
  if (fenced) __threadfence();
  if (last ? is_last : blockIdx.x == 0) *ticket = 0;
}

template <bool fenced, bool last>
std::size_t findings_of_reset() {
  return findings_of([] {
           const auto ticket = uploaded(std::vector<unsigned>(1));
           launch(reset_ticket_kernel<fenced, last>, {8, 1}, {}, ticket.data());
         })
      .size();
}

// A shuffle makes the thread that puts it back come after the one that takes it, and orders
// nothing.
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

// Two stores to dynamic shared memory, a store and a load there, and the same within one line.
enum class Places { two_stores, store_and_load, in_one_line };
template <Places places>
__global__ void dynamic_kernel(int* out) {
  int* const memory = dynamic_shared<int>();
  const unsigned t = threadIdx.x;
  memory[t] = 0;
  __syncthreads();
  if (places == Places::in_one_line) {
    memory[t / 2] = static_cast<int>(t);
    return;
  }
  memory[t] = static_cast<int>(t);
  if (places == Places::two_stores) memory[t ^ 32] = -1;
  else out[t] = memory[t ^ 32];
}

__global__ void static_kernel(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 0;
  __syncthreads();
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = tile[threadIdx.x ^ 32];
}

__global__ void two_widths_kernel(int* out) {
  __shared__ long long tile[64];
  tile[threadIdx.x] = 0;
  __syncthreads();
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = reinterpret_cast<const int*>(tile)[threadIdx.x ^ 32];
}

// The same value, or not, from two lines.
template <bool same>
__global__ void two_lines_kernel(int* out) {
  if (threadIdx.x == 0) *out = 7;
  if (threadIdx.x == 32) *out = same ? 7 : 8;
}

__global__ void clear_and_add_kernel(int* out) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *out = 0;
  atomicAdd(out, 1);
}

__global__ void neighbour_in_cluster_kernel(int* out) {
  __shared__ int value[1];
  const auto cluster = cooperative_groups::this_cluster();
  value[0] = 0;
  cluster.sync();
  *cluster.map_shared_rank(value, 1 - cluster.block_rank()) = 1;
  out[blockIdx.x] = value[0];
  cluster.sync();
}

// What the only finding says.
template <class... Parameters>
Finding finding_of(void (*kernel)(Parameters...), const LaunchShape& shape) {
  const auto found =
      findings_of([&] { launch(kernel, shape, {}, uploaded(std::vector<int>(128)).data()); });
  INFO(in_words(found));
  REQUIRE(found.size() == 1);
  return found[0];
}

}  // namespace

TEST_CASE("where two lines may mean two arrays, their offsets are to be checked") {
  constexpr LaunchShape block{1, 64, 128 * sizeof(int)};
  CHECK_THAT(finding_of(dynamic_kernel<Places::two_stores>, block).advice,
             StartsWith("Do the two mean different arrays of dynamic shared memory? Then these") &&
                 ContainsSubstring("If they mean one: Put a __syncthreads()"));
  CHECK_THAT(finding_of(dynamic_kernel<Places::store_and_load>, block).advice,
             StartsWith("Put a __syncthreads()") &&
                 ContainsSubstring("Do the two mean different arrays of dynamic shared memory?"));
  for (const Finding& found :
       {finding_of(dynamic_kernel<Places::in_one_line>, block), finding_of(static_kernel, block)}) {
    CHECK_THAT(found.advice, !ContainsSubstring("different arrays"));
    CHECK_THAT(found.message, !ContainsSubstring("4 bytes in"));
  }
  const Finding widths = finding_of(two_widths_kernel, block);
  CHECK_THAT(widths.message,
             ContainsSubstring("writes 8 bytes in") && ContainsSubstring("reads 4 bytes in"));
  CHECK_THAT(widths.advice,
             ContainsSubstring("Do the two mean different arrays? Then these overlap"));
}

TEST_CASE("two stores of one value need one of them, and from two lines they may differ") {
  CHECK_THAT(finding_of(same_value_kernel, {1, 64}).advice,
             StartsWith("Both write the same value") && !ContainsSubstring("__sync"));
  CHECK_THAT(finding_of(two_lines_kernel<true>, {1, 64}).advice,
             StartsWith("Both write the same value") &&
                 ContainsSubstring("Where the two may differ: Put a __syncthreads()"));
  CHECK_THAT(finding_of(two_lines_kernel<false>, {1, 64}).advice,
             StartsWith("Put a __syncthreads()"));
}

TEST_CASE("the advice is of the barrier that the launch has") {
  CHECK_THAT(finding_of(clear_and_add_kernel, {1, 64}).advice,
             StartsWith("An atomic is atomic against other atomics only. Put a __syncthreads()"));
  CHECK_THAT(finding_of(clear_and_add_kernel, {4, 1}).advice,
             StartsWith("An atomic is atomic against other atomics only. Blocks run in any order, "
                        "and at the same time. Give each its own place"));
  CHECK_THAT(finding_of(clear_and_add_kernel, {.grid = 4, .block = 1, .resident = true}).advice,
             ContainsSubstring("Call grid.sync() between the two"));
  const Finding cluster =
      finding_of(neighbour_in_cluster_kernel, {.grid = 2, .block = 1, .cluster = 2});
  CHECK_THAT(cluster.advice, ContainsSubstring("call cluster.sync() between the two") &&
                                 !ContainsSubstring("__threadfence"));
}

TEST_CASE(
    "the last block may reset the ticket that it took, with a fence or without, and any other may "
    "not") {
  CHECK(findings_of_reset<true, true>() == 0);
  // it has seen all atomics before its own: PTX's observation order
  CHECK(findings_of_reset<false, true>() == 0);
  CHECK(findings_of_reset<true, false>() > 0);
  CHECK(findings_of([] {
          const auto ticket = uploaded(std::vector<unsigned>(1));
          launch(reset_by_another_kernel, {8, 2}, {}, ticket.data());
        }).size() == 1);
}

TEST_CASE("what is declared unwritten is, until it is written") {
  const auto found = findings_of([] {
    emulated::checker::call_arrays("output", "input");
    const auto output = uploaded(std::vector<int>(1)), input = uploaded(std::vector<int>(1));
    launch(add_kernel, {1, 1}, {}, output.data());
    emulated::checker::unwritten("output");
    launch(add_kernel, {1, 1}, {}, input.data());
    launch(add_kernel, {1, 1}, {}, output.data());
    launch(add_kernel, {1, 1}, {}, output.data());
  });
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "uninitialised global memory");
  CHECK(found[0].times == 1);
  CHECK(found[0].message.starts_with("output + 0 bytes"));
  CHECK_THAT(found[0].message, ContainsSubstring("nobody has written there since this run began"));
  CHECK_THAT(found[0].advice, ContainsSubstring("launch a kernel first that clears it"));

  const auto scratch = findings_of([] {
    launch(add_kernel, {1, 1}, {}, DeviceArray<int>(1).data());
  });
  REQUIRE(scratch.size() == 1);
  CHECK_THAT(scratch[0].message, ContainsSubstring("since the array was allocated"));
}

TEST_CASE(
    "a finding names both lines, the threads, the array, what is missing and what mends it, and "
    "comes once") {
  const auto found = findings_of([] {
    emulated::checker::call_arrays("output", "input");
    const DeviceArray<int> output(1);
    const auto data = uploaded(counted<int>(64));
    launch(swap_kernel, {1, 64}, {}, data.data());
    launch(swap_kernel, {1, 64}, {}, data.data());
  });
  REQUIRE(found.size() == 1);
  const std::string file = "compare/tests/emulator/checker_test.cpp:";
  const Finding& race = found[0];
  CHECK(race.kind == "race");
  CHECK(race.kernel == "swap_kernel");
  CHECK(race.line == file + std::to_string(swap_line + 2));
  CHECK(race.other_line == file + std::to_string(swap_line + 3));
  CHECK(race.times == 2 * 64);
  CHECK(race.message == "input + 0 bytes: block 0, thread 0 writes in " + file +
                            std::to_string(swap_line + 3) + ", block 0, thread 1 reads in " + file +
                            std::to_string(swap_line + 2) +
                            "; no __syncwarp and no __syncthreads is between them.");
  CHECK(race.advice.find("put a __syncwarp() between the two") != std::string::npos);
}

TEST_CASE("every race of a kernel is a finding of its own") {
  const auto ten = findings_of([] {
    const auto out = uploaded(std::vector<unsigned>(10));
    launch(ten_races_kernel, {1, 64}, {}, out.data());
  });
  INFO(in_words(ten));
  CHECK(ten.size() == 10);
  for (const Finding& race : ten) {
    CHECK(race.line == race.other_line);
    CHECK(race.times == 63);
  }

  const auto two = findings_of([] {
    const auto data = uploaded(counted<unsigned>(65));
    launch(two_races_kernel, {1, 64}, {}, data.data());
  });
  const std::string file = "compare/tests/emulator/checker_test.cpp:";
  REQUIRE(two.size() == 2);
  CHECK(two[0].line == file + std::to_string(two_lines + 2));
  CHECK(two[0].other_line == file + std::to_string(two_lines + 3));
  CHECK(two[1].line == file + std::to_string(two_lines + 4));
  CHECK(two[1].other_line == file + std::to_string(two_lines + 4));
}

TEST_CASE("of the pairs that race at one place the farthest is told, and what mends it") {
  const auto advice = [](unsigned blocks, unsigned threads) {
    const auto found = findings_of([&] {
      const auto out = uploaded(std::vector<unsigned>(1));
      launch(one_word_kernel, {blocks, threads}, {}, out.data());
    });
    REQUIRE(found.size() == 1);
    CHECK(found[0].times == blocks * threads - 1);
    return found[0].advice;
  };
  CHECK(advice(1, 32).find("put a __syncwarp() between the two") != std::string::npos);
  for (const unsigned threads : {32U, 64U})
    CHECK(advice(1, threads).ends_with("its index is another's too."));
  CHECK(advice(1, 64).starts_with("Put a __syncthreads() between the two"));
  CHECK(advice(2, 32).starts_with("Blocks run in any order"));
}

TEST_CASE("places are told apart by file, line and column, however far apart they are") {
  const auto found_between = [](const emulated::Here& first, const emulated::Here& second) {
    emulated::Findings findings;
    for (const auto& where : {first, second}) {
      emulated::RawFinding find{{}, nullptr, emulated::FindingKind::uninitialised_shared};
      find.second.place = where;
      findings.add(find);
    }
    std::uint64_t times = 0;
    for (const Finding& found : findings.in_words(false)) times += found.times;
    CHECK(times == 2);
    return findings.in_words(false).size();
  };
  CHECK(found_between({"a.cu", 7, 1}, {"a.cu", 7, 1}) == 1);
  CHECK(found_between({"a.cu", 7, 1}, {"a.cu", 7, 2}) == 1);  // one line
  CHECK(found_between({"a.cu", 7, 1}, {"b.cu", 7, 1}) == 2);
  CHECK(found_between({"a.cu", 7, 1}, {"a.cu", 7 + (1 << 16), 1}) == 2);
}

TEST_CASE(
    "findings are forgotten when asked to be, and nothing is found where nothing is checked") {
  const auto out = uploaded(std::vector<int>(1));
  launch(same_value_kernel, {1, 64}, {}, out.data());
  const emulated::Checking checking;
  CHECK(emulated::checker::findings().empty());
  launch(same_value_kernel, {1, 64}, {}, out.data());
  CHECK(emulated::checker::findings().size() == 1);
  emulated::checker::forget_findings();
  CHECK(emulated::checker::findings().empty());
}

TEST_CASE("launches are ordered one after another") {
  CHECK(in_words(findings_of([] {
          const auto in = uploaded(counted<int>(8)), out = uploaded(std::vector<int>(8));
          for (int launches = 0; launches < 2; ++launches) {
            launch(first_of_block_kernel, {8, 32}, {}, in.data(), out.data());
            launch(first_of_block_kernel, {8, 32}, {}, out.data(), in.data());
          }
        })) == "");
}
