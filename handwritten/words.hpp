// Values that blocks hand to each other while they run, without a fence.
//
// A word of 64 bits is read and written at once. It carries 32 bits of a value and a tag; a value of more than 4 bytes takes several words. Whoever
// reads one tag in all of them has one whole value. volatile makes the accesses relaxed ones, which go to memory that all blocks see.
#pragma once

#include <cstring>

#include "compare/launch.hpp"

namespace ladder {

using Word = unsigned long long;

template <class T>
constexpr unsigned words = sizeof(T) / sizeof(unsigned);

template <class T>
__device__ void publish(volatile Word* at, unsigned tag, T value) {
  unsigned part[words<T>];
  std::memcpy(part, &value, sizeof value);
#pragma unroll
  for (unsigned k = 0; k < words<T>; ++k) at[k] = Word{tag} << 32 | part[k];
}

// False where the words are of different values.
template <class T>
__device__ bool read(const volatile Word* at, unsigned& tag, T& value) {
  Word word[words<T>];
  unsigned part[words<T>];
#pragma unroll
  for (unsigned k = 0; k < words<T>; ++k) word[k] = at[k];
  tag = static_cast<unsigned>(word[0] >> 32);
  bool whole = true;
#pragma unroll
  for (unsigned k = 0; k < words<T>; ++k) {
    part[k] = static_cast<unsigned>(word[k]);
    whole &= word[k] >> 32 == tag;
  }
  std::memcpy(&value, part, sizeof value);
  return whole;
}

// The value with this tag, once it is there.
template <class T>
__device__ T wait_for(const volatile Word* at, unsigned tag) {
  unsigned found;
  T value;
  while (!read(at, found, value) || found != tag) {
  }
  return value;
}

}  // namespace ladder
