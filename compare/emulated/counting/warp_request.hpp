// A warp-wide request, and what it costs the hardware.
#pragma once

#include <array>
#include <cstdint>

#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

struct Request {
  std::uint32_t lanes = 0;  // that took part
  unsigned size = 0;        // bytes for each
  std::array<std::uintptr_t, 32> address;
};

// The 32-byte sectors of global memory that it touches.
unsigned sectors(const Request& request);

// The bytes that it asks for: lanes that ask for the same ones ask once, as a GPU counts
// (smsp__sass_data_bytes_mem_global).
unsigned bytes(const Request& request);

// Lanes with the same address, where most of them have one: an atomic serves them one after
// another.
unsigned most_on_one_word(const Request& request);

// The passes through shared memory that it takes.
//
// Shared memory has 32 banks; successive 4-byte words lie in successive banks, and a bank serves
// one word in a pass, to all lanes that ask for any byte of it (CUDA C++ Programming Guide, "Shared
// Memory" under compute capability 5.x, which later ones refer to). So lanes with up to 4 bytes
// take as many passes as there are different words in the bank that has most. With 8 bytes a lane
// the halves of the warp are served one after the other, with 16 bytes its quarters, each by the
// same rule (the guide says so under compute capability 2.x); but for a load, twice as many lanes
// are served together where every two lanes n and n ^ 1 that take part, or every n and n ^ 2, ask
// for the same address (NVIDIA says so of compute capability 7.x in
// forums.developer.nvidia.com/t/unexpected-shared-memory-bank-conflict/77228). Lanes that take no
// part cost nothing. A bank serves the lanes of an atomic one after another, whether they mean one
// word or several.
//
// All of it agrees with what Nsight Compute 2025.3 counted on an H200
// (l1tex__data_pipe_lsu_wavefronts_mem_shared): for each request of shared_memory_test.cpp, and for
// the trees of dot and scan. Not the same there:
// - nvcc joins two loads, or two stores, of neighbouring elements into one of twice the size: so at
//   the first step of dot/bank_conflicts and of
//   scan/blelloch, whose requests and wavefronts are fewer by those.
// - atomicAdd of 1 to a shared int whose result is unused is an instruction of its own
//   (ATOMS.POPC.INC): one pass serves all lanes of a word.
// - Atomics without an instruction, such as additions of float and of 8 bytes, are loops that load,
//   compare and swap, and repeat what fails.
// - Arrays of a block lie at other distances. A request that reaches into two of them may conflict
//   in one place and not in the other; one within an
//   array takes as many passes wherever the array begins.
unsigned wavefronts(const Request& request, Access access);

}  // namespace ladder::emulated
