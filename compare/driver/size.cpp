#include "compare/driver/size.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <optional>

#include "compare/driver/errors.hpp"

namespace ladder {
namespace {

constexpr std::uint64_t largest = std::uint64_t{1} << 40;  // 4 TiB of i32, beyond any machine in sight; no product with a type's size overflows

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::optional<std::uint64_t> power(std::uint64_t factor, std::uint64_t base, std::uint64_t exponent) {
  for (; exponent > 0 && factor > 0 && base != 1; --exponent) {
    if (base > 0 && factor > largest / base) return {};
    factor *= base;
  }
  return factor;
}

}  // namespace

std::uint64_t parse_size(std::string_view text) {
  const auto mark = text.find_first_of("^eE");
  std::optional<std::uint64_t> n = whole_number(text.substr(0, mark));
  if (mark != std::string_view::npos) {
    const auto exponent = whole_number(text.substr(mark + 1));
    if (!n || !exponent) throw UsageError(fmt::format("--size: \"{}\" is no number of elements; write 1000, 2^16 or 1e6", text));
    n = text[mark] == '^' ? power(1, *n, *exponent) : power(*n, 10, *exponent);
    if (!n) throw UsageError(fmt::format("--size: {} is more than 2^40 elements, which no machine holds", text));
  }
  if (!n) throw UsageError(fmt::format("--size: \"{}\" is no number of elements; write 1000, 2^16 or 1e6", text));
  if (*n > largest) throw UsageError(fmt::format("--size: {} is more than 2^40 elements, which no machine holds", text));
  return *n;
}

std::string size_text(std::uint64_t n) {
  return std::has_single_bit(n) && n >= 1024 ? fmt::format("2^{}", std::countr_zero(n)) : fmt::format("{}", n);
}

}  // namespace ladder
