#include "reports/text/interval_digits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/text/numbers.hpp"

namespace ladder::reports {
namespace {

// The number of decimals with which this number shows so many digits.
int decimals(double number, int digits) {
  return number > 0 ? digits - 1 - static_cast<int>(std::floor(std::log10(number))) : 0;
}

std::string with_decimals(double number, int count) {
  std::string text = fmt::format("{:.{}f}", number, count);
  if (!(std::abs(number) < 1e15)) return text;
  const auto point = std::min(text.find('.'), text.size());
  return grouped(std::stoull(text.substr(0, point))) + text.substr(point);
}

}  // namespace

Precise::Precise(double a_value, double a_low, double a_high) {
  constexpr int most = 9;
  int count =
      std::clamp(std::max(decimals(a_value, 3), decimals((a_high - a_low) / 2, 1)), 0, most);
  const auto is_taken_for_1 = [&](double end) {
    return end != 1 && std::stod(fmt::format("{:.{}f}", end, count)) == 1;
  };
  while (count < most && (is_taken_for_1(a_low) || is_taken_for_1(a_high))) ++count;
  value = with_decimals(a_value, count), low = with_decimals(a_low, count),
  high = with_decimals(a_high, count);
}

}  // namespace ladder::reports
