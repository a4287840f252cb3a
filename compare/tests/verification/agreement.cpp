#include "compare/tests/verification/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "compare/elements.hpp"

namespace ladder::tests {
namespace {

// The bytes as the worker's machine, which is this one, holds them. A double holds them all.
template <class T>
std::vector<double> decoded(const std::string& hexadecimal) {
  if (hexadecimal.size() % (2 * sizeof(T)) != 0)
    throw std::invalid_argument("no whole elements in " + hexadecimal);
  std::vector<T> values(hexadecimal.size() / (2 * sizeof(T)));
  for (std::size_t k = 0; k < hexadecimal.size() / 2; ++k) {
    const auto byte =
        static_cast<unsigned char>(std::stoul(hexadecimal.substr(2 * k, 2), nullptr, 16));
    std::memcpy(reinterpret_cast<unsigned char*>(values.data()) + k, &byte, 1);
  }
  return {values.begin(), values.end()};
}

// A float type by its name.
struct Float {
  std::string_view dtype;
  std::vector<double> (*decoded)(const std::string& hexadecimal);
  double (*rounded)(double value);
};
template <class T>
constexpr Float float_of{dtype_of<T>(), decoded<T>, [](double value) {
                           return static_cast<double>(T(static_cast<Accumulator<T>>(value)));
                         }};
constexpr Float floats[] = {float_of<float>, float_of<double>, float_of<F16>, float_of<BF16>};

const Float& float_named(const std::string& dtype) {
  const auto found = std::ranges::find(floats, dtype, &Float::dtype);
  if (found == std::end(floats)) throw std::invalid_argument("no float type: " + dtype);
  return *found;
}

std::string disagreement_of(const Float& type_of_a, const protocol::Answer& a,
                            const Float& type_of_b, const protocol::Answer& b) {
  const auto of_a = type_of_a.decoded(a.output), of_b = type_of_b.decoded(b.output);
  if (of_a.size() != of_b.size())
    return fmt::format("{} and {} elements", of_a.size(), of_b.size());
  const auto in_both = [&](double value) { return type_of_b.rounded(type_of_a.rounded(value)); };
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const double x = of_a[i], y = of_b[i];
    // -0 equals +0: min and max may return either
    if (in_both(x) == in_both(y) || (std::isnan(x) && std::isnan(y))) continue;
    const bool unbounded = !a.bounded || !b.bounded;
    // right where it was allowed to overflow on the way
    const bool overflows = std::isinf(a.ulp_max) || std::isinf(b.ulp_max);
    // NaN and infinity are within no bound
    const double apart = std::abs(x - y);
    if (!std::isfinite(apart) && overflows) continue;
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

std::string disagreement(const protocol::Answer& a, const protocol::Answer& b) {
  if (a.output == b.output) return {};
  if (a.output.starts_with("checksum:")) return fmt::format("{} and {}", a.output, b.output);
  if (a.output_type.empty()) return first_difference(a.output, b.output);
  return disagreement_of(float_named(a.output_type), a, float_named(b.output_type), b);
}

}  // namespace ladder::tests
