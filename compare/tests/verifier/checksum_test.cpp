#include "compare/checksum.hpp"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "compare/tests/catch.hpp"

using namespace ladder;

namespace {

std::uint64_t checksum(const std::vector<std::uint32_t>& words) {
  return checksum_on_host(words.data(), words.size() * sizeof(std::uint32_t));
}

}  // namespace

TEST_CASE("a checksum is the sum over all words, however many threads add them up") {
  std::vector<std::uint32_t> words(300'001);  // more than a thread takes at once
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = static_cast<std::uint32_t>(i * i);
    expected += checksum_of_word(words[i], i);
  }
  CHECK(checksum(words) == expected);
  CHECK(checksum({}) == 0);
}

TEST_CASE("a checksum is the sum over all elements too") {
  const auto check = []<class T>(const std::vector<T>& values) {
    ChecksumOf<T> sum;
    for (std::size_t i = 0; i < values.size(); ++i) sum.add(values[i], i);
    CHECK(checksum_on_host(values.data(), values.size() * sizeof(T)) == sum.sum());
  };
  check(std::vector<double>{1.5, -2, 1e300});
  check(std::vector<std::int32_t>{1, -2, 3});
  check(std::vector<std::uint16_t>{1, 2, 3, 4});
  check(std::vector<std::uint16_t>{1, 2, 3});
}

TEST_CASE("a checksum misses no single change, no exchange of two words, and no zero at the end") {
  const std::vector<std::uint32_t> words(100, 7);
  std::set<std::uint64_t> seen{checksum(words)};
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      auto changed = words;
      changed[i] ^= 1U << bit;
      CHECK(seen.insert(checksum(changed)).second);
    }
  }
  auto mixed = words;
  mixed[3] = 8;
  const auto before = checksum(mixed);
  std::swap(mixed[3], mixed[60]);
  CHECK(checksum(mixed) != before);
  mixed.push_back(0);
  CHECK(seen.insert(checksum(mixed)).second);
}

TEST_CASE("a checksum takes bytes that fill no word") {
  for (const std::size_t bytes : {1U, 2U, 3U, 5U, 103U}) {
    const std::vector<unsigned char> before(bytes, 7);
    for (std::size_t i = 0; i < bytes; ++i) {
      INFO("byte " << i << " of " << bytes);
      auto changed = before;
      changed[i] = 8;
      CHECK(checksum_on_host(changed.data(), bytes) != checksum_on_host(before.data(), bytes));
    }
  }
}
