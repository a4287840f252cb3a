// The checker: kernels with one mistake each, beside their correct twins. Under every one of many schedules the mistake is found, by its name, and
// the twin is clean.
#include <functional>
#include <string>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

using namespace ladder;
using emulated::Finding;
using Kind = Finding::Kind;

namespace {

constexpr unsigned seeds = 50;  // and schedule 0
constexpr unsigned threads = 128;
constexpr unsigned whole_warp = 0xffffffff;

// What one run comes to; what stops a kernel is a finding too.
std::vector<Finding> findings_of(const std::function<void(emulated::Checking&)>& run) {
  emulated::Checking checking;
  try {
    run(checking);
  } catch (const emulated::KernelFault& fault) {
    auto all = checking.findings();
    all.push_back({Kind::fault, {}, {}, {}, fault.what(), {}});
    return all;
  }
  return checking.findings();
}

std::string in_words(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += std::string(name_of(finding.kind)) + ": " + finding.message + ' ' + finding.advice + '\n';
  return text;
}

// `wrong` is found under each seed, as this kind and with these words; `right` is clean.
void check_twins(Kind kind, const std::string& words, const std::function<void()>& wrong, const std::function<void()>& right) {
  for (unsigned seed = 0; seed <= seeds; ++seed) {
    const Schedule schedule(seed);
    INFO("seed " << seed);
    const auto found = findings_of([&](emulated::Checking&) { wrong(); });
    {
      INFO(words << "\n" << in_words(found));
      REQUIRE(std::ranges::any_of(found, [&](const Finding& f) { return f.kind == kind && f.message.find(words) != std::string::npos; }));
    }
    REQUIRE(in_words(findings_of([&](emulated::Checking&) { right(); })) == "");
  }
}

// Of kernels that take an input and an output of `count` elements.
using Kernel = void (*)(const int*, int*);
std::function<void()> launched(Kernel kernel, LaunchShape shape, std::size_t count = 1024) {
  return [=] {
    const auto in = uploaded(counted<int>(count)), out = uploaded(std::vector<int>(count));
    launch(kernel, shape, {}, in.data(), out.data());
  };
}

// --- within a block ------------------------------------------------------------------------------------------------------------------------------

enum class Barrier { first, in_loop };

template <bool right, Barrier which>
__global__ void tree_kernel(const int* in, int* out) {
  __shared__ int tile[threads];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  if (right || which != Barrier::first) __syncthreads();
  for (unsigned stride = threads / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    if (right || which != Barrier::in_loop) __syncthreads();
  }
  if (t == 0) *out = tile[0];
}

// The barrier that only the result of the last step waits for.
template <bool right>
__global__ void broadcast_kernel(const int* in, int* out) {
  __shared__ int tile[threads];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  for (unsigned stride = threads / 2; stride > 0; stride /= 2) {
    if (stride < threads / 2) __syncthreads();
    if (t < stride) tile[t] += tile[t + stride];
  }
  if (right) __syncthreads();
  out[t] = tile[0];
}

// The last warp of old, which trusts volatile: in shared memory, and in global memory.
template <bool right, bool in_global>
__global__ void last_warp_kernel(const int* in, int* out) {
  __shared__ int of_block[64];
  const unsigned t = threadIdx.x;
  volatile int* const tile = in_global ? out : of_block;
  tile[t] = in[t];
  tile[t + 32] = in[t + 32];
  __syncwarp();
  for (unsigned stride = 32; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = tile[t] + tile[t + stride];
    if (right) __syncwarp();
  }
  if (t == 0) *out = tile[0];
}

// A shuffle hands over its value, and no memory.
template <bool right>
__global__ void shuffle_kernel(const int* in, int* out) {
  __shared__ int tile[32];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  const int value = __shfl_xor_sync(whole_warp, in[t], 1);
  if (right) __syncwarp();
  out[t] = value + tile[31 - t];
}

// Each half of the warp meets by itself.
template <bool right>
__global__ void half_warp_kernel(const int* in, int* out) {
  __shared__ int tile[32];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  __syncwarp(t < 16 ? 0x0000ffff : 0xffff0000);
  out[t] = tile[right ? t ^ 15 : 31 - t];
}

template <bool right, bool in_global>
__global__ void histogram_kernel(const int* in, int* out) {
  __shared__ int of_block[8];
  int* const bins = in_global ? out : of_block;
  const unsigned t = threadIdx.x;
  if (!in_global && t < 8) bins[t] = 0;
  __syncthreads();
  int& bin = bins[in[t] % 8];
  if (right) atomicAdd(&bin, 1);
  else bin += 1;
  __syncthreads();
  if (!in_global && t < 8) atomicAdd(&out[t], bins[t]);
}

// Atomics, and a read that does not wait for them.
template <bool right>
__global__ void atomic_then_read_kernel(const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, in[threadIdx.x]);
  if (right) __syncthreads();
  out[threadIdx.x] = total;
}

template <bool right>
__global__ void same_value_kernel(const int*, int* out) {
  if (!right || threadIdx.x == 0) *out = 7;
}

// A byte each: neighbours, not one word.
template <bool right>
__global__ void bytes_kernel(const int* in, int* out) {
  __shared__ unsigned char tile[threads];
  const unsigned t = threadIdx.x;
  tile[right ? t : t / 2] = static_cast<unsigned char>(in[t]);
  __syncthreads();
  out[t] = tile[right ? t : t / 2];
}

}  // namespace

TEST_CASE("a missing block barrier") {
  const LaunchShape one_block{1, threads};
  check_twins(Kind::race, "no __sync", launched(tree_kernel<false, Barrier::first>, one_block),
              launched(tree_kernel<true, Barrier::first>, one_block));
  check_twins(Kind::race, "shared tile + ", launched(tree_kernel<false, Barrier::in_loop>, one_block),
              launched(tree_kernel<true, Barrier::in_loop>, one_block));
  check_twins(Kind::race, "shared tile + 0 bytes", launched(broadcast_kernel<false>, one_block), launched(broadcast_kernel<true>, one_block));
}

TEST_CASE("a last warp without __syncwarp") {
  check_twins(Kind::race, "no __syncwarp", launched(last_warp_kernel<false, false>, {1, 32}), launched(last_warp_kernel<true, false>, {1, 32}));
  check_twins(Kind::race, "no __syncwarp", launched(last_warp_kernel<false, true>, {1, 32}), launched(last_warp_kernel<true, true>, {1, 32}));
}

TEST_CASE("a shuffle in place of __syncwarp, and a __syncwarp of others") {
  check_twins(Kind::race, "no __syncwarp", launched(shuffle_kernel<false>, {1, 32}), launched(shuffle_kernel<true>, {1, 32}));
  check_twins(Kind::race, "no __syncwarp", launched(half_warp_kernel<false>, {1, 32}), launched(half_warp_kernel<true>, {1, 32}));
}

TEST_CASE("a histogram without atomics") {
  check_twins(Kind::race, "shared of_block + ", launched(histogram_kernel<false, false>, {2, threads}),
              launched(histogram_kernel<true, false>, {2, threads}));
  check_twins(Kind::race, "array 2 + ", launched(histogram_kernel<false, true>, {2, threads}), launched(histogram_kernel<true, true>, {2, threads}));
  check_twins(Kind::race, "updates atomically", launched(atomic_then_read_kernel<false>, {1, threads}),
              launched(atomic_then_read_kernel<true>, {1, threads}));
}

TEST_CASE("two writes of one value race, and neighbouring bytes do not") {
  check_twins(Kind::race, "the same value twice", launched(same_value_kernel<false>, {1, 64}), launched(same_value_kernel<true>, {1, 64}));
  check_twins(Kind::race, "shared tile + ", launched(bytes_kernel<false>, {1, threads}), launched(bytes_kernel<true>, {1, threads}));
}

// --- between blocks --------------------------------------------------------------------------------------------------------------------------------

namespace {

enum class Fence { both, release, acquire, block_scope, after_barrier };

// The last block to take a ticket sums the partials of all. With the fences named, or those missing.
template <Fence fences>
__global__ void last_block_kernel(const int* in, int* partials, unsigned* tickets, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 1) partials[blockIdx.x] = in[blockIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    if (fences == Fence::both || fences == Fence::release || fences == Fence::after_barrier) __threadfence();
    if (fences == Fence::block_scope) __threadfence_block();
    is_last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    if (fences == Fence::both || fences == Fence::acquire) __threadfence();
    if (fences == Fence::block_scope) __threadfence_block();
  }
  __syncthreads();
  if (!is_last) return;
  if (fences == Fence::after_barrier) __threadfence();
  if (threadIdx.x < gridDim.x) atomicAdd(out, partials[threadIdx.x]);
}

template <Fence fences>
std::function<void()> last_block() {
  return [] {
    const auto in = uploaded(counted<int>(8)), out = uploaded(std::vector<int>(1));
    const auto tickets = uploaded(std::vector<unsigned>{0});
    const DeviceArray<int> partials(8);
    launch(last_block_kernel<fences>, {8, 64}, {}, in.data(), partials.data(), tickets.data(), out.data());
    CHECK(downloaded(out, 1)[0] == 28);
  };
}

// Each block waits for the prefix of the one before it.
template <Fence fences, bool atomic_flag>
__global__ void look_back_kernel(const int* in, int* prefixes, int* ready) {
  __shared__ int before;
  if (threadIdx.x == 0 && blockIdx.x > 0) {
    if (atomic_flag) {
      while (atomicAdd(&ready[blockIdx.x - 1], 0) == 0) {
      }
    } else {
      while (const_cast<volatile int*>(ready)[blockIdx.x - 1] == 0) {
      }
    }
    if (fences == Fence::both || fences == Fence::acquire) __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 1) before = blockIdx.x == 0 ? 0 : prefixes[blockIdx.x - 1];
  __syncthreads();
  if (threadIdx.x == 0) {
    prefixes[blockIdx.x] = before + in[blockIdx.x];
    if (fences == Fence::both || fences == Fence::release) __threadfence();
    if (atomic_flag) atomicExch(&ready[blockIdx.x], 1);
    else const_cast<volatile int*>(ready)[blockIdx.x] = 1;
  }
}

template <Fence fences, bool atomic_flag>
std::function<void()> look_back() {
  return [] {
    const auto in = uploaded(counted<int>(8));
    const auto prefixes = uploaded(std::vector<int>(8)), ready = uploaded(std::vector<int>(8));
    launch(look_back_kernel<fences, atomic_flag>, {8, 32}, {}, in.data(), prefixes.data(), ready.data());
    CHECK(downloaded(prefixes, 8)[7] == 28);
  };
}

// Value and flag in one word, which needs no fence; in a plain word, a race.
template <bool right>
__global__ void one_word_kernel(const int* in, unsigned long long* words) {
  if (threadIdx.x != 0) return;
  unsigned long long before = 0;
  if (blockIdx.x > 0) {
    if (right) {
      while ((before = const_cast<volatile unsigned long long*>(words)[blockIdx.x - 1]) >> 32 == 0) {
      }
    } else {
      before = words[blockIdx.x - 1];
    }
  }
  const unsigned sum = static_cast<unsigned>(before) + static_cast<unsigned>(in[blockIdx.x]);
  const_cast<volatile unsigned long long*>(words)[blockIdx.x] = 1ull << 32 | sum;
}

// A flag within a block: the other threads wait for thread 0's value. There a fence of the block's scope is enough.
template <bool right>
__global__ void flag_kernel(const int* in, int* out) {
  __shared__ int value;
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  volatile int* const signal = &flag;
  if (threadIdx.x == 40) {
    value = *in;
    __threadfence_block();
    *signal = 1;
  }
  if (threadIdx.x == 0) {
    while (*signal == 0) {
    }
    if (right) __threadfence_block();
    *out = value;
  }
}

// Lane 0 reads the flag and fences, and __syncwarp hands that on to lane 1.
template <bool right>
__global__ void warp_look_back_kernel(const int* in, int* out) {
  volatile int* const ready = out + 8;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    out[0] = in[0];
    __threadfence();
    *ready = 1;
  }
  if (blockIdx.x == 0) return;
  if (threadIdx.x == 0) {
    while (*ready == 0) {
    }
    __threadfence();
  }
  if (right) __syncwarp();
  if (threadIdx.x == 1) out[blockIdx.x] = out[0];
}

// A flag in shared memory is another in each block.
template <bool right>
__global__ void shared_flag_kernel(const int* in, int* out) {
  __shared__ int flag;
  flag = 0;
  if (blockIdx.x == 0) {
    out[8] = in[8];
    __threadfence();
    atomicAdd(&flag, 1);
  } else {
    atomicAdd(&flag, 0);
    __threadfence();
    out[blockIdx.x] = right ? in[8] : out[8];
  }
}

// All blocks write one word.
template <bool right>
__global__ void one_result_kernel(const int* in, int* out) {
  if (threadIdx.x == 0) out[right ? blockIdx.x : 0] = in[blockIdx.x];
}

}  // namespace

TEST_CASE("the last block, without the fences on both sides of its ticket") {
  const auto right = last_block<Fence::both>();
  check_twins(Kind::race, "nothing orders the two blocks", last_block<Fence::acquire>(), right);
  check_twins(Kind::race, "a fence after the read of the flag is missing", last_block<Fence::release>(), right);
  check_twins(Kind::race, "orders the two blocks", last_block<Fence::block_scope>(), right);
  check_twins(Kind::race, "in compare/tests/emulator/checker_test.cpp:", last_block<Fence::after_barrier>(), right);
}

TEST_CASE("a look-back without the fences on both sides of its flag") {
  check_twins(Kind::race, "a fence after the read of the flag is missing", look_back<Fence::release, false>(), look_back<Fence::both, false>());
  check_twins(Kind::race, "a fence after the read of the flag is missing", look_back<Fence::release, true>(), look_back<Fence::both, true>());
  check_twins(Kind::race, "nothing orders the two blocks", look_back<Fence::acquire, false>(), look_back<Fence::both, false>());
  check_twins(Kind::race, "nothing orders the two blocks", look_back<Fence::acquire, true>(), look_back<Fence::both, true>());
}

TEST_CASE("blocks that speak through one word, flags within a block, and blocks that all write one word") {
  const auto one_word = [](auto kernel) {
    return [=] {
      const auto in = uploaded(counted<int>(8));
      const auto words = uploaded(std::vector<unsigned long long>(8));
      launch(kernel, {8, 32}, {}, in.data(), words.data());
    };
  };
  check_twins(Kind::race, "nothing orders the two blocks", one_word(one_word_kernel<false>), one_word(one_word_kernel<true>));
  check_twins(Kind::race, "shared value + 0 bytes", launched(flag_kernel<false>, {1, 64}), launched(flag_kernel<true>, {1, 64}));
  check_twins(Kind::race, "orders the two blocks", launched(shared_flag_kernel<false>, {2, 1}), launched(shared_flag_kernel<true>, {2, 1}));
  check_twins(Kind::race, "block 1, thread 1 reads in ", launched(warp_look_back_kernel<false>, {2, 32}),
              launched(warp_look_back_kernel<true>, {2, 32}));
  check_twins(Kind::race, "block 0, thread 0 writes in ", launched(one_result_kernel<false>, {2, 32}), launched(one_result_kernel<true>, {2, 32}));
}

TEST_CASE("launches are ordered one after another") {
  CHECK(in_words(findings_of([](emulated::Checking&) {
          const auto in = uploaded(counted<int>(8)), out = uploaded(std::vector<int>(8));
          for (int launches = 0; launches < 2; ++launches) {
            launch(one_result_kernel<true>, {8, 32}, {}, in.data(), out.data());
            launch(one_result_kernel<true>, {8, 32}, {}, out.data(), in.data());
          }
        })) == "");
}

// --- values and bounds ---------------------------------------------------------------------------------------------------------------------------

namespace {

// A block of which the last threads have no element: they have to bring a neutral one.
template <bool right>
__global__ void ragged_tile_kernel(const int* in, int* out) {
  __shared__ int tile[threads];
  const unsigned t = threadIdx.x;
  if (t < 100) tile[t] = in[t];
  else if (right) tile[t] = 0;
  __syncthreads();
  if (t < 64) out[t] = tile[t] + tile[t + 64];
}

template <bool right>
__global__ void scratch_kernel(const int* in, int* scratch, int* out) {
  if (threadIdx.x < (right ? 32 : 31)) scratch[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = scratch[31 - threadIdx.x];
}

template <bool right>
__global__ void tail_kernel(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!right || i < 100) out[i] = 2 * in[i];
}

template <bool right>
__global__ void off_by_one_kernel(const int* in, int* out) {
  const unsigned i = threadIdx.x;
  if (i < (right ? 99 : 100)) out[i] = in[i + 1] - in[i];
}

template <bool right>
__global__ void dynamic_kernel(const int* in, int* out) {
  int* const tile = dynamic_shared<int>();
  tile[threadIdx.x + (right ? 0 : 1)] = in[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x + (right ? 0 : 1)];
}

template <bool right>
__global__ void static_kernel(const int* in, int* out) {
  __shared__ int tile[threads];
  tile[threadIdx.x + (right ? 0 : 1)] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}

}  // namespace

TEST_CASE("memory that nobody wrote") {
  check_twins(Kind::uninitialised_shared, "shared tile + ", launched(ragged_tile_kernel<false>, {1, threads}),
              launched(ragged_tile_kernel<true>, {1, threads}));
  const auto scratch = [](auto kernel) {
    return [=] {
      const auto in = uploaded(counted<int>(32));
      const DeviceArray<int> between(32), out(32);
      launch(kernel, {1, 32}, {}, in.data(), between.data(), out.data());
    };
  };
  check_twins(Kind::uninitialised_global, "array 2 + 124 bytes: block 0, thread 0 reads in", scratch(scratch_kernel<false>),
              scratch(scratch_kernel<true>));
}

TEST_CASE("no guard for the tail, one element too far, past a shared array") {
  check_twins(Kind::fault, "out of bounds", launched(tail_kernel<false>, {1, threads}, 100), launched(tail_kernel<true>, {1, threads}, 100));
  check_twins(Kind::fault, "reads 4 bytes at offset 400 of the array of 400 bytes", launched(off_by_one_kernel<false>, {1, threads}, 100),
              launched(off_by_one_kernel<true>, {1, threads}, 100));
  check_twins(Kind::fault, "bytes of dynamic shared memory", launched(dynamic_kernel<false>, {1, threads, threads * sizeof(int)}),
              launched(dynamic_kernel<true>, {1, threads, threads * sizeof(int)}));
  check_twins(Kind::fault, "past the end of a shared array", launched(static_kernel<false>, {1, threads}),
              launched(static_kernel<true>, {1, threads}));
}

// --- barriers --------------------------------------------------------------------------------------------------------------------------------------

namespace {

template <bool right>
__global__ void divergent_kernel(const int*, int* out) {
  if (right) __syncthreads();
  else if (threadIdx.x < 16) __syncthreads();
  else __syncthreads();
  out[threadIdx.x] = 1;
}

template <bool right>
__global__ void against_warp_kernel(const int*, int* out) {
  if (right || threadIdx.x % 32 < 8) __syncthreads();
  else __syncwarp();
  out[threadIdx.x] = 1;
}

template <bool right>
__global__ void wrong_mask_kernel(const int* in, int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_down_sync(right ? 0x0000ffff : 0x000000ff, in[threadIdx.x], 1);
}

template <bool right>
__global__ void before_exit_kernel(const int*, int* out) {
  out[threadIdx.x] = 1;
  if (right || threadIdx.x < 7) __syncthreads();
}

}  // namespace

TEST_CASE("barriers that not all reach, and masks") {
  const LaunchShape shape{1, 64};
  check_twins(Kind::fault, "divergent barrier", launched(divergent_kernel<false>, shape), launched(divergent_kernel<true>, shape));
  check_twins(Kind::fault, "deadlock", launched(against_warp_kernel<false>, shape), launched(against_warp_kernel<true>, shape));
  check_twins(Kind::fault, "which does not name it", launched(wrong_mask_kernel<false>, shape), launched(wrong_mask_kernel<true>, shape));
  check_twins(Kind::exited_before_barrier, "57 have exited", launched(before_exit_kernel<false>, shape), launched(before_exit_kernel<true>, shape));
}

// --- what a finding says
// -----------------------------------------------------------------------------------------------------------------------------

namespace {

constexpr unsigned swap_line = __LINE__;
__global__ void swap_kernel(int* data) {
  const int other = data[threadIdx.x ^ 1];
  data[threadIdx.x] = other;
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
  CHECK(race.kind == Kind::race);
  CHECK(race.kernel == "swap_kernel");
  CHECK(race.line == file + std::to_string(swap_line + 2));
  CHECK(race.other_line == file + std::to_string(swap_line + 3));
  CHECK(race.times == 2 * 64);
  CHECK(race.message == "input + 0 bytes: block 0, thread 0 writes in " + file + std::to_string(swap_line + 3) + ", block 0, thread 1 reads in " +
                            file + std::to_string(swap_line + 2) + "; no __syncwarp and no __syncthreads is between them.");
  CHECK(race.advice.find("put a __syncwarp() between the two") != std::string::npos);
}

TEST_CASE("findings are forgotten when asked to be, and nothing is found where nothing is checked") {
  const auto in = uploaded(counted<int>(64)), out = uploaded(std::vector<int>(64));
  launch(same_value_kernel<false>, {1, 64}, {}, in.data(), out.data());
  emulated::Checking checking;
  CHECK(checking.findings().empty());
  launch(same_value_kernel<false>, {1, 64}, {}, in.data(), out.data());
  CHECK(checking.findings().size() == 1);
  checking.forget_findings();
  CHECK(checking.findings().empty());
}
