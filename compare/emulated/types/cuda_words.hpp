// CUDA's qualifiers, index variables and vector types as plain host C++.
#pragma once

#include "compare/emulated/types/vectors.hpp"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__  // all memory is the host's
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
// Nothing: the checker sees a struct that a call returns into memory only if the call is inlined.
#define __noinline__
#define __forceinline__ inline __attribute__((always_inline))
// Recorded beside the kernel, as so many empty instructions before its first one
// (launch_bounds.hpp): a template's argument is known there only.
#define __launch_bounds__(...) LADDER_LAUNCH_BOUNDS(__VA_ARGS__, 0)
#define LADDER_LAUNCH_BOUNDS(threads, ...) \
  __attribute__((patchable_function_entry(((threads) + 31) / 32, ((threads) + 31) / 32)))
// In a rung's own file, compare/rung_compiler/ tells the launch. Elsewhere nothing would.
#define __cluster_dims__(...) \
  _Pragma("GCC error \"say LaunchShape::cluster in the launch, in place of __cluster_dims__\"")
// One OS thread runs all CUDA threads of a block, and one block at a time, whose memory this then
// is: what is local to it is shared by the block, and only by it.
// (GCC drops section attributes on statics of function templates, so the program header PT_TLS is
// what says where shared memory lies.)
// g++ guards an array of a class that has constructors, also where the default one does nothing, as
// of __half: the checker would see kernels access the guard. clang has none, and refuses the word.
#ifdef __clang__
#define __shared__ thread_local
#else
#define __shared__ constinit thread_local
#endif

// The runtime writes these at every switch under their linker names; for the thread that reads them
// they never change. GCC does not instrument reads of const objects of trivial type (dim3 has
// constructors: it would), so asking for threadIdx costs no call and is no access.
extern const uint3 threadIdx asm("ladder_emulated_thread_index");
extern const uint3 blockIdx asm("ladder_emulated_block_index");
extern const uint3 blockDim asm("ladder_emulated_block_dim");
extern const uint3 gridDim asm("ladder_emulated_grid_dim");
inline constexpr int warpSize = 32;
