// What the words for asynchronous copies, for barriers in shared memory and for clusters ask of the
// runtime (PTX ISA, "Asynchronous Data Movement", "mbarrier" and "barrier.cluster").
// Everything here is called from instrumented code; asynchronous.cpp says how it works.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compare/emulated/types/barrier.hpp"
#include "compare/emulated/types/here.hpp"
#include "compare/emulated/types/vectors.hpp"

namespace ladder::emulated {

// Who copies: the threads (cp.async), or the unit for bulk copies, which reaches memory by another
// path: the asynchronous proxy.
enum class Mover : std::uint8_t { threads, bulk };

void initialise(Barrier* barrier, unsigned arrivals, Here where);
// `dropped`: that many fewer are expected in later phases. Gives the parity of the phase that it
// arrives at. A relaxed arrival hands on nothing, and who waits relaxedly learns nothing.
enum class Strength : std::uint8_t { ordering, relaxed };
unsigned arrive(Barrier* barrier, unsigned count, unsigned dropped, Here where,
                Strength strength = Strength::ordering);
void expect_bytes(Barrier* barrier, std::size_t bytes, Here where);
// the phase of that parity
bool is_over(Barrier* barrier, unsigned parity, Here where, Strength strength = Strength::ordering);
// Arrives once the copies by this thread so far are done. counted: as one of the arrivals that the
// barrier expects; else as one more.
void arrive_after_copies(Barrier* barrier, bool counted, Here where);

// The last `zeros` of `size` bytes are not read, and 0. Where there is a value, of up to 16 bytes,
// that is stored, and nothing is read.
struct Transfer {
  void* to;
  const void* from;
  std::size_t size, zeros = 0;
  const void* value = nullptr;
};
// the barrier is told of each byte
void copy_onto_barrier(Mover mover, const Transfer& transfer, Barrier* barrier, Here where);
void copy_in_group(Mover mover, const Transfer& transfer, Here where);
void end_group(Mover mover);  // of this thread's copies since the last, if only an empty one
// Until all groups of this thread but the last are done; only_read: until they have read what they
// copy.
void wait_for_groups(Mover mover, unsigned but_last, bool only_read = false);

void fence_for_copies();  // what lies before it is there for bulk copies (fence.proxy.async)

// A cluster of blocks.
unsigned blocks_of_cluster();
unsigned rank_in_cluster();
// stops the kernel where its clusters have other sizes
void expect_cluster(uint3 blocks, Here where);
uint3 shape_of_cluster();
// what lies before it, to those who learn
void arrive_at_cluster(bool hands_on);
// all its threads that have not exited
void wait_for_cluster(bool learns, Here where);
// the same shared memory of another block
void* shared_of_rank(const void* pointer, unsigned rank, Here where);
unsigned rank_of_shared(const void* pointer);

}  // namespace ladder::emulated
