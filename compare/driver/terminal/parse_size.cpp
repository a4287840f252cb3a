#include "compare/driver/terminal/parse_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <regex>

#include "compare/driver/terminal/errors.hpp"

namespace ladder {
namespace {

// 4 TiB of i32, beyond any machine in sight; no product with a type's size overflows
constexpr std::uint64_t largest = std::uint64_t{1} << 40;

// 1000 for "1,000". Two sizes may look like this too, such as 128,256; but no size begins with 0,
// and a power of two is what "65,536" is meant to be.
std::optional<std::uint64_t> in_groups(const std::string& word) {
  static const std::regex groups("[0-9]{1,3}(,[0-9]{3})+");
  if (!std::regex_match(word, groups)) return {};
  std::string joined = word;
  std::erase(joined, ',');
  const auto n = whole_number(joined);
  const bool is_meant = n && (word.find(",0") != word.npos || std::has_single_bit(*n));
  return is_meant ? n : std::nullopt;
}

std::optional<std::uint64_t> power(std::uint64_t factor, std::uint64_t base,
                                   std::uint64_t exponent) {
  for (; exponent > 0 && factor > 0 && base != 1; --exponent) {
    if (base > 0 && factor > largest / base) return {};
    factor *= base;
  }
  return factor;
}

// "2^22 or 4e6" for "4M"; empty for a word without such an ending.
std::string of_thousands(std::string_view text) {
  constexpr std::string_view endings = "kmgt";
  const auto ending = text.empty() ? endings.npos : endings.find(text.back() | 0x20);
  const auto first =
      ending == endings.npos ? std::nullopt : whole_number(text.substr(0, text.size() - 1));
  const auto n = first ? power(*first, 1024, ending + 1) : std::nullopt;
  return n ? fmt::format("{} or {}e{}", size_text(*n), *first, 3 * (ending + 1)) : "";
}

}  // namespace

std::optional<std::uint64_t> whole_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '0') return {};
  return number_in<std::uint64_t>(text);
}

std::uint64_t parse_size(std::string_view text) {
  const auto mark = std::min(text.find_first_of("^eE"), text.size());
  const auto first = whole_number(text.substr(0, mark)),
             exponent = whole_number(mark == text.size() ? "0" : text.substr(mark + 1));
  if (!first || !exponent) {
    const std::string meant = of_thousands(text);
    throw UsageError("--size: \"{}\" is not a number of elements; write {}", text,
                     meant.empty() ? "1000, 2^16 or 1e6" : meant);
  }
  const bool is_power = text.substr(mark).starts_with('^');
  const auto n = is_power ? power(1, *first, *exponent) : power(*first, 10, *exponent);
  if (!n || *n > largest)
    throw UsageError("--size: {} is more than 2^40 elements, which no machine holds", text);
  return *n;
}

std::vector<std::string> between_commas(const std::string& word) {
  std::vector<std::string> parts;
  for (std::size_t start = 0, end = 0; end != word.npos; start = end + 1) {
    end = word.find(',', start);
    parts.push_back(word.substr(start, end - start));
  }
  return parts;
}

std::vector<std::uint64_t> parse_sizes(const std::vector<std::string>& words) {
  std::vector<std::uint64_t> sizes;
  for (const std::string& word : words) {
    if (const auto n = in_groups(word))
      throw UsageError("--size: a comma separates two sizes; for \"{}\" write {}", word, *n);
    for (const std::string& part : between_commas(word)) sizes.push_back(parse_size(part));
  }
  return sizes;
}

std::string size_text(std::uint64_t n) {
  return std::has_single_bit(n) && n >= 1024 ? fmt::format("2^{}", std::countr_zero(n))
                                             : fmt::format("{}", n);
}

}  // namespace ladder
