// What a kernel's CUDA words ask of the runtime. Everything here is called from instrumented code;
// nothing here knows who calls it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "compare/backend.hpp"
#include "compare/emulated/types/grid.hpp"
#include "compare/emulated/types/here.hpp"

namespace ladder::emulated {

// Stops a kernel as unsupported where it calls what here only the host can, which has no name if it
// is a launch. `call` returns to the line.
void refuse_in_kernel(const char* name, const void* call);
// Messages of these three name the line that they return to.
void refuse_launch_in_kernel();
[[noreturn]] void refuse_launch(const char* why);
// Runs a grid to its end, or enqueues it in the stream of a device.
void launch_grid(Grid grid, Stream stream);
unsigned resident_blocks_of_multiprocessor(unsigned threads, std::size_t shared_bytes);

void* dynamic_arena();

// The launch that runs, and the barrier of its grid. The first word counts the blocks that come to
// barriers of the grid, the second the barriers that are over. Stops the kernel where the grid is
// not resident.
bool is_resident();
unsigned* grid_barrier(Here where);

Votes meet_block(bool vote, Here where, const char* name);

// Waits until every lane named in `mask` that has not exited is here too. `value` is what this lane
// brings; `source` the lane it reads (shuffle).
std::uint64_t meet_warp(const Intrinsic& intrinsic, unsigned mask, std::uint64_t value,
                        unsigned source, Here where);

unsigned lane_index();  // 0 to 31

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
