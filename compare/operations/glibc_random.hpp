// What glibc's rand() returns, from any place of its sequence on: the notes fill their inputs from
// it.
//
// Its generator adds two of its last 31 words, w[i] = w[i-3] + w[i-31] modulo 2^32, and drops the
// lowest bit. That is linear: word i is a sum of multiples of the first 31 words, and the factors
// are the coefficients of x^i modulo x^31 - x^28 - 1. So an element needs none of those before it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ladder {

class GlibcRandom {
 public:
  // After srand(seed); a program that never calls srand has seed 1. first: how many numbers were
  // taken before.
  GlibcRandom(std::uint32_t seed, std::uint64_t first) {
    const Words start = seeded(seed);
    Words factors = power_of_x(first + discarded);
    for (std::uint32_t& word : words_) {
      for (std::size_t k = 0; k < degree; ++k) word += factors[k] * start[k];
      multiply_by_x(factors);
    }
  }

  std::uint32_t operator()() {
    const std::uint32_t oldest = words_[at_];
    words_[at_] += words_[(at_ + degree - 3) % degree];
    at_ = (at_ + 1) % degree;
    return oldest >> 1;
  }

 private:
  static constexpr std::size_t degree = 31;
  // srand() throws 310 numbers away, after the words it starts from
  static constexpr std::uint64_t discarded = 341;
  using Words = std::array<std::uint32_t, degree>;

  // Its first three words come last: r[31] to r[33] repeat r[0] to r[2], and the recurrence starts
  // after them.
  static Words seeded(std::uint32_t seed) {
    constexpr std::int64_t modulus = 2'147'483'647;
    Words words{};
    std::int64_t word = static_cast<std::int32_t>(seed == 0 ? 1 : seed);
    for (std::size_t k = 0; k < degree; ++k) {
      words[(k + degree - 3) % degree] = static_cast<std::uint32_t>(word);
      word = 16807 * word % modulus;
      if (word < 0) word += modulus;
    }
    return words;
  }

  static void multiply_by_x(Words& factors) {
    const std::uint32_t top = factors[degree - 1];
    for (std::size_t k = degree - 1; k > 0; --k) factors[k] = factors[k - 1];
    factors[0] = top;
    factors[degree - 3] += top;
  }

  static void square(Words& factors) {
    std::array<std::uint32_t, 2 * degree - 1> product{};
    for (std::size_t i = 0; i < degree; ++i)
      for (std::size_t k = 0; k < degree; ++k) product[i + k] += factors[i] * factors[k];
    for (std::size_t k = product.size() - 1; k >= degree; --k) {
      product[k - 3] += product[k];
      product[k - degree] += product[k];
    }
    for (std::size_t k = 0; k < degree; ++k) factors[k] = product[k];
  }

  static Words power_of_x(std::uint64_t exponent) {
    Words factors{1};
    for (auto bit = std::bit_width(exponent); bit-- > 0;) {
      square(factors);
      if (exponent >> bit & 1) multiply_by_x(factors);
    }
    return factors;
  }

  Words words_{};
  std::size_t at_ = 0;
};

}  // namespace ladder
