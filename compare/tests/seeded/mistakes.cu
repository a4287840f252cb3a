#include "compare/tests/seeded/mistakes.hpp"

#include <cassert>
#include <cstring>

#include "compare/launch.hpp"
#include "compare/tests/seeded/launched.hpp"

namespace ladder::seeded {

constexpr unsigned threads = 128;
constexpr unsigned whole_warp = 0xffffffff;

// --- within a block
// ------------------------------------------------------------------------------------------------------------------------------

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

// As it was printed: all lanes work in all six steps, and lane 0 reads what lane 16 writes. So one
// __syncwarp after each step is not enough.
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

// A function of the device that is named after a lambda of its kernel, and so after the kernel too.
// Its array is no array of another kernel.
template <bool right, class Value>
__device__ int next_value(const Value& value) {
  static __shared__ int of_block[threads];
  const unsigned t = threadIdx.x;
  of_block[t] = value(t);
  if (right) __syncthreads();
  return of_block[(t + 1) % threads];
}

template <bool right>
__global__ void lambda_kernel(const int* in, int* out) {
  out[threadIdx.x] = next_value<right>([=](unsigned t) { return in[t]; });
}

// A flag within a block: thread 0 waits for the value of thread 40. There a fence of the block's
// scope is enough.
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

// --- between blocks
// ------------------------------------------------------------------------------------------------------------------------------

enum class Fence { both, none, release, acquire, block_scope, around_barriers };

// Blocks start in any order, and a tile waits for earlier ones only: so they are handed out in the
// order in which blocks start.
__device__ unsigned next_tile(unsigned* tickets) {
  __shared__ unsigned tile;
  if (threadIdx.x == 0) tile = atomicAdd(tickets, 1U);
  __syncthreads();
  return tile;
}

// The last block to take a ticket sums the partials of all. With the fences named, or those
// missing. around_barriers: in the threads that write and read the partials, apart from the ticket;
// fences have one order, so that will do.
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

// --- values and bounds
// ---------------------------------------------------------------------------------------------------------------------------

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

// Two arrays in one memory: the second begins before the first has ended.
template <bool right>
__global__ void two_dynamic_arrays_kernel(const int* in, int* out) {
  int* const order = dynamic_shared<int>();
  int* const values = order + (right ? threads : threads / 2);
  const unsigned t = threadIdx.x;
  order[t] = static_cast<int>(t ^ 1);
  values[t] = in[t];
  __syncthreads();
  out[t] = values[order[t] % threads];
}

template <bool right>
__global__ void static_kernel(const int* in, int* out) {
  __shared__ int tile[threads];
  tile[threadIdx.x + (right ? 0 : 1)] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}

// The tree is right, and its result is read by the index into global memory: past the end in every
// block but the first.
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

// --- barriers
// ------------------------------------------------------------------------------------------------------------------------------------

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
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_down_sync(right ? 0x0000ffff : 0x000000ff, in[threadIdx.x], 1);
}

template <bool right>
__global__ void syncwarp_mask_kernel(const int*, int* out) {
  if (threadIdx.x < 16) __syncwarp(right ? 0x0000ffff : 0xffff0000);
  out[threadIdx.x] = 1;
}

// Threads may exit before a barrier, which waits for the others. What they have not brought is
// missing.
template <bool right>
__global__ void exit_before_barrier_kernel(const int* in, int* out) {
  __shared__ int tile[64];
  if (threadIdx.x >= (right ? 32 : 31)) return;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

// --- orders of blocks, and what a read may find
// --------------------------------------------------------------------------------------------------

// The total of all is written by the block that is last, or by the one that has the last index.
template <bool right>
__global__ void last_index_kernel(const int* in, int* total, unsigned* tickets, int* out) {
  if (threadIdx.x != 0) return;
  atomicAdd(total, in[blockIdx.x]);
  __threadfence();
  const unsigned ticket = atomicAdd(tickets, 1U);
  __threadfence();
  if ((right ? ticket : blockIdx.x) == gridDim.x - 1) *out = atomicAdd(total, 0);
}

template <bool right>
__global__ void zeroed_by_a_block_kernel(const int* in, int* out) {
  if (threadIdx.x != 0) return;
  if (!right && blockIdx.x == 0) atomicExch(out, 0);
  atomicAdd(out, in[blockIdx.x]);
}

// Prefix and flag in one word. wait: for the tile before; ticket: tiles are handed out in the order
// in which blocks start.
template <bool wait, bool ticket>
__global__ void chain_kernel(const int* in, unsigned long long* words, unsigned* tickets) {
  if (threadIdx.x != 0) return;
  const unsigned tile = ticket ? atomicAdd(tickets, 1U) : blockIdx.x;
  unsigned long long before = 1ull << 32;
  if (tile > 0) {
    do before = const_cast<volatile unsigned long long*>(words)[tile - 1];
    while (wait && before >> 32 == 0);
  }
  const_cast<volatile unsigned long long*>(words)[tile] =
      1ull << 32 | (static_cast<unsigned>(before) + static_cast<unsigned>(in[tile]));
}

// How a tile tells the next one its prefix, by accesses that cannot race.
enum class Word { flag_first, no_fences, fences };

template <Word word, bool atomic>
__global__ void prefix_kernel(const int* in, int* prefixes, int* tags, unsigned* tickets) {
  if (threadIdx.x != 0) return;
  const auto read = [](int* from) {
    return atomic ? atomicAdd(from, 0) : *const_cast<volatile int*>(from);
  };
  const auto write = [](int* to, int value) {
    if (atomic) atomicExch(to, value);
    else *const_cast<volatile int*>(to) = value;
  };
  const unsigned tile = atomicAdd(tickets, 1U);
  int before = 0;
  if (tile > 0) {
    while (read(&tags[tile - 1]) == 0) {
    }
    if (word == Word::flag_first || word == Word::fences) __threadfence();
    before = read(&prefixes[tile - 1]);
  }
  if (word == Word::flag_first) write(&tags[tile], 1);
  if (word == Word::flag_first) __threadfence();
  write(&prefixes[tile], before + in[tile]);
  if (word == Word::fences) __threadfence();
  if (word != Word::flag_first) write(&tags[tile], 1);
}

// A value of 64 bits in two words; both have the tag, or the first alone.
template <bool right, bool ticket>
__global__ void two_words_kernel(const int* in, unsigned long long* words, unsigned* tickets) {
  if (threadIdx.x != 0) return;
  volatile unsigned long long* const all = words;
  const unsigned tile = ticket ? atomicAdd(tickets, 1U) : blockIdx.x;
  unsigned long long sum = static_cast<unsigned long long>(in[tile]) << 30;
  if (tile > 0) {
    unsigned long long low, high;
    do {
      low = all[2 * tile - 2];
      high = all[2 * tile - 1];
    } while (low >> 32 == 0 || (right && high >> 32 == 0));
    sum += (low & 0xffffffff) | high << 32;
  }
  all[2 * tile] = 1ull << 32 | (sum & 0xffffffff);
  all[2 * tile + 1] = 1ull << 32 | sum >> 32;
}

// The value and a flag share a word of 64 bits, with as many bits for the value as it has, or with
// fewer.
template <bool right>
__global__ void payload_kernel(const int* in, unsigned long long* words, unsigned* tickets) {
  if (threadIdx.x != 0) return;
  constexpr unsigned bits = right ? 62 : 30;
  volatile unsigned long long* const all = words;
  const unsigned tile = atomicAdd(tickets, 1U);
  unsigned long long sum = static_cast<unsigned long long>(in[tile]) << 26;
  if (tile > 0) {
    unsigned long long before;
    while ((before = all[tile - 1]) >> 63 == 0) {
    }
    sum += before & ((1ull << bits) - 1);
  }
  all[tile] = 1ull << 63 | (sum & ((1ull << bits) - 1));
}

// Two launches on one scratch array: flags that the second finds as the first has left them, or a
// tag of its own.
template <bool right>
__global__ void tagged_kernel(const int* in, int* prefixes, int* tags, unsigned* tickets, int run) {
  if (threadIdx.x != 0) return;
  const int tag = right ? run : 1;
  const unsigned tile = atomicInc(tickets, gridDim.x - 1);
  int before = 0;
  if (tile > 0) {
    while (*const_cast<volatile int*>(&tags[tile - 1]) != tag) {
    }
    __threadfence();
    before = prefixes[tile - 1];
  }
  prefixes[tile] = before + in[tile];
  __threadfence();
  *const_cast<volatile int*>(&tags[tile]) = tag;
}

template <bool right>
__global__ void ldg_kernel(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[64 + threadIdx.x] = right ? out[63 - threadIdx.x] : __ldg(&out[63 - threadIdx.x]);
}

// --- what is no mistake
// ----------------------------------------------------------------------------------------------------------------------------

// Two flags after one fence; and before it.
template <bool right>
__global__ void two_flags_kernel(const int* in, int* out) {
  __shared__ int value;
  __shared__ int flags[2];
  if (threadIdx.x < 2) flags[threadIdx.x] = 0;
  __syncthreads();
  volatile int* const signals = flags;
  if (threadIdx.x == 40) {
    value = *in;
    if (right) __threadfence_block();
    signals[0] = 1;
    signals[1] = 1;
    if (!right) __threadfence_block();
  }
  if (threadIdx.x == 0 || threadIdx.x == 70) {
    while (signals[threadIdx.x == 0 ? 0 : 1] == 0) {
    }
    __threadfence_block();
    out[threadIdx.x] = value;
  }
}

template <bool right>
__global__ void memset_kernel(const int*, int* scratch, int* out) {
  const unsigned t = threadIdx.x;
  if (t == 0) memset(scratch, 0, (right ? 32 : 16) * sizeof(int));
  __syncthreads();
  out[t] = scratch[t];
}

struct Padded {
  char tag;
  double value;
};

// A struct is copied with its padding, which nobody writes.
template <bool right>
__global__ void padding_kernel(const int* in, Padded* between, Padded* out) {
  const unsigned t = threadIdx.x;
  if (right || t < 31) {
    between[t].tag = 1;
    between[t].value = in[t];
  }
  __syncwarp();
  out[t] = between[31 - t];
}

// Who stores in exchange for what was there reads nothing, where the result is not used.
template <bool right>
__global__ void exchange_kernel(const int* in, int* scratch, int* out) {
  const unsigned t = threadIdx.x;
  if (right) atomicExch(&scratch[t], in[t]);
  else atomicAdd(&scratch[t], in[t]);
  out[t] = scratch[t];
}

// --- bounds of everything, and launches
// --------------------------------------------------------------------------------------------------------------

__device__ int device_table[32];

template <bool right>
__global__ void device_array_kernel(const int* in, int* out) {
  const unsigned t = threadIdx.x;
  device_table[t + (right ? 0 : 1)] = in[t];
  __syncwarp();
  out[t] = device_table[t];
}

template <bool right>
__global__ void local_array_kernel(const int* in, int* out) {
  int local[4];
  const unsigned t = threadIdx.x;
  for (unsigned k = 0; k < (right ? 4 : 5); ++k) local[k] = in[4 * t + k];
  int sum = 0;
  for (unsigned k = 0; k < 4; ++k) sum += local[in[k]];
  out[t] = sum;
}

struct Row {
  unsigned number;
  int value[4];
};

// An array that is the last member of a struct, as a pointer finds it.
template <bool right>
__global__ void member_array_kernel(const int* in, int* out) {
  __shared__ Row rows[32 + 1];
  const unsigned t = threadIdx.x;
  Row* const row = rows + t;
  row->number = t;
  for (unsigned k = 0; k < 4; ++k) row->value[k] = in[4 * t + k];
  if (t == 0) rows[32].number = 32;
  __syncwarp();
  int sum = 0;
  for (unsigned k = 0; k < (right ? 4 : 5); ++k) sum += row->value[k];
  out[t] = sum;
}

template <int bytes>
struct Few {
  unsigned char value[bytes];
};

// So few bytes that compilers would move them without a call.
template <int bytes, bool right>
__global__ void small_memcpy_kernel(const int* in, int* out) {
  Few<bytes> few;
  memcpy(&few, reinterpret_cast<const unsigned char*>(in) + 400 - bytes + (right ? 0 : 1), bytes);
  memcpy(out, &few, bytes);
}

template <bool right>
__global__ void next_shared_array_kernel(const int* in, int* out) {
  __shared__ int first[32];
  __shared__ int second[32];
  const unsigned t = threadIdx.x;
  second[t] = in[t];
  __syncwarp();
  first[t + (right ? 0 : 1)] = in[t];
  __syncwarp();
  out[t] = first[31 - t] + second[t];
}

template <bool right>
__global__ void memcpy_kernel(const int* in, int* out) {
  if (threadIdx.x == 0) memcpy(out, in, (right ? 100 : 101) * sizeof(int));
}

template <bool right>
__global__ void before_the_input_kernel(const int* in, int* out) {
  const unsigned t = threadIdx.x;
  out[t] = in[t] - (right && t == 0 ? 0 : in[static_cast<int>(t) - 1]);
}

template <int limit>
__global__ void asserting_kernel(const int* in, int* out) {
  assert(in[threadIdx.x] < limit);
  out[threadIdx.x] = in[threadIdx.x];
}

__global__ void __launch_bounds__(64) bounded_kernel(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

__global__ void large_static_kernel(const int* in, int* out) {
  __shared__ int tile[8192];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x] + dynamic_shared<int>()[0] * 0;
}

// --- how they are launched
// -----------------------------------------------------------------------------------------------------------------------

namespace {

template <Fence fences>
void last_block() {
  const auto in = uploaded(counted<int>(8)), out = uploaded(std::vector<int>(1));
  const auto tickets = uploaded(std::vector<unsigned>{0});
  const DeviceArray<int> partials(8);
  launch(last_block_kernel<fences>, {8, 64}, {}, in.data(), partials.data(), tickets.data(),
         out.data());
  expect(downloaded(out, 1)[0] == 28);
}

template <Fence fences, bool atomic_flag>
void look_back() {
  const auto in = uploaded(counted<int>(8));
  const auto prefixes = uploaded(std::vector<int>(8)), ready = uploaded(std::vector<int>(8));
  const auto tickets = uploaded(std::vector<unsigned>{0});
  launch(look_back_kernel<fences, atomic_flag>, {8, 32}, {}, in.data(), prefixes.data(),
         ready.data(), tickets.data());
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

constexpr unsigned tiles = 64;  // more than may run at a time
constexpr int many = 256;       // so many that hardly any order is right by chance

template <bool right>
void last_index() {
  const auto in = uploaded(counted<int>(many)), total = uploaded(std::vector<int>(1)),
             out = uploaded(std::vector<int>(1));
  const auto tickets = uploaded(std::vector<unsigned>{0});
  launch(last_index_kernel<right>, {many, 32}, {}, in.data(), total.data(), tickets.data(),
         out.data());
  expect(downloaded(out, 1)[0] == many * (many - 1) / 2);
}

template <bool right>
void zeroed_by_a_block() {
  const auto in = uploaded(counted<int>(many)), out = uploaded(std::vector<int>(1));
  launch(zeroed_by_a_block_kernel<right>, {many, 32}, {}, in.data(), out.data());
  expect(downloaded(out, 1)[0] == many * (many - 1) / 2);
}

template <bool wait, bool ticket>
void chain() {
  const auto in = uploaded(counted<int>(tiles));
  const auto words = uploaded(std::vector<unsigned long long>(tiles));
  const auto tickets = uploaded(std::vector<unsigned>{0});
  launch(chain_kernel<wait, ticket>, {tiles, 32}, {}, in.data(), words.data(), tickets.data());
  expect(static_cast<unsigned>(downloaded(words, tiles)[tiles - 1]) == tiles * (tiles - 1) / 2);
}

template <Word word, bool atomic>
void prefix() {
  const auto in = uploaded(counted<int>(tiles)), prefixes = uploaded(std::vector<int>(tiles)),
             tags = uploaded(std::vector<int>(tiles));
  const auto tickets = uploaded(std::vector<unsigned>{0});
  launch(prefix_kernel<word, atomic>, {tiles, 32}, {}, in.data(), prefixes.data(), tags.data(),
         tickets.data());
  expect(downloaded(prefixes, tiles)[tiles - 1] == tiles * (tiles - 1) / 2);
}

template <bool right, bool ticket>
void two_words() {
  const auto in = uploaded(counted<int>(tiles));
  const auto words = uploaded(std::vector<unsigned long long>(2 * tiles));
  const auto tickets = uploaded(std::vector<unsigned>{0});
  launch(two_words_kernel<right, ticket>, {tiles, 32}, {}, in.data(), words.data(), tickets.data());
  const auto got = downloaded(words, 2 * tiles);
  expect(((got[2 * tiles - 2] & 0xffffffff) | got[2 * tiles - 1] << 32) ==
         (tiles * (tiles - 1ull) / 2) << 30);
}

template <bool right>
void payload() {
  const auto in = uploaded(counted<int>(tiles));
  const auto words = uploaded(std::vector<unsigned long long>(tiles));
  const auto tickets = uploaded(std::vector<unsigned>{0});
  launch(payload_kernel<right>, {tiles, 32}, {}, in.data(), words.data(), tickets.data());
  expect((downloaded(words, tiles)[tiles - 1] & ~(1ull << 63)) == (tiles * (tiles - 1ull) / 2)
                                                                      << 26);
}

// The second run has other elements.
template <bool right>
void tagged() {
  const DeviceArray<int> prefixes(tiles);
  const auto tags = uploaded(std::vector<int>(tiles));
  const auto tickets = uploaded(std::vector<unsigned>{0});
  for (int run = 1; run <= 2; ++run) {
    const auto in = uploaded(std::vector<int>(tiles, run));
    launch(tagged_kernel<right>, {tiles, 32}, {}, in.data(), prefixes.data(), tags.data(),
           tickets.data(), run);
    expect(downloaded(prefixes, tiles)[tiles - 1] == static_cast<int>(tiles) * run);
  }
}

// Of a kernel that has an array of its own between its input and its output, which nobody has
// written.
template <class T>
Run with_scratch(void (*kernel)(const int*, T*, T*)) {
  return [=] {
    const auto in = uploaded(counted<int>(32));
    const DeviceArray<T> between(32), out(32);
    launch(kernel, {1, 32}, {}, in.data(), between.data(), out.data());
    backend::synchronize({});
  };
}

constexpr std::string_view race = "race", fault = "fault",
                           no_shared_value = "uninitialised shared memory",
                           no_global_value = "uninitialised global memory",
                           wrong_answer = "wrong answer";

std::vector<Mistake> all() {
  std::vector<Mistake> mistakes;
  const auto add = [&](auto name, auto kind, auto words, SeenBy seen_by, Run wrong, Run right) {
    mistakes.push_back({name, kind, words, seen_by, wrong, right, true});
  };
  const LaunchShape warp{1, 32}, two_warps{1, 64}, block{1, threads}, two_blocks{2, threads},
      with_dynamic{1, threads, threads * sizeof(int)},
      with_two_arrays{1, threads, 2 * threads * sizeof(int)};
  using enum Barrier;
  using enum Syncwarps;

  // within a block
  add("no_barrier_after_load", race, "no __sync", {.racecheck = found},
      launched(tree_kernel<false, after_load>, block),
      launched(tree_kernel<true, after_load>, block));
  add("no_barrier_in_loop", race, "shared tile + ", {.racecheck = found},
      launched(tree_kernel<false, in_loop>, block), launched(tree_kernel<true, in_loop>, block));
  add("no_barrier_after_loop", race, "shared tile + 0 bytes", {.racecheck = found},
      launched(broadcast_kernel<false>, block), launched(broadcast_kernel<true>, block));
  add("last_warp_in_shared_memory", race, "no __syncwarp", {.racecheck = found},
      launched(last_warp_kernel<false, false>, warp),
      launched(last_warp_kernel<true, false>, warp));
  add("last_warp_in_global_memory", race, "no __syncwarp", {},
      launched(last_warp_kernel<false, true>, warp), launched(last_warp_kernel<true, true>, warp));
  add("unrolled_last_warp", race, "no __syncwarp", {.racecheck = found},
      launched(unrolled_last_warp_kernel<without>, {1, 512}),
      launched(unrolled_last_warp_kernel<after_read_and_write>, {1, 512}));
  add("unrolled_last_warp_one_syncwarp", race, "no __syncwarp", {},
      launched(unrolled_last_warp_kernel<after_write>, {1, 512}),
      launched(unrolled_last_warp_kernel<after_read_and_write>, {1, 512}));
  add("shuffle_for_syncwarp", race, "no __syncwarp", {.racecheck = found},
      launched(shuffle_kernel<false>, warp), launched(shuffle_kernel<true>, warp));
  add("syncwarp_of_the_other_half", race, "no __syncwarp", {.racecheck = found},
      launched(half_warp_kernel<false>, warp), launched(half_warp_kernel<true>, warp));
  add("histogram_in_shared_memory", race, "shared of_block + ", {.racecheck = found},
      launched(histogram_kernel<false, false>, two_blocks),
      launched(histogram_kernel<true, false>, two_blocks));
  add("histogram_in_global_memory", race, "array 2 + ", {},
      launched(histogram_kernel<false, true>, two_blocks),
      launched(histogram_kernel<true, true>, two_blocks));
  add("read_beside_atomics", race, "updates atomically", {},
      launched(atomic_then_read_kernel<false>, block),
      launched(atomic_then_read_kernel<true>, block));
  add("same_value_twice", race, "the same value twice", {},
      launched(same_value_kernel<false>, two_warps), launched(same_value_kernel<true>, two_warps));
  add("two_threads_one_byte", race, "shared tile + ", {.racecheck = found},
      launched(bytes_kernel<false>, block), launched(bytes_kernel<true>, block));
  add("array_of_a_function_of_a_lambda", race, "shared of_block + ", {.racecheck = found},
      launched(lambda_kernel<false>, block), launched(lambda_kernel<true>, block));
  add("flag_in_block_no_acquire", race, "shared value + 0 bytes", {.racecheck = in_both},
      launched(flag_kernel<false>, two_warps), launched(flag_kernel<true>, two_warps));

  // between blocks
  add("last_block_no_fence", race, "nothing orders the two blocks", {}, last_block<Fence::none>,
      last_block<Fence::both>);
  add("last_block_no_release", race, "nothing orders the two blocks", {},
      last_block<Fence::acquire>, last_block<Fence::both>);
  add("last_block_no_acquire", race, "a fence after the read of the flag is missing", {},
      last_block<Fence::release>, last_block<Fence::both>);
  add("last_block_fence_of_block_scope", race, "orders the two blocks", {},
      last_block<Fence::block_scope>, last_block<Fence::both>);
  add("fences_around_barriers", race, "orders the two blocks", {}, last_block<Fence::none>,
      last_block<Fence::around_barriers>);
  add("look_back_volatile_no_acquire", race, "a fence after the read of the flag is missing", {},
      look_back<Fence::release, false>, look_back<Fence::both, false>);
  add("look_back_atomic_no_acquire", race, "a fence after the read of the flag is missing", {},
      look_back<Fence::release, true>, look_back<Fence::both, true>);
  add("look_back_volatile_no_release", race, "nothing orders the two blocks", {},
      look_back<Fence::acquire, false>, look_back<Fence::both, false>);
  add("look_back_atomic_no_release", race, "nothing orders the two blocks", {},
      look_back<Fence::acquire, true>, look_back<Fence::both, true>);
  add("plain_read_of_a_word_of_others", race, "nothing orders the two blocks", {}, one_word<false>,
      one_word<true>);
  add("flag_in_shared_memory", race, "orders the two blocks", {},
      launched(shared_flag_kernel<false>, {2, 1}), launched(shared_flag_kernel<true>, {2, 1}));
  add("acquired_by_another_lane", race, "thread 1 reads in ", {},
      launched(warp_look_back_kernel<false>, {2, 32}),
      launched(warp_look_back_kernel<true>, {2, 32}));
  add("all_blocks_one_result", race, "block 0, thread 0 writes in ", {},
      launched(one_result_kernel<false>, {2, 32}), launched(one_result_kernel<true>, {2, 32}));

  // values and bounds
  add("uninitialised_shared_memory", no_shared_value, "shared tile + ", {},
      launched(ragged_tile_kernel<false>, block), launched(ragged_tile_kernel<true>, block));
  add("uninitialised_global_memory", no_global_value,
      "array 2 + 124 bytes: block 0, thread 0 reads in", {.initcheck = found}, scratch<false>,
      scratch<true>);
  add("no_tail_guard", fault, "out of bounds", {.memcheck = found},
      launched(tail_kernel<false>, block, 100), launched(tail_kernel<true>, block, 100));
  add("one_element_too_far", fault, "reads 4 bytes at offset 400 of array (400 bytes)",
      {.memcheck = found}, launched(off_by_one_kernel<false>, block, 100),
      launched(off_by_one_kernel<true>, block, 100));
  add("past_dynamic_shared_memory", fault, "bytes of dynamic shared memory", {.memcheck = found},
      launched(dynamic_kernel<false>, with_dynamic), launched(dynamic_kernel<true>, with_dynamic));
  add("dynamic_arrays_that_overlap", race, "dynamic shared memory + ",
      {unknown, unknown, unknown, unknown},
      launched(two_dynamic_arrays_kernel<false>, with_two_arrays),
      launched(two_dynamic_arrays_kernel<true>, with_two_arrays));
  add("past_static_shared_memory", fault, "takes element 128 of an array of type",
      {.memcheck = found}, launched(static_kernel<false>, block),
      launched(static_kernel<true>, block));
  add("result_by_global_index", fault, "bytes of dynamic shared memory", {.memcheck = found},
      launched(global_index_kernel<false>, {2, threads, threads * sizeof(int)}),
      launched(global_index_kernel<true>, {2, threads, threads * sizeof(int)}));

  // barriers
  add("divergent_barrier", fault, "divergent barrier", {.synccheck = found},
      launched(divergent_kernel<false>, two_warps), launched(divergent_kernel<true>, two_warps));
  add("barrier_against_warp_barrier", fault, "deadlock", {hangs, hangs, hangs, hangs},
      launched(against_warp_kernel<false>, two_warps),
      launched(against_warp_kernel<true>, two_warps));
  add("syncwarp_without_the_caller", fault, "which does not name it",
      {.memcheck = found, .synccheck = found}, launched(syncwarp_mask_kernel<false>, two_warps),
      launched(syncwarp_mask_kernel<true>, two_warps));
  add("shuffle_without_the_caller", fault, "which does not name it", {},
      launched(shuffle_mask_kernel<false>, two_warps),
      launched(shuffle_mask_kernel<true>, two_warps));
  add("exit_before_barrier", no_shared_value, "shared tile + 124 bytes", {},
      launched(exit_before_barrier_kernel<false>, two_warps),
      launched(exit_before_barrier_kernel<true>, two_warps));

  // orders of blocks, and what a read may find
  const auto add_for_orders = [&](auto name, auto kind, auto words, Run wrong, Run right) {
    mistakes.push_back({name, kind, words, {}, wrong, right, false});
  };
  add_for_orders("last_block_by_index", wrong_answer, "the answer is wrong", last_index<false>,
                 last_index<true>);
  add_for_orders("zeroed_by_a_block", wrong_answer, "the answer is wrong", zeroed_by_a_block<false>,
                 zeroed_by_a_block<true>);
  add_for_orders("look_back_that_does_not_wait", wrong_answer, "the answer is wrong",
                 chain<false, true>, chain<true, true>);
  add_for_orders("tile_of_block_index_in_a_chain", fault, "endless wait", chain<true, false>,
                 chain<true, true>);
  add_for_orders("torn_descriptor", wrong_answer, "the answer is wrong", two_words<false, true>,
                 two_words<true, true>);
  add_for_orders("tile_of_block_index_two_words", fault, "endless wait", two_words<true, false>,
                 two_words<true, true>);
  add_for_orders("volatile_value_and_flag_no_fences", wrong_answer, "the answer is wrong",
                 prefix<Word::no_fences, false>, prefix<Word::fences, false>);
  add_for_orders("atomic_value_and_flag_no_fences", wrong_answer, "the answer is wrong",
                 prefix<Word::no_fences, true>, prefix<Word::fences, true>);
  add_for_orders("volatile_flag_before_value", wrong_answer, "the answer is wrong",
                 prefix<Word::flag_first, false>, prefix<Word::fences, false>);
  add_for_orders("atomic_flag_before_value", wrong_answer, "the answer is wrong",
                 prefix<Word::flag_first, true>, prefix<Word::fences, true>);
  add("payload_too_narrow", wrong_answer, "the answer is wrong", {}, payload<false>, payload<true>);
  add_for_orders("tags_of_an_earlier_run", wrong_answer, "the answer is wrong", tagged<false>,
                 tagged<true>);
  add("ldg_of_what_is_written", race, "__ldg is for memory that no thread writes", {},
      launched(ldg_kernel<false>, two_warps), launched(ldg_kernel<true>, two_warps));

  // beside what is no mistake
  add("two_flags_before_one_fence", race, "shared value + 0 bytes", {.racecheck = in_both},
      launched(two_flags_kernel<false>, block), launched(two_flags_kernel<true>, block));
  add("memset_of_half", no_global_value, "array 2 + ", {.initcheck = found},
      with_scratch(memset_kernel<false>), with_scratch(memset_kernel<true>));
  add("struct_that_nobody_wrote", no_global_value, "array 2 + 496 bytes", {.initcheck = found},
      with_scratch(padding_kernel<false>), with_scratch(padding_kernel<true>));
  add("addition_to_unwritten_memory", no_global_value, "updates atomically", {.initcheck = in_both},
      with_scratch(exchange_kernel<false>), with_scratch(exchange_kernel<true>));

  // bounds of everything, and launches
  add("past_device_array", fault, "takes element 32 of an array", {.memcheck = found},
      launched(device_array_kernel<false>, warp), launched(device_array_kernel<true>, warp));
  add("past_local_array", fault, "takes element 4 of an array", {},
      launched(local_array_kernel<false>, warp), launched(local_array_kernel<true>, warp));
  add("past_member_array", fault, "takes element 4 of an array", {},
      launched(member_array_kernel<false>, warp), launched(member_array_kernel<true>, warp));
  add("into_the_next_shared_array", fault, "takes element 32 of an array", {},
      launched(next_shared_array_kernel<false>, warp),
      launched(next_shared_array_kernel<true>, warp));
  add("memcpy_too_long", fault, "at offset 400 of array (400 bytes)", {.memcheck = found},
      launched(memcpy_kernel<false>, warp, 100), launched(memcpy_kernel<true>, warp, 100));
  add("memcpy_of_3_bytes_too_long", fault, "at offset 398 of array (400 bytes)",
      {.memcheck = found}, launched(small_memcpy_kernel<3, false>, {1, 1}, 100),
      launched(small_memcpy_kernel<3, true>, {1, 1}, 100));
  add("memcpy_of_8_bytes_too_long", fault, "at offset 393 of array (400 bytes)",
      {.memcheck = found}, launched(small_memcpy_kernel<8, false>, {1, 1}, 100),
      launched(small_memcpy_kernel<8, true>, {1, 1}, 100));
  add("before_the_input", fault, "4 bytes before array (128 bytes)", {.memcheck = found},
      launched(before_the_input_kernel<false>, warp, 32),
      launched(before_the_input_kernel<true>, warp, 32));
  add("assertion", fault, "the assertion in[threadIdx.x] < limit does not hold", {},
      launched(asserting_kernel<31>, warp), launched(asserting_kernel<32>, warp));
  add("more_threads_than_launch_bounds", fault, "__launch_bounds__ allow 64", {.memcheck = found},
      launched(bounded_kernel, block), launched(bounded_kernel, two_warps));
  add("more_shared_memory_than_there_is", fault,
      "32768 bytes of static and 204800 bytes of dynamic", {.memcheck = found},
      launched(large_static_kernel, {1, 32, 200 * 1024}), launched(tail_kernel<true>, block));
  add_mistakes_in_two_dimensions(mistakes);
  add_mistakes_of_groups(mistakes);
#ifndef LADDER_WITHOUT_BULK_COPIES  // a CCCL before 2.4 has no words for them
  add_mistakes_of_copies(mistakes);
  add_mistakes_of_clusters(mistakes);
#endif
  add_mistakes_of_collectives(mistakes);
  add_mistakes_of_devices(mistakes);
  return mistakes;
}

}  // namespace

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> every_one = all();
  return every_one;
}

}  // namespace ladder::seeded
