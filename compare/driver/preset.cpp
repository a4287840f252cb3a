#include "compare/driver/preset.hpp"

namespace ladder {
namespace {

using enum PresetRow::Operators;
using enum reports::Backend;

constexpr PresetRow::Operations reduce{.only = "reduce"}, but_reduce{.except = "reduce"};  // reduce alone where the others would take too long
constexpr PresetRow::Operations sum_of_cubes{.only = "sum_of_cubes"}, histogram{.only = "histogram"}, dot{.only = "dot"},
    inclusive_scan{.only = "inclusive_scan"}, exclusive_scan{.only = "exclusive_scan"};

const std::vector<reports::Contract> kernel{reports::Contract::device_result}, until_host{reports::Contract::host_result};
const std::vector<reports::Cache> cold{reports::Cache::cold}, warm{reports::Cache::warm};
const std::vector<std::string_view> glibc_bytes{"glibc_bytes"}, well_and_ill{"uniform", "ill_conditioned"},
    every_contention{"uniform", "constant", "zipf", "sorted"};
const std::vector<std::string_view> but_u8{"i32", "i64", "f32", "f64"};  // the histogram of u8 has rows of its own where it costs time
const std::vector<unsigned> every_bins{10, 64, 256, 1024, 65'536}, few_and_many{10, 65'536}, thousands_of_bins{4096, 65'536},
    bins_of_targets{10, 64, 256, 1024, 4096, 65'536}, misaligned{1};

constexpr std::uint64_t power_of_two(unsigned exponent) {
  return std::uint64_t{1} << exponent;
}

constexpr Effort quick_effort{.processes = 3, .min_samples = 10, .max_samples = 100, .max_seconds = 0.06};
constexpr Effort least_effort{.processes = 1, .min_samples = 3, .max_samples = 10, .max_seconds = 0.02};
constexpr Effort full_effort{.processes = 6, .min_samples = 30, .max_samples = 100, .max_seconds = 0.15};
// A sample on the GPU takes 0.3 ms with all that surrounds it, of a slow rung at 2^30 elements 20 ms: those settle for fewer. Over 2,276 times of the
// set published in November 2026, intervals from 10 samples of each process are 9 % wider than from 30, and from 15 samples 8 %. But some calls take
// one of two times, such as CUB's sum of 2^18 `f32`, 6.9 or 8.0 us. 12 samples of such a call do not settle its median. Of 48, intervals are 40 %
// narrower. Long calls: of 1,333 rows from 2^26 on, 964 need no more than 10 samples in each process. A sample of more than 6 ms leaves fewer.
constexpr Effort gpu_effort{.processes = 6, .min_samples = 12, .max_samples = 48, .max_seconds = 0.025};
constexpr Effort long_effort{.processes = 6, .min_samples = 10, .max_samples = 30, .max_seconds = 0.06};

// 2^first, 2^(first + step), .. 2^last.
std::vector<std::uint64_t> powers_of_two(unsigned first, unsigned last, unsigned step) {
  std::vector<std::uint64_t> sizes;
  for (unsigned exponent = first; exponent <= last; exponent += step) sizes.push_back(power_of_two(exponent));
  return sizes;
}

// Primes: no tile, block or warp divides them, and every last one is ragged.
constexpr std::uint64_t ten_thousand = 10'007, million = 1'000'003, hundred_million = 100'000'007;

// About a minute. 2^10: one block or a few, all overheads show. 2^16: every launch has many blocks, and counts for each element no longer change. On
// the CPU 2^16 fits into a core's cache, 2^20 into the last one, 2^24 into neither; on a GPU 2^28 is past any cache, so that warm would be cold.
const std::vector<PresetRow> quick = {
    {emulated, first, {}, {power_of_two(10), power_of_two(16)}, {}, {}, {}, reduce},
    {emulated, others, {"i32", "f32"}, {power_of_two(16)}, {}, {}, {}, reduce},
    {emulated, first, {"i32", "f32", "u8"}, {power_of_two(10), power_of_two(14)}, {}, {}, {}, but_reduce},
    {emulated, first, {"i32"}, {ten_thousand}, {}},
    {host, first, {"i32", "f64"}, {power_of_two(16), power_of_two(20), power_of_two(24)}, quick_effort, {}, {}, reduce},
    {host, first, {"i32"}, {million}, quick_effort, {}, cold, reduce},
    {host, first, {"i32", "f32", "u8"}, {power_of_two(20)}, quick_effort, {}, cold, but_reduce},
    {cuda, first, {"i32", "f64"}, {power_of_two(16), power_of_two(20)}, quick_effort, {}, {}, reduce},
    {cuda, first, {"i32", "f64"}, {power_of_two(28)}, quick_effort, kernel, cold, reduce},
    {cuda, first, {"i32"}, {million}, quick_effort, kernel, cold},
    {cuda, others, {"i32", "f32"}, {power_of_two(24)}, quick_effort, kernel, cold, reduce},
    {cuda, first, {"i32", "f32", "u8"}, {power_of_two(16), power_of_two(24)}, quick_effort, kernel, cold, but_reduce},
};

// Six processes, and 30 samples or more in each, of what takes long 10.
const std::vector<PresetRow> full = {
    {emulated, all, {}, {power_of_two(10), power_of_two(16)}, {}, {}, {}, reduce},
    {emulated, first, {}, {million}, {}, {}, {}, reduce},
    {emulated, all, {}, {power_of_two(10), power_of_two(16)}, {}, {}, {}, but_reduce},
    {emulated, first, {}, {power_of_two(14)}, {}, {}, {}, histogram, {}, every_contention, every_bins},
    {emulated, first, {}, {power_of_two(16)}, {}, {}, {}, dot, {}, well_and_ill},
    {host, first, {}, {power_of_two(16), power_of_two(20), million, power_of_two(24)}, full_effort, {}, cold, reduce},
    {host, first, {}, {power_of_two(16), power_of_two(20)}, full_effort, {}, warm, reduce},
    {host, first, {"i32", "f32", "u8"}, {power_of_two(16), power_of_two(24)}, full_effort, {}, cold, but_reduce},
    {host, others, {"i32", "f32"}, {power_of_two(20)}, full_effort, {}, cold},
    {cuda, first, {}, powers_of_two(10, 24, 2), gpu_effort, {}, cold, reduce},
    {cuda, first, {}, {power_of_two(26), power_of_two(28)}, long_effort, {}, cold, reduce},
    {cuda, first, {"i32", "f32"}, {power_of_two(30)}, long_effort, {}, cold, reduce},
    {cuda, first, {}, {power_of_two(14), power_of_two(22)}, gpu_effort, kernel, warm, reduce},
    {cuda, first, {"i32", "f32"}, {power_of_two(14), power_of_two(22)}, gpu_effort, kernel, warm, but_reduce},
    {cuda, first, but_u8, powers_of_two(10, 22, 4), gpu_effort, kernel, cold, but_reduce},
    {cuda, first, but_u8, {power_of_two(26)}, long_effort, kernel, cold, but_reduce},
    {cuda, first, {"i32", "f32"}, {power_of_two(28)}, long_effort, kernel, cold, but_reduce},
    {cuda, first, {"i32", "f32"}, {power_of_two(10), power_of_two(22)}, gpu_effort, until_host, cold, but_reduce},
    {cuda, first, {"i32", "f32"}, {million, hundred_million}, long_effort, kernel, cold, reduce},
    {cuda, first, {"i32"}, {million, hundred_million}, long_effort, kernel, cold, but_reduce},
    {cuda, others, {"i32", "f32"}, {power_of_two(10), power_of_two(18), power_of_two(26)}, gpu_effort, kernel, cold, reduce},
    {cuda, others, {"i32"}, {power_of_two(18), power_of_two(26)}, gpu_effort, kernel, cold, but_reduce},
    {cuda, first, but_u8, {power_of_two(22)}, gpu_effort, kernel, cold, histogram, {}, every_contention, every_bins},
    {cuda, first, {"u8"}, {power_of_two(24), power_of_two(28)}, long_effort, kernel, cold, histogram},
    {cuda, first, but_u8, {power_of_two(28)}, long_effort, kernel, cold, histogram, {}, {}, {10, 1024}},
    {cuda, first, but_u8, {power_of_two(28)}, long_effort, kernel, cold, histogram, {}, {"constant"}},
    {cuda, first, {}, {power_of_two(24)}, long_effort, kernel, cold, dot, {}, {"ill_conditioned"}},
};

// What the targets speak of and no row above times: their rungs and every library. What does not fit into ten minutes is in `wide`.
const std::vector<PresetRow> targets_in_full = {
    {cuda, first, {}, {power_of_two(20), power_of_two(24)}, gpu_effort, kernel, cold, but_reduce, {}, {}, {}, true},
    {cuda, first, {"f64"}, {power_of_two(28)}, long_effort, kernel, cold, but_reduce, {}, {}, {}, true},
    {cuda, others, {"i64"}, {power_of_two(18)}, gpu_effort, kernel, cold, but_reduce, {}, {}, {}, true},
    {cuda, first, {}, powers_of_two(10, 24, 2), gpu_effort, kernel, cold, histogram, {}, {}, thousands_of_bins, true},
    {cuda, first, {}, {power_of_two(10), power_of_two(18), power_of_two(20)}, gpu_effort, kernel, cold, histogram, {}, {"constant"}, {65'536}, true},
    {cuda, first, {}, {power_of_two(24)}, gpu_effort, kernel, cold, histogram, {}, every_contention, {1024, 65'536}, true},
    {cuda, first, {}, {power_of_two(26), power_of_two(28)}, long_effort, kernel, cold, histogram, {}, {"uniform", "constant"}, {65'536}, true},
    {cuda, first, {}, {power_of_two(28)}, long_effort, kernel, cold, histogram, {}, {"uniform"}, {4096}, true},
    {cuda, first, {"u8"}, {power_of_two(26), power_of_two(30)}, long_effort, kernel, cold, histogram, {}, {}, {}, true},
};

// 2^k - 1, 2^k + 1 and 3 * 2^(k - 1), for small, middle and large inputs, and primes between them.
const std::vector<std::uint64_t> odd_sizes{1009,    ten_thousand,         power_of_two(14) - 1, power_of_two(14) + 1, 3 * power_of_two(13),
                                           million, power_of_two(20) - 1, power_of_two(20) + 1, 3 * power_of_two(19)},
    odd_large_sizes{power_of_two(24) - 1, power_of_two(24) + 1, 3 * power_of_two(23), hundred_million, 3 * power_of_two(26)};

// What the targets speak of, whole: every operator, type, size and input, sizes that nobody tuned for, and arrays that no vector fits. Their rungs
// and every library.
const std::vector<PresetRow> wide = {
    {emulated, first, {}, {1009, power_of_two(14) - 1, power_of_two(14) + 1, 3 * power_of_two(12)}, {}, {}, {}, {}, {}, {}, {}, true},
    {host, first, {}, {million}, quick_effort, {}, cold},
    {cuda, all, {}, powers_of_two(10, 24, 2), gpu_effort, kernel, cold, {}, {}, {}, {}, true},
    {cuda, all, {}, {power_of_two(26), power_of_two(28)}, long_effort, kernel, cold, {}, {}, {}, {}, true},
    {cuda, first, {}, odd_sizes, gpu_effort, kernel, cold, {}, {}, {}, {}, true},
    {cuda, first, {}, odd_large_sizes, long_effort, kernel, cold, {}, {}, {}, {}, true},
    {cuda, first, {}, {power_of_two(20), power_of_two(24)}, gpu_effort, kernel, cold, {}, {}, {}, {}, true, misaligned},
    {cuda, first, {}, {power_of_two(28)}, long_effort, kernel, cold, {}, {}, {}, {}, true, misaligned},
    {cuda,
     all,
     {},
     {power_of_two(10), power_of_two(16), power_of_two(20), power_of_two(22), power_of_two(24), power_of_two(26), power_of_two(28)},
     gpu_effort,
     until_host,
     cold,
     {},
     {},
     {},
     {},
     true},
    {cuda, first, {}, powers_of_two(10, 24, 2), gpu_effort, kernel, cold, histogram, {}, every_contention, bins_of_targets, true},
    {cuda, first, {}, {power_of_two(26), power_of_two(28)}, long_effort, kernel, cold, histogram, {}, every_contention, bins_of_targets, true},
    {cuda, first, {"u8"}, {power_of_two(30)}, long_effort, kernel, cold, histogram, {}, every_contention, {}, true},
    {cuda, first, {}, {million}, gpu_effort, kernel, cold, histogram, {}, every_contention, bins_of_targets, true},
    {cuda, first, {}, powers_of_two(10, 26, 4), gpu_effort, kernel, cold, dot, {}, {"ill_conditioned"}, {}, true},
};

// Every rung counted by the emulated backend, and with --counters by the GPU: at a size that the quadratic scan takes too, at one of many blocks, and
// at a prime, of which every last block is ragged.
const std::vector<PresetRow> counters = {
    {emulated, first, {}, {power_of_two(10), power_of_two(16), 100'003}, {}},
    {cuda, first, {}, {power_of_two(10), power_of_two(16), 100'003}, least_effort, kernel, cold},
};

// For data over devices. 10,007 has no equal parts. On GPUs from 1 MiB to 4 GiB of an array: sizes at which several devices gain nothing, and sizes
// at which memory is the limit of all of them.
const std::vector<PresetRow> over_devices = {
    {emulated, first, {"i32", "f32"}, {power_of_two(10), power_of_two(16)}, {}},
    {emulated, first, {"i32"}, {ten_thousand}, {}},
    {cuda, first, {"i32", "f32"}, powers_of_two(18, 24, 2), gpu_effort, {}, cold},
    {cuda, first, {"i32", "f32"}, powers_of_two(26, 30, 2), long_effort, {}, cold},
};

// The experiment of each note: its input, its rungs, and the libraries beside them, with the note's number of elements; but counted, with as many as
// finish in seconds, since counts for each element no longer change. Where two notes share an input, as N1 and N4 do when counted, it has the rungs
// of both. N3 names 512 and about a million elements for its scans, and no number of bins;
// what it says of Blelloch is asked of our rung without bank conflicts too. N5 gives no number of elements, and its claim of
// precision needs an input that loses some.
const std::vector<PresetRow> notes = {
    {emulated, first, {"i32"}, {power_of_two(16)}, {}, {}, {}, reduce, "N1", glibc_bytes},
    {emulated, first, {"i32"}, {power_of_two(20)}, {}, {}, {}, sum_of_cubes, "N2"},
    {emulated, first, {"f32"}, {power_of_two(20)}, {}, {}, {}, reduce, "N3"},
    {emulated, first, {"f32"}, {512, power_of_two(16)}, {}, {}, {}, inclusive_scan, "N3"},
    {emulated, first, {"f32"}, {512, power_of_two(16)}, {}, {}, {}, exclusive_scan, "N3"},
    {emulated, first, {"i32"}, {power_of_two(16)}, {}, {}, {}, histogram, "N3", {}, few_and_many},
    {emulated, first, {"f32", "f64"}, {power_of_two(16)}, {}, {}, {}, dot, "N5", well_and_ill},
    {host, first, {"i32"}, {power_of_two(24)}, quick_effort, {}, cold, reduce, {}, glibc_bytes},
    {host, first, {"i32"}, {power_of_two(20)}, quick_effort, {}, cold, sum_of_cubes},
    {host, first, {"f32"}, {power_of_two(20)}, quick_effort, {}, cold, reduce},
    {host, first, {"f32"}, {512, power_of_two(20)}, quick_effort, {}, cold, inclusive_scan},
    {host, first, {"f32"}, {512, power_of_two(20)}, quick_effort, {}, cold, exclusive_scan},
    {host, first, {"i32"}, {power_of_two(20)}, quick_effort, {}, cold, histogram, {}, {}, few_and_many},
    {host, first, {"f32", "f64"}, {power_of_two(24)}, quick_effort, {}, cold, dot},
    {cuda, first, {"i32"}, {power_of_two(28)}, long_effort, kernel, cold, reduce, "N1", glibc_bytes},
    {cuda, first, {"i32"}, {power_of_two(20)}, gpu_effort, kernel, cold, sum_of_cubes, "N2"},
    {cuda, first, {"f32"}, {power_of_two(20)}, gpu_effort, kernel, cold, reduce, "N3"},
    {cuda, first, {"f32"}, {512, power_of_two(20)}, gpu_effort, kernel, cold, inclusive_scan},
    {cuda, first, {"f32"}, {512, power_of_two(20)}, gpu_effort, kernel, cold, exclusive_scan},
    {cuda, first, {"i32"}, {power_of_two(20)}, gpu_effort, kernel, cold, histogram, "N3", {}, few_and_many},
    {cuda, first, {"i32"}, {power_of_two(24)}, gpu_effort, kernel, cold, reduce, "N4", glibc_bytes},
    {cuda, first, {"f32", "f64"}, {power_of_two(24)}, long_effort, kernel, cold, dot, "N5", well_and_ill},
};

}  // namespace

const std::vector<PresetRow>& preset(std::string_view name) {
  static const std::vector<PresetRow> whole_full = [] {
    std::vector<PresetRow> rows = full;
    for (const auto* more : {&notes, &targets_in_full}) rows.insert(rows.end(), more->begin(), more->end());
    return rows;
  }();
  return name == "full"                ? whole_full
         : name == "notes"             ? notes
         : name == "wide"              ? wide
         : name == "counters"          ? counters
         : name == preset_over_devices ? over_devices
                                       : quick;
}

}  // namespace ladder
