#include "compare/checksum.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cstring>
#include <functional>

namespace ladder {

std::uint64_t checksum_on_host(const void* data, std::size_t bytes) {
  constexpr std::size_t words_for_a_thread = 1 << 16;
  using Range = tbb::blocked_range<std::size_t>;
  const auto* const memory = static_cast<const unsigned char*>(data);
  const auto add_up = [memory](const Range& words, std::uint64_t sum) {
    for (std::size_t i = words.begin(); i < words.end(); ++i) {
      std::uint32_t word;
      std::memcpy(&word, memory + i * sizeof word, sizeof word);
      sum += checksum_of_word(word, i);
    }
    return sum;
  };
  const std::size_t whole = bytes / sizeof(std::uint32_t), rest = bytes % sizeof(std::uint32_t);
  const std::uint64_t sum = tbb::parallel_reduce(Range(0, whole, words_for_a_thread),
                                                 std::uint64_t{0}, add_up, std::plus<>());
  return rest == 0 ? sum : sum + checksum_of_word(last_word(memory + bytes - rest, rest), whole);
}

std::vector<std::uint64_t> checksums_on_host(std::span<const std::span<const std::byte>> arrays) {
  std::vector<std::uint64_t> sums;
  for (const auto array : arrays) sums.push_back(checksum_on_host(array.data(), array.size()));
  return sums;
}

}  // namespace ladder
