// What a kernel's CUDA words ask of the runtime. Everything here is called from instrumented code;
// nothing here knows who calls it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "compare/backend.hpp"
#include "compare/emulated/types/here.hpp"

namespace ladder::emulated {

// A kernel did what CUDA does not allow: what, where, which block and threads, and what usually
// mends it. The launch is over, the device memory is as the kernel left it, and the next launch
// starts afresh.
struct KernelFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Grid {
  const void* kernel;  // its code, to name it by
  unsigned blocks;
  unsigned threads;  // in a block
  std::size_t shared_bytes;
  void (*body)(const void* bound);  // calls the kernel as one thread
  const void* bound;                // the kernel's arguments
  std::shared_ptr<const void> (*copy_of_bound)(const void* bound);
  bool resident = false;  // its blocks may wait for each other
  // so may these many neighbours, and reach each other's shared memory
  unsigned cluster = 1;
  unsigned* barrier = nullptr;  // of a resident one: two words for barriers of the grid
};

// Runs it to its end, or enqueues it in the stream of a device.
void launch_grid(Grid grid, Stream stream);
unsigned resident_blocks_of_multiprocessor(unsigned threads, std::size_t shared_bytes);

void* dynamic_arena();

// Of the launch that runs. The first word counts the blocks that come to barriers of the grid, the
// second the barriers that are over. Throws where the grid is not resident.
bool is_resident();
unsigned* grid_barrier();

enum class BlockVote { none, count, all, any };
int meet_block(BlockVote vote, int predicate, Here where);

enum class Intrinsic {
  syncwarp,
  shuffle,
  ballot,
  all,
  any,
  match_any,
  reduce_add,
  reduce_and,
  reduce_or,
  reduce_xor,
  min_i32,
  max_i32,
  min_u32,
  max_u32
};
// Waits until every lane named in `mask` that has not exited is here too. `value` is what this lane
// brings; `source` the lane it reads (shuffle).
std::uint64_t meet_warp(Intrinsic intrinsic, unsigned mask, std::uint64_t value, unsigned source,
                        Here where);

unsigned lane_index();  // 0 to 31

enum class Scope : std::uint8_t { block, device, system };

// Around every atomic operation. begin: others may run first. older: whether it may find a value
// from before the last store, if it changes nothing then. before: counts and checks it. changes:
// the old value is about to be overwritten. after: whether memory changed, to tell waiting from
// working.
enum class Finds { present, older, nothing };  // nothing: it stores a value whatever was there
void begin_atomic(const void* address);
bool older_value(const void* address, std::size_t size, void* value);
void before_atomic(const void* address, std::size_t size, Finds finds, Scope scope, Here where);
void atomic_changes(const void* address, std::size_t size, const void* old, Here where);
void after_atomic(const void* address, bool changed);

// What an access that is not instrumented is about to do. read_only: it takes memory for constant
// while the kernel runs.
enum class Announced { load, read_only_load, volatile_load, store, volatile_store };
void announce(Announced what, const void* address, std::size_t size, Here where);

std::int64_t ticks();  // of a clock that advances when it is asked

void count_join();  // one application of an operator to two elements

void pass_time();  // others may run

void fence(Scope scope);  // by this thread

}  // namespace ladder::emulated
