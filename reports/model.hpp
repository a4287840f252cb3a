// The result model: what results.json holds, as C++ types. Every format is rendered from it, and other programs may rely on it.
//
// reports/results.schema.json is its description for the world, and read() and write() hold every file against it. A field that does not apply,
// or is not measured yet, is null. Times are microseconds, bandwidths 10^9 bytes per second.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ladder::reports {

inline constexpr const char* schema_version = "1.4.0";

// When a timed cell of a backend was done: in each of so many fresh processes, with min_samples at least and an interval within 1 % of the median,
// or at one of the limits.
struct Effort {
  std::string backend;
  unsigned processes = 1, min_samples = 1, max_samples = 1;
  double max_seconds = 0;

  bool operator==(const Effort&) const = default;
};

struct Run {
  std::string id;       // "sha256:<hex>" of everything in the file but this field
  std::string date;     // UTC, ISO 8601
  std::string command;  // as typed
  std::string commit;   // of the sources, baked in at build; "unknown" outside a git checkout
  bool dirty = false;   // the sources differed from the commit
  std::uint64_t seed = 0;
  bool complete = true;  // false: interrupted, cells are missing
  std::vector<Effort> efforts;
  std::optional<std::string> samples;  // "sha256:<hex>" of samples.jsonl, uncompressed; null where nothing was timed
};

// A GPU at one moment.
struct GpuState {
  std::optional<double> sm_clock_mhz, memory_clock_mhz, temperature_c, power_w;
  std::optional<unsigned> other_processes;  // that compute on it
};

struct Gpu {
  std::string name, uuid, compute_capability, driver, pci_bus_id;
  unsigned multiprocessors = 0;
  std::uint64_t memory_bytes = 0, l2_bytes = 0;
  double memory_clock_mhz = 0;
  unsigned memory_bus_bits = 0;
  double datasheet_gbps = 0;  // from the device's own memory clock and bus width
  std::optional<bool> ecc, mig;
  std::optional<double> power_limit_w;
  GpuState before, after;  // the run
};

struct Machine {
  std::string cpu;
  unsigned cores = 0;
  std::uint64_t memory_bytes = 0, last_level_cache_bytes = 0;
  std::optional<Gpu> gpu;
};

struct Software {
  std::string os, kernel, host_compiler, host_flags, emulated_compiler, emulated_flags;
  std::optional<std::string> cuda_compiler, cuda_flags, cuda_runtime, cccl, cublas, thrust, tbb;
};

struct Ceiling {
  std::string backend;      // cuda or host
  std::string access;       // read, copy (read + write) or write
  std::string size_class;   // "dram" or "cache"
  std::uint64_t bytes = 0;  // that the measurement moved
  double bandwidth_gbps = 0;
};

// What the clock shows of a run that does nothing, or next to nothing. It is part of every time, and never subtracted.
struct Overhead {
  std::string backend;   // cuda or host
  std::string contract;  // device_result or host_result
  std::string of;        // "no kernel" or "an empty kernel"
  double median_us = 0;
};

// The clock of the multiprocessors while a cell was measured.
struct Clocks {
  double sm_mhz_min = 0, sm_mhz_max = 0;  // of all processes, before and after the samples
  std::vector<std::string> slowed_by;     // why the driver held it down: power cap, heat ..
};

// What an operation writes.
enum class Output { one_result, one_per_bin, one_per_element };

// An operation, as compare/operations/ declares it.
struct Operation {
  std::string name;
  unsigned place = 0;   // in listings and reports: ascending
  unsigned inputs = 1;  // arrays of n elements that it reads
  Output output = Output::one_result;
  bool order_matters = false;                  // its elements have to be combined in their order
  std::vector<std::string> operators = {};     // the usual one first; empty: it has none
  std::vector<std::string> usual_inputs = {};  // distributions: of an element type and operator, the first of these that it takes is the usual one
  unsigned usual_bins = 0, most_bins = 0;      // 0: it has none

  bool operator==(const Operation&) const = default;
};

// What tells one cell from another.
struct CellKey {
  std::string operation;
  std::optional<std::string> op;  // "operator" in the file
  std::string dtype;
  std::uint64_t n = 0;
  std::string distribution;
  std::optional<unsigned> bins;
  std::string provider;  // handwritten, thrust, cub, cublas or std
  std::string rung;
  std::string backend;                  // cuda, emulated or host
  std::optional<std::string> contract;  // device_result or host_result; null where nothing is timed
  std::optional<std::string> cache;     // cold or warm; null where nothing is timed

  auto operator<=>(const CellKey&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes its 0 for a pointer
};

struct Time {  // microseconds
  double median = 0, ci95_low = 0, ci95_high = 0;
  double min = 0, p5 = 0, p25 = 0, p75 = 0, p95 = 0, max = 0;
  unsigned samples = 0, processes = 0;
  bool converged = false;
  std::optional<double> batch_mean;
  std::optional<unsigned> outliers;  // samples more than 1.5 interquartile ranges outside the quartiles (Tukey). Counted; none is left out.
};

struct Bandwidth {
  double median = 0, ci95_low = 0, ci95_high = 0;
};

struct Ratio {  // how many times as fast as the other: above 1 is faster
  double value = 0, ci95_low = 0, ci95_high = 0;
  std::string verdict;  // "faster", "slower" or "no difference shown"
};

struct Ratios {
  std::optional<Ratio> vs_first_rung, vs_fastest_library;
};

struct Error {
  std::optional<double> ulp_max = {}, relative = {};
  std::optional<double> bound = {};     // |error| allowed, the largest of all elements
  std::optional<double> of_bound = {};  // |error| over what is allowed, the largest of all elements that may be off
};

// Totals of one run, over all launches. Requests are warp-wide instructions, sectors 32 bytes of global memory, wavefronts passes
// through the banks of shared memory.
struct Counters {
  std::optional<std::uint64_t> global_load_bytes, global_load_requests, global_load_sectors;
  std::optional<std::uint64_t> global_store_bytes, global_store_requests, global_store_sectors;
  std::optional<std::uint64_t> shared_requests, shared_wavefronts;
  std::optional<std::uint64_t> atomics;  // atomic operations, one for each thread that does one
  std::optional<std::uint64_t> atomic_requests;
  std::optional<double> atomic_contention;    // mean lanes of an atomic request that meet on one word, where most do: 1 to 32
  std::optional<std::uint64_t> barriers;      // block barriers, each counted once for the block
  std::optional<double> barriers_per_thread;  // mean
  std::optional<double> active_lanes;         // mean lanes taking part in a memory request, 1 to 32
  std::optional<std::uint64_t> launches, blocks;
  std::optional<std::uint64_t> steps, work;
  std::optional<std::uint64_t> dram_read_bytes, dram_write_bytes;  // by the GPU's own counters alone
};

struct Cell {
  CellKey key;  // its fields stand beside the others in the file
  std::vector<std::string> notes;
  std::string idea;
  std::string improves_on;  // empty for a first rung
  std::string verdict;      // pass, fail, expected_wrong, skipped, crashed or timeout
  std::optional<std::string> reason;
  std::vector<std::string> flags;
  std::optional<Time> time_us;
  std::optional<Bandwidth> bandwidth_gbps;
  std::optional<double> percent_of_ceiling, percent_of_datasheet;
  std::uint64_t minimum_bytes = 0;  // what the operation must read and write once
  std::optional<Ratios> ratios;
  std::optional<Error> error;
  std::optional<double> sm_cycles;
  std::optional<Clocks> clocks;
  std::optional<std::uint64_t> lost_counts;
  std::optional<Counters> counters;
};

struct Results {
  std::string schema = schema_version;
  Run run;
  Machine machine;
  Software software;
  std::vector<Ceiling> ceilings;
  std::vector<Overhead> overheads;
  std::vector<Cell> cells;
};

}  // namespace ladder::reports
