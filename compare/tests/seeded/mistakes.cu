#include "compare/tests/seeded/mistakes.hpp"

#include <stdexcept>

#include "compare/launch.hpp"
#include "compare/tests/device_memory.hpp"

namespace ladder::seeded {

constexpr unsigned threads = 128;
constexpr unsigned whole_warp = 0xffffffff;

// --- within a block ------------------------------------------------------------------------------------------------------------------------------

enum class Barrier { after_load, in_loop };

template <bool right, Barrier which>
__global__ void tree_kernel(const int* in, int* out) {
  __shared__ int tile[threads];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  if (right || which != Barrier::after_load) __syncthreads();
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

// As it was printed: all lanes work in all six steps, and lane 0 reads what lane 16 writes. So one __syncwarp after each step is not enough.
enum class Syncwarps { without, after_write, after_read_and_write };

template <Syncwarps syncwarps>
__global__ void unrolled_last_warp_kernel(const int* in, int* out) {
  __shared__ int tile[512];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  for (unsigned stride = 256; stride > 32; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t < 32) {
    volatile int* const v = tile;
    const auto step = [=](unsigned stride) {
      const int sum = v[t] + v[t + stride];
      if (syncwarps == Syncwarps::after_read_and_write) __syncwarp();
      v[t] = sum;
      if (syncwarps != Syncwarps::without) __syncwarp();
    };
    step(32);
    step(16);
    step(8);
    step(4);
    step(2);
    step(1);
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

// A flag within a block: thread 0 waits for the value of thread 40. There a fence of the block's scope is enough.
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

// --- between blocks ------------------------------------------------------------------------------------------------------------------------------

enum class Fence { both, none, release, acquire, block_scope, around_barriers };

// Blocks start in any order, and a tile waits for earlier ones only: so they are handed out in the order in which blocks start.
__device__ unsigned next_tile(unsigned* tickets) {
  __shared__ unsigned tile;
  if (threadIdx.x == 0) tile = atomicAdd(tickets, 1U);
  __syncthreads();
  return tile;
}

// The last block to take a ticket sums the partials of all. With the fences named, or those missing. around_barriers: in the threads that write and
// read the partials, apart from the ticket; fences have one order, so that will do.
template <Fence fences>
__global__ void last_block_kernel(const int* in, int* partials, unsigned* tickets, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 1) {
    partials[blockIdx.x] = in[blockIdx.x];
    if (fences == Fence::around_barriers) __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    if (fences == Fence::both || fences == Fence::release) __threadfence();
    if (fences == Fence::block_scope) __threadfence_block();
    is_last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    if (fences == Fence::both || fences == Fence::acquire) __threadfence();
    if (fences == Fence::block_scope) __threadfence_block();
  }
  __syncthreads();
  if (!is_last) return;
  if (fences == Fence::around_barriers) __threadfence();
  if (threadIdx.x < gridDim.x) atomicAdd(out, partials[threadIdx.x]);
}

// Each tile waits for the prefix of the one before it.
template <Fence fences, bool atomic_flag>
__global__ void look_back_kernel(const int* in, int* prefixes, int* ready, unsigned* tickets) {
  __shared__ int before;
  const unsigned tile = next_tile(tickets);
  if (threadIdx.x == 0 && tile > 0) {
    if (atomic_flag) {
      while (atomicAdd(&ready[tile - 1], 0) == 0) {
      }
    } else {
      while (const_cast<volatile int*>(ready)[tile - 1] == 0) {
      }
    }
    if (fences == Fence::both || fences == Fence::acquire) __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 1) before = tile == 0 ? 0 : prefixes[tile - 1];
  __syncthreads();
  if (threadIdx.x == 0) {
    prefixes[tile] = before + in[tile];
    if (fences == Fence::both || fences == Fence::release) __threadfence();
    if (atomic_flag) atomicExch(&ready[tile], 1);
    else const_cast<volatile int*>(ready)[tile] = 1;
  }
}

// Value and flag in one word, which needs no fence; in a plain word, a race.
template <bool right>
__global__ void one_word_kernel(const int* in, unsigned long long* words, unsigned* tickets) {
  const unsigned tile = next_tile(tickets);
  if (threadIdx.x != 0) return;
  unsigned long long before = 0;
  if (tile > 0) {
    if (right) {
      while ((before = const_cast<volatile unsigned long long*>(words)[tile - 1]) >> 32 == 0) {
      }
    } else {
      before = words[tile - 1];
    }
  }
  const unsigned sum = static_cast<unsigned>(before) + static_cast<unsigned>(in[tile]);
  const_cast<volatile unsigned long long*>(words)[tile] = 1ull << 32 | sum;
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

// Lane 0 reads the flag and fences, and __syncwarp hands that on to lane 1.
template <bool right>
__global__ void warp_look_back_kernel(const int* in, int* out) {
  volatile int* const ready = out + 8;
  const unsigned tile = next_tile(reinterpret_cast<unsigned*>(out + 16));
  if (tile == 0 && threadIdx.x == 0) {
    out[0] = in[0];
    __threadfence();
    *ready = 1;
  }
  if (tile == 0) return;
  if (threadIdx.x == 0) {
    while (*ready == 0) {
    }
    __threadfence();
  }
  if (right) __syncwarp();
  if (threadIdx.x == 1) out[tile] = out[0];
}

// All blocks write one word.
template <bool right>
__global__ void one_result_kernel(const int* in, int* out) {
  if (threadIdx.x == 0) out[right ? blockIdx.x : 0] = in[blockIdx.x];
}

// --- values and bounds ---------------------------------------------------------------------------------------------------------------------------

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

// The tree is right, and its result is read by the index into global memory: past the end in every block but the first.
template <bool right>
__global__ void global_index_kernel(const int* in, int* out) {
  int* const tile = dynamic_shared<int>();
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = in[i];
  __syncthreads();
  for (unsigned stride = threads / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[right ? t : i];
}

// --- barriers ------------------------------------------------------------------------------------------------------------------------------------

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
__global__ void shuffle_mask_kernel(const int* in, int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_down_sync(right ? 0x0000ffff : 0x000000ff, in[threadIdx.x], 1);
}

template <bool right>
__global__ void syncwarp_mask_kernel(const int*, int* out) {
  if (threadIdx.x < 16) __syncwarp(right ? 0x0000ffff : 0xffff0000);
  out[threadIdx.x] = 1;
}

// Threads may exit before a barrier, which waits for the others. What they have not brought is missing.
template <bool right>
__global__ void exit_before_barrier_kernel(const int* in, int* out) {
  __shared__ int tile[64];
  if (threadIdx.x >= (right ? 32 : 31)) return;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

// --- how they are launched -----------------------------------------------------------------------------------------------------------------------

namespace {

using Run = std::function<void()>;

void expect(bool is_right) {
  if (!is_right) throw std::runtime_error("the answer is wrong");
}

// A kernel of an input and an output of `count` elements.
Run launched(void (*kernel)(const int*, int*), LaunchShape shape, std::size_t count = 1024) {
  return [=] {
    const auto in = uploaded(counted<int>(count)), out = uploaded(std::vector<int>(count));
    launch(kernel, shape, {}, in.data(), out.data());
    backend::synchronize({});
  };
}

template <Fence fences>
void last_block() {
  const auto in = uploaded(counted<int>(8)), out = uploaded(std::vector<int>(1));
  const auto tickets = uploaded(std::vector<unsigned>{0});
  const DeviceArray<int> partials(8);
  launch(last_block_kernel<fences>, {8, 64}, {}, in.data(), partials.data(), tickets.data(), out.data());
  expect(downloaded(out, 1)[0] == 28);
}

template <Fence fences, bool atomic_flag>
void look_back() {
  const auto in = uploaded(counted<int>(8));
  const auto prefixes = uploaded(std::vector<int>(8)), ready = uploaded(std::vector<int>(8));
  const auto tickets = uploaded(std::vector<unsigned>{0});
  launch(look_back_kernel<fences, atomic_flag>, {8, 32}, {}, in.data(), prefixes.data(), ready.data(), tickets.data());
  expect(downloaded(prefixes, 8)[7] == 28);
}

template <bool right>
void one_word() {
  const auto in = uploaded(counted<int>(8));
  const auto words = uploaded(std::vector<unsigned long long>(8));
  const auto tickets = uploaded(std::vector<unsigned>{0});
  launch(one_word_kernel<right>, {8, 32}, {}, in.data(), words.data(), tickets.data());
  backend::synchronize({});
}

template <bool right>
void scratch() {
  const auto in = uploaded(counted<int>(32));
  const DeviceArray<int> between(32), out(32);
  launch(scratch_kernel<right>, {1, 32}, {}, in.data(), between.data(), out.data());
  backend::synchronize({});
}

constexpr std::string_view race = "race", fault = "fault", no_shared_value = "uninitialised shared memory",
                           no_global_value = "uninitialised global memory";

std::vector<Mistake> all() {
  std::vector<Mistake> mistakes;
  const auto add = [&](auto name, auto kind, auto words, SeenBy seen_by, Run wrong, Run right) {
    mistakes.push_back({name, kind, words, seen_by, wrong, right});
  };
  const LaunchShape warp{1, 32}, two_warps{1, 64}, block{1, threads}, two_blocks{2, threads}, with_dynamic{1, threads, threads * sizeof(int)};
  using enum Barrier;
  using enum Syncwarps;

  // within a block
  add("no_barrier_after_load", race, "no __sync", {.racecheck = found}, launched(tree_kernel<false, after_load>, block),
      launched(tree_kernel<true, after_load>, block));
  add("no_barrier_in_loop", race, "shared tile + ", {.racecheck = found}, launched(tree_kernel<false, in_loop>, block),
      launched(tree_kernel<true, in_loop>, block));
  add("no_barrier_after_loop", race, "shared tile + 0 bytes", {.racecheck = found}, launched(broadcast_kernel<false>, block),
      launched(broadcast_kernel<true>, block));
  add("last_warp_in_shared_memory", race, "no __syncwarp", {.racecheck = found}, launched(last_warp_kernel<false, false>, warp),
      launched(last_warp_kernel<true, false>, warp));
  add("last_warp_in_global_memory", race, "no __syncwarp", {}, launched(last_warp_kernel<false, true>, warp),
      launched(last_warp_kernel<true, true>, warp));
  add("unrolled_last_warp", race, "no __syncwarp", {.racecheck = found}, launched(unrolled_last_warp_kernel<without>, {1, 512}),
      launched(unrolled_last_warp_kernel<after_read_and_write>, {1, 512}));
  add("unrolled_last_warp_one_syncwarp", race, "no __syncwarp", {}, launched(unrolled_last_warp_kernel<after_write>, {1, 512}),
      launched(unrolled_last_warp_kernel<after_read_and_write>, {1, 512}));
  add("shuffle_for_syncwarp", race, "no __syncwarp", {.racecheck = found}, launched(shuffle_kernel<false>, warp),
      launched(shuffle_kernel<true>, warp));
  add("syncwarp_of_the_other_half", race, "no __syncwarp", {.racecheck = found}, launched(half_warp_kernel<false>, warp),
      launched(half_warp_kernel<true>, warp));
  add("histogram_in_shared_memory", race, "shared of_block + ", {.racecheck = found}, launched(histogram_kernel<false, false>, two_blocks),
      launched(histogram_kernel<true, false>, two_blocks));
  add("histogram_in_global_memory", race, "array 2 + ", {}, launched(histogram_kernel<false, true>, two_blocks),
      launched(histogram_kernel<true, true>, two_blocks));
  add("read_beside_atomics", race, "updates atomically", {}, launched(atomic_then_read_kernel<false>, block),
      launched(atomic_then_read_kernel<true>, block));
  add("same_value_twice", race, "the same value twice", {}, launched(same_value_kernel<false>, two_warps),
      launched(same_value_kernel<true>, two_warps));
  add("two_threads_one_byte", race, "shared tile + ", {.racecheck = found}, launched(bytes_kernel<false>, block),
      launched(bytes_kernel<true>, block));
  add("flag_in_block_no_acquire", race, "shared value + 0 bytes", {.racecheck = in_both}, launched(flag_kernel<false>, two_warps),
      launched(flag_kernel<true>, two_warps));

  // between blocks
  add("last_block_no_fence", race, "nothing orders the two blocks", {}, last_block<Fence::none>, last_block<Fence::both>);
  add("last_block_no_release", race, "nothing orders the two blocks", {}, last_block<Fence::acquire>, last_block<Fence::both>);
  add("last_block_no_acquire", race, "a fence after the read of the flag is missing", {}, last_block<Fence::release>, last_block<Fence::both>);
  add("last_block_fence_of_block_scope", race, "orders the two blocks", {}, last_block<Fence::block_scope>, last_block<Fence::both>);
  add("fences_around_barriers", race, "orders the two blocks", {}, last_block<Fence::none>, last_block<Fence::around_barriers>);
  add("look_back_volatile_no_acquire", race, "a fence after the read of the flag is missing", {}, look_back<Fence::release, false>,
      look_back<Fence::both, false>);
  add("look_back_atomic_no_acquire", race, "a fence after the read of the flag is missing", {}, look_back<Fence::release, true>,
      look_back<Fence::both, true>);
  add("look_back_volatile_no_release", race, "nothing orders the two blocks", {}, look_back<Fence::acquire, false>, look_back<Fence::both, false>);
  add("look_back_atomic_no_release", race, "nothing orders the two blocks", {}, look_back<Fence::acquire, true>, look_back<Fence::both, true>);
  add("plain_read_of_a_word_of_others", race, "nothing orders the two blocks", {}, one_word<false>, one_word<true>);
  add("flag_in_shared_memory", race, "orders the two blocks", {}, launched(shared_flag_kernel<false>, {2, 1}),
      launched(shared_flag_kernel<true>, {2, 1}));
  add("acquired_by_another_lane", race, "thread 1 reads in ", {}, launched(warp_look_back_kernel<false>, {2, 32}),
      launched(warp_look_back_kernel<true>, {2, 32}));
  add("all_blocks_one_result", race, "block 0, thread 0 writes in ", {}, launched(one_result_kernel<false>, {2, 32}),
      launched(one_result_kernel<true>, {2, 32}));

  // values and bounds
  add("uninitialised_shared_memory", no_shared_value, "shared tile + ", {}, launched(ragged_tile_kernel<false>, block),
      launched(ragged_tile_kernel<true>, block));
  add("uninitialised_global_memory", no_global_value, "array 2 + 124 bytes: block 0, thread 0 reads in", {.initcheck = found}, scratch<false>,
      scratch<true>);
  add("no_tail_guard", fault, "out of bounds", {.memcheck = found}, launched(tail_kernel<false>, block, 100),
      launched(tail_kernel<true>, block, 100));
  add("one_element_too_far", fault, "reads 4 bytes at offset 400 of array (400 bytes)", {.memcheck = found},
      launched(off_by_one_kernel<false>, block, 100), launched(off_by_one_kernel<true>, block, 100));
  add("past_dynamic_shared_memory", fault, "bytes of dynamic shared memory", {.memcheck = found}, launched(dynamic_kernel<false>, with_dynamic),
      launched(dynamic_kernel<true>, with_dynamic));
  add("past_static_shared_memory", fault, "takes element 128 of an array of type", {.memcheck = found}, launched(static_kernel<false>, block),
      launched(static_kernel<true>, block));
  add("result_by_global_index", fault, "bytes of dynamic shared memory", {.memcheck = found},
      launched(global_index_kernel<false>, {2, threads, threads * sizeof(int)}),
      launched(global_index_kernel<true>, {2, threads, threads * sizeof(int)}));

  // barriers
  add("divergent_barrier", fault, "divergent barrier", {.synccheck = found}, launched(divergent_kernel<false>, two_warps),
      launched(divergent_kernel<true>, two_warps));
  add("barrier_against_warp_barrier", fault, "deadlock", {hangs, hangs, hangs, hangs}, launched(against_warp_kernel<false>, two_warps),
      launched(against_warp_kernel<true>, two_warps));
  add("syncwarp_without_the_caller", fault, "which does not name it", {.memcheck = found, .synccheck = found},
      launched(syncwarp_mask_kernel<false>, two_warps), launched(syncwarp_mask_kernel<true>, two_warps));
  add("shuffle_without_the_caller", fault, "which does not name it", {}, launched(shuffle_mask_kernel<false>, two_warps),
      launched(shuffle_mask_kernel<true>, two_warps));
  add("exit_before_barrier", no_shared_value, "shared tile + 124 bytes", {}, launched(exit_before_barrier_kernel<false>, two_warps),
      launched(exit_before_barrier_kernel<true>, two_warps));
  return mistakes;
}

}  // namespace

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> every_one = all();
  return every_one;
}

}  // namespace ladder::seeded
