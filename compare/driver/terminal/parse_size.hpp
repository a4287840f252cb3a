// Numbers of elements as people write and read them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace ladder {

// "1000", "2^16" or "1e6". Throws UsageError, for "4M" with what to write.
std::uint64_t parse_size(std::string_view text);

std::vector<std::string> between_commas(const std::string& word);  // "a", "b" and "" of "a,b,"

// Several of them, with commas between. A number that is grouped by commas is refused: "1,000" is
// not 1 and 0. Throws UsageError.
std::vector<std::uint64_t> parse_sizes(const std::vector<std::string>& words);

// The number that all of the text is; empty where it is none.
template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc{} && end == last ? std::optional(value) : std::nullopt;
}

// The number that decimal digits alone make, without a leading 0; empty for any other text.
std::optional<std::uint64_t> whole_number(std::string_view text);

// "1000", "2^16"; a power of two is written as one from 2^10 on
std::string size_text(std::uint64_t n);

}  // namespace ladder
