#include "compare/driver/plan/preset.hpp"

namespace ladder {
namespace {

using enum PresetRow::Operators;

// reduce alone where the others would take too long
constexpr PresetRow::Operations reduce{.only = "reduce"}, but_reduce{.except = "reduce"};
constexpr PresetRow::Operations sum_of_cubes{.only = "sum_of_cubes"},
    histogram{.only = "histogram"}, dot{.only = "dot"}, inclusive_scan{.only = "inclusive_scan"},
    exclusive_scan{.only = "exclusive_scan"};

const std::vector<reports::Contract> kernel{reports::Contract::device_result},
    until_host{reports::Contract::host_result};
const std::vector<reports::Cache> cold{reports::Cache::cold}, warm{reports::Cache::warm};
const std::vector<std::string_view> glibc_bytes{"glibc_bytes"},
    well_and_ill{"uniform", "ill_conditioned"},
    every_contention{"uniform", "constant", "zipf", "sorted"};
// the histogram of u8 has rows of its own where it costs time
const std::vector<std::string_view> but_u8{"i32", "i64", "f32", "f64"}, i32_and_f32{"i32", "f32"},
    i32_f32_and_u8{"i32", "f32", "u8"};
const std::vector<unsigned> every_bins{10, 64, 256, 1024, 65'536}, few_and_many{10, 65'536},
    thousands_of_bins{4096, 65'536}, bins_of_targets{10, 64, 256, 1024, 4096, 65'536},
    misaligned{1};

constexpr std::uint64_t power_of_two(unsigned exponent) {
  return std::uint64_t{1} << exponent;
}

constexpr Effort quick_effort{
    .processes = 3, .min_samples = 10, .max_samples = 100, .max_seconds = 0.06};
constexpr Effort least_effort{
    .processes = 1, .min_samples = 3, .max_samples = 10, .max_seconds = 0.02};
constexpr Effort full_effort{
    .processes = 6, .min_samples = 30, .max_samples = 100, .max_seconds = 0.15};
// A sample on the GPU takes 0.3 ms with all that surrounds it, of a slow rung at 2^30 elements 20
// ms: those settle for fewer. Over 2,276 times of the set published in November 2026, intervals
// from 10 samples of each process are 9 % wider than from 30, and from 15 samples 8 %. But some
// calls take one of two times, such as CUB's sum of 2^18 `f32`, 6.9 or 8.0 us. 12 samples of such a
// call do not settle its median. Of 48, intervals are 40 % narrower. Long calls: of 1,333 rows from
// 2^26 on, 964 need no more than 10 samples in each process. A sample of more than 6 ms leaves
// fewer.
constexpr Effort gpu_effort{
    .processes = 6, .min_samples = 12, .max_samples = 48, .max_seconds = 0.025};
constexpr Effort long_effort{
    .processes = 6, .min_samples = 10, .max_samples = 30, .max_seconds = 0.06};

const PresetRow::Timing quick_cold_and_warm{quick_effort}, quick_cold{quick_effort, {}, cold},
    quick_kernel{quick_effort, kernel, cold}, least_kernel{least_effort, kernel, cold},
    full_cold{full_effort, {}, cold}, full_warm{full_effort, {}, warm},
    gpu_cold{gpu_effort, {}, cold}, gpu_kernel{gpu_effort, kernel, cold},
    gpu_kernel_warm{gpu_effort, kernel, warm}, gpu_until_host{gpu_effort, until_host, cold},
    long_cold{long_effort, {}, cold}, long_kernel{long_effort, kernel, cold};

std::vector<std::uint64_t> powers_of_two(const std::vector<unsigned>& exponents) {
  std::vector<std::uint64_t> sizes;
  for (const unsigned exponent : exponents) sizes.push_back(power_of_two(exponent));
  return sizes;
}

const std::vector<std::uint64_t> even_powers = powers_of_two({10, 12, 14, 16, 18, 20, 22, 24});

using Dtypes = std::vector<std::string_view>;
using Sizes = std::vector<std::uint64_t>;

// A row of the emulated backend, which takes no time.
PresetRow counted(PresetRow::Operators operators, const Dtypes& dtypes, const Sizes& sizes,
                  const PresetRow::Part& part = {}) {
  return {reports::Backend::emulated, operators, dtypes, sizes, {}, part};
}

PresetRow on_cpu(PresetRow::Operators operators, const Dtypes& dtypes, const Sizes& sizes,
                 const PresetRow::Timing& timing, const PresetRow::Part& part = {}) {
  return {reports::Backend::host, operators, dtypes, sizes, timing, part};
}

PresetRow on_gpu(PresetRow::Operators operators, const Dtypes& dtypes, const Sizes& sizes,
                 const PresetRow::Timing& timing, const PresetRow::Part& part = {}) {
  return {reports::Backend::cuda, operators, dtypes, sizes, timing, part};
}

const PresetRow::Part reduce_alone{.operations = reduce}, all_but_reduce{.operations = but_reduce};

// Primes: no tile, block or warp divides them, and every last one is ragged.
constexpr std::uint64_t ten_thousand = 10'007, million = 1'000'003, hundred_million = 100'000'007;

// About a minute. 2^10: one block or a few, all overheads show. 2^16: every launch has many blocks,
// and counts for each element no longer change. On the CPU 2^16 fits into a core's cache, 2^20 into
// the last one, 2^24 into neither; on a GPU 2^28 is past any cache, so that warm would be cold.
const std::vector<PresetRow> quick = {
    counted(first, {}, powers_of_two({10, 16}), reduce_alone),
    counted(others, i32_and_f32, powers_of_two({16}), reduce_alone),
    counted(first, i32_f32_and_u8, powers_of_two({10, 14}), all_but_reduce),
    counted(first, {"i32"}, {ten_thousand}),
    on_cpu(first, {"i32", "f64"}, powers_of_two({16, 20, 24}), quick_cold_and_warm, reduce_alone),
    on_cpu(first, {"i32"}, {million}, quick_cold, reduce_alone),
    on_cpu(first, i32_f32_and_u8, powers_of_two({20}), quick_cold, all_but_reduce),
    on_gpu(first, {"i32", "f64"}, powers_of_two({16, 20}), quick_cold_and_warm, reduce_alone),
    on_gpu(first, {"i32", "f64"}, powers_of_two({28}), quick_kernel, reduce_alone),
    on_gpu(first, {"i32"}, {million}, quick_kernel),
    on_gpu(others, i32_and_f32, powers_of_two({24}), quick_kernel, reduce_alone),
    on_gpu(first, i32_f32_and_u8, powers_of_two({16, 24}), quick_kernel, all_but_reduce),
};

// Six processes, and 30 samples or more in each, of what takes long 10.
const std::vector<PresetRow> full = {
    counted(all, {}, powers_of_two({10, 16}), reduce_alone),
    counted(first, {}, {million}, reduce_alone),
    counted(all, {}, powers_of_two({10, 16}), all_but_reduce),
    counted(first, {}, powers_of_two({14}),
            {.operations = histogram, .distributions = every_contention, .bins = every_bins}),
    counted(first, {}, powers_of_two({16}), {.operations = dot, .distributions = well_and_ill}),
    on_cpu(first, {}, {power_of_two(16), power_of_two(20), million, power_of_two(24)}, full_cold,
           reduce_alone),
    on_cpu(first, {}, powers_of_two({16, 20}), full_warm, reduce_alone),
    on_cpu(first, i32_f32_and_u8, powers_of_two({16, 24}), full_cold, all_but_reduce),
    on_cpu(others, i32_and_f32, powers_of_two({20}), full_cold),
    on_gpu(first, {}, even_powers, gpu_cold, reduce_alone),
    on_gpu(first, {}, powers_of_two({26, 28}), long_cold, reduce_alone),
    on_gpu(first, i32_and_f32, powers_of_two({30}), long_cold, reduce_alone),
    on_gpu(first, {}, powers_of_two({14, 22}), gpu_kernel_warm, reduce_alone),
    on_gpu(first, i32_and_f32, powers_of_two({14, 22}), gpu_kernel_warm, all_but_reduce),
    on_gpu(first, but_u8, powers_of_two({10, 14, 18, 22}), gpu_kernel, all_but_reduce),
    on_gpu(first, but_u8, powers_of_two({26}), long_kernel, all_but_reduce),
    on_gpu(first, i32_and_f32, powers_of_two({28}), long_kernel, all_but_reduce),
    on_gpu(first, i32_and_f32, powers_of_two({10, 22}), gpu_until_host, all_but_reduce),
    on_gpu(first, i32_and_f32, {million, hundred_million}, long_kernel, reduce_alone),
    on_gpu(first, {"i32"}, {million, hundred_million}, long_kernel, all_but_reduce),
    on_gpu(others, i32_and_f32, powers_of_two({10, 18, 26}), gpu_kernel, reduce_alone),
    on_gpu(others, {"i32"}, powers_of_two({18, 26}), gpu_kernel, all_but_reduce),
    on_gpu(first, but_u8, powers_of_two({22}), gpu_kernel,
           {.operations = histogram, .distributions = every_contention, .bins = every_bins}),
    on_gpu(first, {"u8"}, powers_of_two({24, 28}), long_kernel, {.operations = histogram}),
    on_gpu(first, but_u8, powers_of_two({28}), long_kernel,
           {.operations = histogram, .bins = {10, 1024}}),
    on_gpu(first, but_u8, powers_of_two({28}), long_kernel,
           {.operations = histogram, .distributions = {"constant"}}),
    on_gpu(first, {}, powers_of_two({24}), long_kernel,
           {.operations = dot, .distributions = {"ill_conditioned"}}),
};

// What the targets speak of and no row above times: their rungs and every library. What does not
// fit into ten minutes is in `wide`.
const std::vector<PresetRow> targets_in_full = {
    on_gpu(first, {}, powers_of_two({20, 24}), gpu_kernel,
           {.operations = but_reduce, .of_targets = true}),
    on_gpu(first, {"f64"}, powers_of_two({28}), long_kernel,
           {.operations = but_reduce, .of_targets = true}),
    on_gpu(others, {"i64"}, powers_of_two({18}), gpu_kernel,
           {.operations = but_reduce, .of_targets = true}),
    on_gpu(first, {}, even_powers, gpu_kernel,
           {.operations = histogram, .bins = thousands_of_bins, .of_targets = true}),
    on_gpu(first, {}, powers_of_two({10, 18, 20}), gpu_kernel,
           {.operations = histogram,
            .distributions = {"constant"},
            .bins = {65'536},
            .of_targets = true}),
    on_gpu(first, {}, powers_of_two({24}), gpu_kernel,
           {.operations = histogram,
            .distributions = every_contention,
            .bins = {1024, 65'536},
            .of_targets = true}),
    on_gpu(first, {}, powers_of_two({26, 28}), long_kernel,
           {.operations = histogram,
            .distributions = {"uniform", "constant"},
            .bins = {65'536},
            .of_targets = true}),
    on_gpu(first, {}, powers_of_two({28}), long_kernel,
           {.operations = histogram,
            .distributions = {"uniform"},
            .bins = {4096},
            .of_targets = true}),
    on_gpu(first, {"u8"}, powers_of_two({26, 30}), long_kernel,
           {.operations = histogram, .of_targets = true}),
};

// 2^k - 1, 2^k + 1 and 3 * 2^(k - 1), for small, middle and large inputs, and primes between them.
const std::vector<std::uint64_t> odd_sizes{
    1009,    ten_thousand,         power_of_two(14) - 1, power_of_two(14) + 1, 3 * power_of_two(13),
    million, power_of_two(20) - 1, power_of_two(20) + 1, 3 * power_of_two(19)},
    odd_large_sizes{power_of_two(24) - 1, power_of_two(24) + 1, 3 * power_of_two(23),
                    hundred_million, 3 * power_of_two(26)};

// What the targets speak of, whole: every operator, type, size and input, sizes that nobody tuned
// for, and arrays that no vector fits. Their rungs and every library.
const std::vector<PresetRow> wide = {
    counted(first, {}, {1009, power_of_two(14) - 1, power_of_two(14) + 1, 3 * power_of_two(12)},
            {.of_targets = true}),
    on_cpu(first, {}, {million}, quick_cold),
    on_gpu(all, {}, even_powers, gpu_kernel, {.of_targets = true}),
    on_gpu(all, {}, powers_of_two({26, 28}), long_kernel, {.of_targets = true}),
    on_gpu(first, {}, odd_sizes, gpu_kernel, {.of_targets = true}),
    on_gpu(first, {}, odd_large_sizes, long_kernel, {.of_targets = true}),
    on_gpu(first, {}, powers_of_two({20, 24}), gpu_kernel,
           {.of_targets = true, .offsets = misaligned}),
    on_gpu(first, {}, powers_of_two({28}), long_kernel,
           {.of_targets = true, .offsets = misaligned}),
    on_gpu(all, {}, powers_of_two({10, 16, 20, 22, 24, 26, 28}), gpu_until_host,
           {.of_targets = true}),
    on_gpu(first, {}, even_powers, gpu_kernel,
           {.operations = histogram,
            .distributions = every_contention,
            .bins = bins_of_targets,
            .of_targets = true}),
    on_gpu(first, {}, powers_of_two({26, 28}), long_kernel,
           {.operations = histogram,
            .distributions = every_contention,
            .bins = bins_of_targets,
            .of_targets = true}),
    on_gpu(first, {"u8"}, powers_of_two({30}), long_kernel,
           {.operations = histogram, .distributions = every_contention, .of_targets = true}),
    on_gpu(first, {}, {million}, gpu_kernel,
           {.operations = histogram,
            .distributions = every_contention,
            .bins = bins_of_targets,
            .of_targets = true}),
    on_gpu(first, {}, powers_of_two({10, 14, 18, 22, 26}), gpu_kernel,
           {.operations = dot, .distributions = {"ill_conditioned"}, .of_targets = true}),
};

// Every rung counted by the emulated backend, and with --counters by the GPU: at a size that the
// quadratic scan takes too, at one of many blocks, and at a prime, of which every last block is
// ragged.
const std::vector<PresetRow> counters = {
    counted(first, {}, {power_of_two(10), power_of_two(16), 100'003}),
    on_gpu(first, {}, {power_of_two(10), power_of_two(16), 100'003}, least_kernel),
};

// The preset for data over devices. 10,007 has no equal parts. On GPUs from 1 MiB to 4 GiB of an
// array: sizes at which several devices gain nothing, and sizes at which memory is the limit of all
// of them.
const std::vector<PresetRow> over_devices = {
    counted(first, i32_and_f32, powers_of_two({10, 16})),
    counted(first, {"i32"}, {ten_thousand}),
    on_gpu(first, i32_and_f32, powers_of_two({18, 20, 22, 24}), gpu_cold),
    on_gpu(first, i32_and_f32, powers_of_two({26, 28, 30}), long_cold),
};

// The experiment of each note: its input, its rungs, and the libraries beside them, with the note's
// number of elements; but counted, with as many as finish in seconds, since counts for each element
// no longer change. Where two notes share an input, as N1 and N4 do when counted, it has the rungs
// of both. N3 names 512 and about a million elements for its scans, and no number of bins;
// what it says of Blelloch is asked of our rung without bank conflicts too. N5 gives no number of
// elements, and its claim of precision needs an input that loses some.
const std::vector<PresetRow> notes = {
    counted(first, {"i32"}, powers_of_two({16}),
            {.operations = reduce, .note = "N1", .distributions = glibc_bytes}),
    counted(first, {"i32"}, powers_of_two({20}), {.operations = sum_of_cubes, .note = "N2"}),
    counted(first, {"f32"}, powers_of_two({20}), {.operations = reduce, .note = "N3"}),
    counted(first, {"f32"}, {512, power_of_two(16)}, {.operations = inclusive_scan, .note = "N3"}),
    counted(first, {"f32"}, {512, power_of_two(16)}, {.operations = exclusive_scan, .note = "N3"}),
    counted(first, {"i32"}, powers_of_two({16}),
            {.operations = histogram, .note = "N3", .bins = few_and_many}),
    counted(first, {"f32", "f64"}, powers_of_two({16}),
            {.operations = dot, .note = "N5", .distributions = well_and_ill}),
    on_cpu(first, {"i32"}, powers_of_two({24}), quick_cold,
           {.operations = reduce, .distributions = glibc_bytes}),
    on_cpu(first, {"i32"}, powers_of_two({20}), quick_cold, {.operations = sum_of_cubes}),
    on_cpu(first, {"f32"}, powers_of_two({20}), quick_cold, reduce_alone),
    on_cpu(first, {"f32"}, {512, power_of_two(20)}, quick_cold, {.operations = inclusive_scan}),
    on_cpu(first, {"f32"}, {512, power_of_two(20)}, quick_cold, {.operations = exclusive_scan}),
    on_cpu(first, {"i32"}, powers_of_two({20}), quick_cold,
           {.operations = histogram, .bins = few_and_many}),
    on_cpu(first, {"f32", "f64"}, powers_of_two({24}), quick_cold, {.operations = dot}),
    on_gpu(first, {"i32"}, powers_of_two({28}), long_kernel,
           {.operations = reduce, .note = "N1", .distributions = glibc_bytes}),
    on_gpu(first, {"i32"}, powers_of_two({20}), gpu_kernel,
           {.operations = sum_of_cubes, .note = "N2"}),
    on_gpu(first, {"f32"}, powers_of_two({20}), gpu_kernel, {.operations = reduce, .note = "N3"}),
    on_gpu(first, {"f32"}, {512, power_of_two(20)}, gpu_kernel, {.operations = inclusive_scan}),
    on_gpu(first, {"f32"}, {512, power_of_two(20)}, gpu_kernel, {.operations = exclusive_scan}),
    on_gpu(first, {"i32"}, powers_of_two({20}), gpu_kernel,
           {.operations = histogram, .note = "N3", .bins = few_and_many}),
    on_gpu(first, {"i32"}, powers_of_two({24}), gpu_kernel,
           {.operations = reduce, .note = "N4", .distributions = glibc_bytes}),
    on_gpu(first, {"f32", "f64"}, powers_of_two({24}), long_kernel,
           {.operations = dot, .note = "N5", .distributions = well_and_ill}),
};

}  // namespace

const std::vector<PresetRow>& preset(std::string_view name) {
  static const std::vector<PresetRow> whole_full = [] {
    std::vector<PresetRow> rows = full;
    for (const auto* more : {&notes, &targets_in_full})
      rows.insert(rows.end(), more->begin(), more->end());
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
