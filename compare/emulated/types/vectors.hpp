// CUDA's vector types, with its alignments, as plain host C++.
#pragma once

#define LADDER_VECTOR4(name, T, bytes)          \
  struct alignas(bytes) name {                  \
    T x, y, z, w;                               \
  };                                            \
  inline name make_##name(T x, T y, T z, T w) { \
    return {x, y, z, w};                        \
  }
#define LADDER_VECTORS(name, T)                  \
  struct name##1 {                               \
    T x;                                         \
  };                                             \
  struct alignas(2 * sizeof(T)) name##2 {        \
    T x, y;                                      \
  };                                             \
  struct name##3 {                               \
    T x, y, z;                                   \
  };                                             \
  inline name##1 make_##name##1(T x) {           \
    return {x};                                  \
  }                                              \
  inline name##2 make_##name##2(T x, T y) {      \
    return {x, y};                               \
  }                                              \
  inline name##3 make_##name##3(T x, T y, T z) { \
    return {x, y, z};                            \
  }                                              \
  LADDER_VECTOR4(name##4, T, sizeof(T) < 4 ? 4 * sizeof(T) : 16)
#define LADDER_LONG_VECTORS(name, T) \
  LADDER_VECTORS(name, T)            \
  LADDER_VECTOR4(name##4_16a, T, 16) \
  LADDER_VECTOR4(name##4_32a, T, 32)

LADDER_VECTORS(char, signed char)
LADDER_VECTORS(uchar, unsigned char)
LADDER_VECTORS(short, short)
LADDER_VECTORS(ushort, unsigned short)
LADDER_VECTORS(int, int)
LADDER_VECTORS(uint, unsigned)
LADDER_VECTORS(float, float)
LADDER_LONG_VECTORS(long, long)
LADDER_LONG_VECTORS(ulong, unsigned long)
LADDER_LONG_VECTORS(longlong, long long)
LADDER_LONG_VECTORS(ulonglong, unsigned long long)
LADDER_LONG_VECTORS(double, double)

#undef LADDER_LONG_VECTORS
#undef LADDER_VECTORS
#undef LADDER_VECTOR4

struct dim3 {
  unsigned x, y, z;

  constexpr dim3(unsigned columns = 1, unsigned rows = 1, unsigned layers = 1)
      : x(columns), y(rows), z(layers) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
