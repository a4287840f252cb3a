#include "reports/text/numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace ladder::reports {

std::string three_digits(double value) {
  if (value == 0) return "0";
  if (value < 0.9995) return fmt::format("{:.3g}", value);
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  if (value < 1e15) return grouped(static_cast<std::uint64_t>(std::llround(value)));
  return fmt::format("{:.3g}", value);
}

std::string shortest(double value) {
  return value == std::floor(value) && value < 1e15 ? grouped(static_cast<std::uint64_t>(value))
                                                    : three_digits(value);
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string elements(std::uint64_t n) {
  return n >= 1024 && std::has_single_bit(n) ? fmt::format("2^{}", std::countr_zero(n))
                                             : grouped(n);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return three_digits(value) + ' ' + units[unit];
}

std::string factor(double value) {
  return three_digits(value) + 'x';
}

Duration::Duration(double microseconds) {
  if (microseconds < 0.9995) unit = "ns", scale = 1e3;
  if (microseconds >= 999.5) unit = "ms", scale = 1e-3;
  if (microseconds >= 999.5e3) unit = "s", scale = 1e-6;
}

std::string Duration::number(double microseconds) const {
  return three_digits(microseconds * scale);
}

std::string duration(double microseconds) {
  const Duration in(microseconds);
  return fmt::format("{} {}", in.number(microseconds), in.unit);
}

}  // namespace ladder::reports
