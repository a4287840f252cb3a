// A checksum of an array that is summed up in any order, so that a GPU can take it at the speed of
// its memory.
//
// The sum over all 4-byte words (zeros follow a last one that is shorter) of a bijection of (word,
// place): no single change is missed, and any others by a chance of 2^-64.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ladder {

// The share of one word. The mixing is that of SplitMix64 (see random_bits).
constexpr std::uint64_t checksum_of_word(std::uint32_t word, std::uint64_t place) {
  std::uint64_t z = (place << 32 | place >> 32) + word + 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

// The checksum of an array whose elements come in their order. An array may come in pieces, which
// begin at even elements: the checksum of the array is the sum of theirs.
template <class T>
class ChecksumOf {
 public:
  // i: the number of the element in the array.
  constexpr void add(const T& element, std::uint64_t i) {
    constexpr std::size_t words = sizeof(T) / 4;
    if constexpr (words > 0) {
      static_assert(sizeof(T) % 4 == 0);
      const auto bits = std::bit_cast<std::array<std::uint32_t, words>>(element);
      for (std::size_t k = 0; k < words; ++k) sum_ += checksum_of_word(bits[k], i * words + k);
    } else {
      const std::uint32_t bits = std::bit_cast<std::uint16_t>(element);
      // two elements are a word; zeros stand for the second until it comes
      sum_ -= i % 2 == 0 ? 0 : checksum_of_word(lower_, i / 2);
      lower_ = i % 2 == 0 ? bits : lower_ | bits << 16;
      sum_ += checksum_of_word(lower_, i / 2);
    }
  }
  constexpr std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
  std::uint32_t lower_ = 0;  // the word that the last element is in
};

constexpr std::uint32_t last_word(const unsigned char* bytes, std::size_t count) {
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < count; ++k) word |= std::uint32_t{bytes[k]} << 8 * k;
  return word;
}

// Of memory that the CPU can read.
std::uint64_t checksum_on_host(const void* data, std::size_t bytes);
std::vector<std::uint64_t> checksums_on_host(std::span<const std::span<const std::byte>> arrays);

}  // namespace ladder
