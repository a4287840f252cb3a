// Values that blocks hand to each other while they run, without a fence.
//
// A word of 64 bits is read and written at once. It carries 32 bits of a value and a tag; a value of more than 4 bytes takes several words. Whoever
// reads one tag in all of them has one whole value. volatile makes the accesses relaxed ones, which go to memory that all blocks see.
#pragma once

#include <cstddef>
#include <cstring>

#include "compare/launch.hpp"

namespace ladder {

using Word = unsigned long long;

template <class T>
constexpr unsigned words = sizeof(T) / sizeof(unsigned);

// The words of a value lie `apart` from each other.
template <class T>
__device__ void publish(volatile Word* at, unsigned tag, T value, std::size_t apart = 1) {
  unsigned part[words<T>];
  std::memcpy(part, &value, sizeof value);
#pragma unroll
  for (unsigned k = 0; k < words<T>; ++k) at[k * apart] = Word{tag} << 32 | part[k];
}

// The words of a value as they were found: some may be of one value and some of another.
template <class T>
struct Found {
  Word word[words<T>];

  __device__ void ask(const volatile Word* at, std::size_t apart = 1) {
#pragma unroll
    for (unsigned k = 0; k < words<T>; ++k) word[k] = at[k * apart];
  }

  __device__ unsigned tag() const {
    return static_cast<unsigned>(word[0] >> 32);
  }
  __device__ bool is_whole() const {
    bool whole = true;
#pragma unroll
    for (unsigned k = 1; k < words<T>; ++k) whole &= word[k] >> 32 == word[0] >> 32;
    return whole;
  }
  __device__ bool has(unsigned wanted) const {
    return tag() == wanted && is_whole();
  }

  __device__ T value() const {
    unsigned part[words<T>];
#pragma unroll
    for (unsigned k = 0; k < words<T>; ++k) part[k] = static_cast<unsigned>(word[k]);
    T whole;
    std::memcpy(&whole, part, sizeof whole);
    return whole;
  }
};

// The value with this tag, once it is there.
template <class T>
__device__ T wait_for(const volatile Word* at, unsigned tag) {
  Found<T> found;
  do found.ask(at);
  while (!found.has(tag));
  return found.value();
}

}  // namespace ladder
