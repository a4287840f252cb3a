#include "compare/tests/verification/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace ladder::tests {
namespace {

// The bytes as the worker's machine, which is this one, holds them.
template <class T>
std::vector<T> decoded(const std::string& hexadecimal) {
  if (hexadecimal.size() % (2 * sizeof(T)) != 0)
    throw std::invalid_argument("no whole elements in " + hexadecimal);
  std::vector<T> values(hexadecimal.size() / (2 * sizeof(T)));
  for (std::size_t k = 0; k < hexadecimal.size() / 2; ++k) {
    const auto byte =
        static_cast<unsigned char>(std::stoul(hexadecimal.substr(2 * k, 2), nullptr, 16));
    std::memcpy(reinterpret_cast<unsigned char*>(values.data()) + k, &byte, 1);
  }
  return values;
}

template <class T>
std::string disagreement_of(const protocol::Answer& a, const protocol::Answer& b) {
  const auto of_a = decoded<T>(a.output), of_b = decoded<T>(b.output);
  if (of_a.size() != of_b.size())
    return fmt::format("{} and {} elements", of_a.size(), of_b.size());
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const T x = of_a[i], y = of_b[i];
    // -0 equals +0: min and max may return either
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    const bool unbounded = !a.bounded || !b.bounded;
    // NaN and infinity are within no bound
    const double apart = std::abs(static_cast<double>(x) - static_cast<double>(y));
    if (std::isfinite(apart) && (unbounded || apart <= a.bound + b.bound)) continue;
    return fmt::format("out[{}] is {} and {}; both bounds together allow {:.3g}", i, x, y,
                       a.bound + b.bound);
  }
  return {};
}

// Of bytes in hexadecimal. All of them would be many.
std::string first_difference(const std::string& a, const std::string& b) {
  constexpr std::size_t digits = 16;
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin()) / 2 * 2;
  return fmt::format("from byte {} on {} and {}", at / 2, a.substr(at, digits),
                     b.substr(at, digits));
}

}  // namespace

std::string disagreement(const std::string& dtype, const protocol::Answer& a,
                         const protocol::Answer& b) {
  if (a.output == b.output) return {};
  const bool floats = dtype == "f32" || dtype == "f64";
  if (a.output.starts_with("checksum:")) return fmt::format("{} and {}", a.output, b.output);
  if (!floats) return first_difference(a.output, b.output);
  return dtype == "f32" ? disagreement_of<float>(a, b) : disagreement_of<double>(a, b);
}

}  // namespace ladder::tests
