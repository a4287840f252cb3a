// CUDA's qualifiers, index variables and vector types as plain host C++.
#pragma once

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
// Recorded beside the kernel, as so many empty instructions before its first one (launch_bounds.hpp): a template's argument is known there only.
#define __launch_bounds__(...) LADDER_LAUNCH_BOUNDS(__VA_ARGS__, 0)
#define LADDER_LAUNCH_BOUNDS(threads, ...) __attribute__((patchable_function_entry(((threads) + 31) / 32, ((threads) + 31) / 32)))
// One OS thread runs all CUDA threads of a block, and one block at a time, whose memory this then is: what is local to it is shared by the block, and
// only by it.
// (GCC drops section attributes on statics of function templates, so the program header PT_TLS is what says where shared memory lies.)
#define __shared__ thread_local

struct uint3 {
  unsigned x, y, z;
};

// The runtime writes these at every switch under their linker names; for the thread that reads them they never change. GCC does not instrument
// reads of const objects of trivial type (dim3 has constructors: it would), so asking for threadIdx costs no call and is no access.
extern const uint3 threadIdx asm("ladder_emulated_thread_index");
extern const uint3 blockIdx asm("ladder_emulated_block_index");
extern const uint3 blockDim asm("ladder_emulated_block_dim");
extern const uint3 gridDim asm("ladder_emulated_grid_dim");
inline constexpr int warpSize = 32;

// Nothing is timed here.
inline long long clock64() {
  return 0;
}

struct alignas(8) int2 {
  int x, y;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) longlong2 {
  long long x, y;
};
struct alignas(16) ulonglong2 {
  unsigned long long x, y;
};
struct alignas(16) double2 {
  double x, y;
};

inline int2 make_int2(int x, int y) {
  return {x, y};
}
inline uint2 make_uint2(unsigned x, unsigned y) {
  return {x, y};
}
inline float2 make_float2(float x, float y) {
  return {x, y};
}
inline int4 make_int4(int x, int y, int z, int w) {
  return {x, y, z, w};
}
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}
inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
inline longlong2 make_longlong2(long long x, long long y) {
  return {x, y};
}
inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) {
  return {x, y};
}
inline double2 make_double2(double x, double y) {
  return {x, y};
}
