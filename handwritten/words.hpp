// Values that blocks hand to each other while they run, without a fence.
//
// A word of 64 bits is read and written at once. It carries 32 bits of a value and a tag; a value
// of more than 4 bytes takes several words. Whoever reads one tag in all of them has one whole
// value. volatile makes the accesses relaxed ones, which go to memory that all blocks see.
#pragma once

#include <cstddef>
#include <cstring>

#include "compare/launch.hpp"

namespace ladder {

using Word = unsigned long long;

template <class T>
constexpr unsigned words = sizeof(T) / sizeof(unsigned);

// Two words that lie together, in one access of 16 bytes. Each is still read and written by itself
// (PTX ISA, "Vector Data-types"). On an H200, a scan of 2^20 `f64` by one_wave then takes 10.8 us
// in place of 11.5.
__device__ inline void write_two(Word* at, Word first, Word second) {
#ifdef __CUDACC__
  asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" ::"l"(at), "l"(first), "l"(second)
               : "memory");
#else
  volatile Word* const word = at;
  word[0] = first;
  word[1] = second;
#endif
}
__device__ inline void read_two(const Word* at, Word& first, Word& second) {
#ifdef __CUDACC__
  asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(first), "=l"(second)
               : "l"(at)
               : "memory");
#else
  const volatile Word* const word = at;
  first = word[0];
  second = word[1];
#endif
}

template <class T>
__device__ void words_of(T value, unsigned tag, Word (&word)[words<T>]) {
  unsigned part[words<T>];
  std::memcpy(part, &value, sizeof value);
#pragma unroll
  for (unsigned k = 0; k < words<T>; ++k) word[k] = Word{tag} << 32 | part[k];
}

// The words lie together. `at` is a multiple of words<T> words past the start of a DeviceArray, so
// that two words are aligned to 16 bytes.
template <class T>
__device__ void publish(Word* at, unsigned tag, T value) {
  static_assert(words<T> == 1 || words<T> % 2 == 0);
  Word word[words<T>];
  words_of(value, tag, word);
  if constexpr (words<T> == 1) *static_cast<volatile Word*>(at) = word[0];
#pragma unroll
  for (unsigned k = 0; k + 1 < words<T>; k += 2) write_two(at + k, word[k], word[k + 1]);
}

// The words of a value as they were found: some may be of one value and some of another.
template <class T>
struct Found {
  Word word[words<T>];

  __device__ void ask(const Word* at) {
    if constexpr (words<T> == 1) word[0] = *static_cast<const volatile Word*>(at);
#pragma unroll
    for (unsigned k = 0; k + 1 < words<T>; k += 2) read_two(at + k, word[k], word[k + 1]);
  }
  // The words lie `apart` from each other.
  __device__ void ask(const volatile Word* at, std::size_t apart) {
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

// The value with this tag, once it is there. If its words do not lie together, `apart` says how far
// from each other they lie.
template <class T, class... Apart>
__device__ T wait_for(const Word* at, unsigned tag, Apart... apart) {
  Found<T> found;
  do found.ask(at, apart...);
  while (!found.has(tag));
  return found.value();
}

}  // namespace ladder
