#include "compare/driver/preset.hpp"

namespace ladder {
namespace {

using enum PresetRow::Operators;

constexpr std::uint64_t power_of_two(unsigned exponent) {
  return std::uint64_t{1} << exponent;
}

// Under a minute on two cores. 2^10: one block or a few, all overheads show. 2^16: every launch has many blocks, and counts for each element no
// longer change. On the CPU 2^16 fits into a core's cache, 2^20 into the last one, 2^24 into neither.
const std::vector<PresetRow> quick = {
    {"emulated", first, {}, {power_of_two(10), power_of_two(16)}, {}},
    {"emulated", others, {"i32", "f32"}, {power_of_two(16)}, {}},
    {"host",
     first,
     {},
     {power_of_two(16), power_of_two(20), power_of_two(24)},
     {.processes = 3, .min_samples = 10, .max_samples = 100, .max_seconds = 0.06}},
    {"cuda",
     first,
     {},
     {power_of_two(16), power_of_two(20), power_of_two(28)},
     {.processes = 3, .min_samples = 10, .max_samples = 100, .max_seconds = 0.2}},
    {"cuda", others, {"i32", "f32"}, {power_of_two(24)}, {.processes = 3, .min_samples = 10, .max_samples = 100, .max_seconds = 0.2}},
};

// As measuring asks: at least six processes, at least 30 samples in each. 1,000,003 is a prime: no tile fits. 2^26 and 2^28 are past any cache.
const std::vector<PresetRow> full = {
    {"emulated", all, {}, {power_of_two(10), power_of_two(16), 1'000'003}, {}},
    {"host",
     first,
     {},
     {power_of_two(10), power_of_two(16), power_of_two(20), 1'000'003, power_of_two(24), power_of_two(26)},
     {.processes = 6, .min_samples = 30, .max_samples = 300, .max_seconds = 1}},
    {"host", others, {}, {power_of_two(20)}, {.processes = 6, .min_samples = 30, .max_samples = 300, .max_seconds = 0.5}},
    {"cuda",
     first,
     {},
     {power_of_two(10), power_of_two(16), power_of_two(20), 1'000'003, power_of_two(24), power_of_two(28)},
     {.processes = 6, .min_samples = 30, .max_samples = 300, .max_seconds = 1}},
    {"cuda", others, {}, {power_of_two(24)}, {.processes = 6, .min_samples = 30, .max_samples = 300, .max_seconds = 0.5}},
};

}  // namespace

const std::vector<PresetRow>& preset(std::string_view name) {
  return name == "full" ? full : quick;
}

}  // namespace ladder
