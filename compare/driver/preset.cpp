#include "compare/driver/preset.hpp"

namespace ladder {
namespace {

using enum PresetRow::Operators;
using enum PresetRow::Operations;

constexpr std::uint64_t power_of_two(unsigned exponent) {
  return std::uint64_t{1} << exponent;
}

constexpr Effort quick_effort{.processes = 3, .min_samples = 10, .max_samples = 100, .max_seconds = 0.06};
constexpr Effort full_effort{.processes = 6, .min_samples = 30, .max_samples = 300, .max_seconds = 1};
// A sample on the GPU takes 0.3 ms with all that surrounds it, of a slow rung at 2^30 elements 20 ms: those settle for fewer.
constexpr Effort gpu_effort{.processes = 6, .min_samples = 30, .max_samples = 30, .max_seconds = 0.1};
constexpr Effort long_effort{.processes = 6, .min_samples = 10, .max_samples = 30, .max_seconds = 0.15};

// 2^first, 2^(first + step), .. 2^last.
std::vector<std::uint64_t> powers_of_two(unsigned first, unsigned last, unsigned step) {
  std::vector<std::uint64_t> sizes;
  for (unsigned exponent = first; exponent <= last; exponent += step) sizes.push_back(power_of_two(exponent));
  return sizes;
}

// About a minute. 2^10: one block or a few, all overheads show. 2^16: every launch has many blocks, and counts for each element no longer change. On
// the CPU 2^16 fits into a core's cache, 2^20 into the last one, 2^24 into neither; on a GPU 2^28 is past any cache, so that warm would be cold.
const std::vector<PresetRow> quick = {
    {"emulated", first, {}, {power_of_two(10), power_of_two(16)}, {}, {}, {}, reduce},
    {"emulated", others, {"i32", "f32"}, {power_of_two(16)}, {}, {}, {}, reduce},
    {"emulated", first, {"i32", "f32"}, {power_of_two(10), power_of_two(14)}, {}, {}, {}, but_reduce},
    {"host", first, {}, {power_of_two(16), power_of_two(20), power_of_two(24)}, quick_effort, {}, {}, reduce},
    {"host", first, {"i32", "f32"}, {power_of_two(20)}, quick_effort, {}, {"cold"}, but_reduce},
    {"cuda", first, {}, {power_of_two(16), power_of_two(20)}, quick_effort, {}, {}, reduce},
    {"cuda", first, {"i32", "f64"}, {power_of_two(28)}, quick_effort, {}, {"cold"}, reduce},
    {"cuda", others, {"i32", "f32"}, {power_of_two(24)}, quick_effort, {"device_result"}, {"cold"}, reduce},
    {"cuda", first, {"i32", "f32"}, {power_of_two(16), power_of_two(24)}, quick_effort, {"device_result"}, {"cold"}, but_reduce},
};

// Six processes, and 30 samples or more in each. 1,000,003 is a prime: no tile fits.
const std::vector<PresetRow> full = {
    {"emulated", all, {}, {power_of_two(10), power_of_two(16), 1'000'003}, {}, {}, {}, reduce},
    {"emulated", all, {}, {power_of_two(10), power_of_two(16)}, {}, {}, {}, but_reduce},
    {"host", first, {}, {power_of_two(10), power_of_two(16), power_of_two(20), 1'000'003, power_of_two(24), power_of_two(26)}, full_effort},
    {"host", others, {}, {power_of_two(20)}, full_effort},
    {"cuda", first, {}, powers_of_two(10, 24, 2), gpu_effort, {"device_result"}, {}, reduce},
    {"cuda", first, {}, powers_of_two(10, 24, 2), gpu_effort, {"host_result"}, {"cold"}, reduce},
    {"cuda", first, {}, powers_of_two(26, 30, 2), long_effort, {}, {"cold"}, reduce},
    {"cuda", first, {}, powers_of_two(10, 22, 4), gpu_effort, {"device_result"}, {}, but_reduce},
    {"cuda", first, {}, powers_of_two(10, 22, 4), gpu_effort, {"host_result"}, {"cold"}, but_reduce},
    {"cuda", first, {}, {power_of_two(26), power_of_two(28)}, long_effort, {}, {"cold"}, but_reduce},
    {"cuda", others, {"i32", "f32"}, {power_of_two(10), power_of_two(18), power_of_two(26)}, gpu_effort, {"device_result"}, {"cold"}},
};

}  // namespace

const std::vector<PresetRow>& preset(std::string_view name) {
  return name == "full" ? full : quick;
}

}  // namespace ladder
