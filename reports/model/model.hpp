// The result model: the content of results.json, as C++ types. Every format is rendered from it,
// and other programs may rely on it.
//
// reports/results.schema.json describes it for other programs. read() and write() validate every
// file against the schema. A field that does not apply, or is not measured, is null. Times are
// microseconds, bandwidths 10^9 bytes per second.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reports/model/fields.hpp"
#include "reports/model/vocabulary.hpp"

namespace ladder::reports {

inline constexpr const char* schema_version = "2.0.0";

// The stopping rules for timed cells of a backend. In each fresh process a cell is done with at
// least min_samples and half an interval within 3 % of the median, or at one of the limits.
struct Effort {
  Backend backend = Backend::host;
  unsigned processes = 1, min_samples = 1, max_samples = 1;
  double max_seconds = 0;

  LADDER_FIELDS(backend, processes, min_samples, max_samples, max_seconds)

  bool operator==(const Effort&) const = default;
};

struct Run {
  std::string id;       // "sha256:<hex>" of everything in the file but this field
  std::string date;     // UTC, ISO 8601
  std::string command;  // as typed
  std::string commit;   // the commit of the sources, baked in at build; "unknown" outside git
  bool dirty = false;   // the sources differed from the commit
  std::uint64_t seed = 0;
  bool complete = true;  // false: interrupted, cells are missing
  std::vector<Effort> efforts;
  // "sha256:<hex>" of samples.jsonl, uncompressed; null where nothing was timed
  std::optional<std::string> samples;

  LADDER_FIELDS(id, date, command, commit, dirty, seed, complete, efforts, samples)
};

// A GPU at one moment.
struct GpuState {
  std::optional<double> sm_clock_mhz, memory_clock_mhz, temperature_c, power_w;
  std::optional<unsigned> other_processes;  // processes of others that compute on it

  LADDER_FIELDS(sm_clock_mhz, memory_clock_mhz, temperature_c, power_w, other_processes)
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

  LADDER_FIELDS(name, uuid, compute_capability, driver, pci_bus_id, multiprocessors, memory_bytes,
                l2_bytes, memory_clock_mhz, memory_bus_bits, datasheet_gbps, ecc, mig,
                power_limit_w, before, after)
};

// Device 1, device 2 .. of data over devices. Device 0 is the GPU of the machine.
struct FurtherGpu {
  std::string name, uuid, pci_bus_id;

  LADDER_FIELDS(name, uuid, pci_bus_id)
};

// How one device reaches the memory of another.
struct Link {
  unsigned from = 0, to = 0;
  bool peer_access = false, native_atomics = false;
  std::optional<bool> nvlink;  // else through PCIe; null: not known

  LADDER_FIELDS(from, to, peer_access, native_atomics, nvlink)
};

struct Machine {
  std::string cpu;
  unsigned cores = 0;
  std::uint64_t memory_bytes = 0, last_level_cache_bytes = 0;
  std::optional<Gpu> gpu;
  std::vector<FurtherGpu> further_gpus = {};
  std::vector<Link> links = {};

  static void fields(auto& self, const auto& field) {
    LADDER_EACH_FIELD(cpu, cores, memory_bytes, last_level_cache_bytes, gpu)
    LADDER_FIELD_WITH(further_gpus, .if_set = true)
    LADDER_FIELD_WITH(links, .if_set = true)
  }
};

struct Software {
  std::string os, kernel, host_compiler, host_flags, emulated_compiler, emulated_flags;
  std::optional<std::string> cuda_compiler, cuda_flags, cuda_runtime, cccl, cublas, nccl, thrust,
      tbb;

  static void fields(auto& self, const auto& field) {
    LADDER_EACH_FIELD(os, kernel, host_compiler, host_flags, emulated_compiler, emulated_flags,
                      cuda_compiler, cuda_flags, cuda_runtime, cccl, cublas)
    LADDER_FIELD_WITH(nccl, .if_set = true)
    LADDER_EACH_FIELD(thrust, tbb)
  }
};

struct Ceiling {
  Backend backend = Backend::host;
  Access access = Access::read;
  Memory memory = Memory::dram;
  std::uint64_t bytes = 0;  // moved by the measurement
  double bandwidth_gbps = 0;
  unsigned shard = 0;  // as of a cell

  static void fields(auto& self, const auto& field) {
    LADDER_EACH_FIELD(backend, access, memory, bytes, bandwidth_gbps)
    LADDER_FIELD_WITH(shard, .if_set = true)
  }
};

// The clock's time of no kernel or of an empty kernel; for host_result on a GPU, with a copy of
// four bytes. It is never subtracted.
struct Overhead {
  Backend backend = Backend::host;
  Contract contract = Contract::host_result;
  std::string of;  // "no kernel" or "an empty kernel"
  double median_us = 0;
  unsigned shard = 0;  // as of a cell

  static void fields(auto& self, const auto& field) {
    LADDER_EACH_FIELD(backend, contract, of, median_us)
    LADDER_FIELD_WITH(shard, .if_set = true)
  }
};

// An operation's declaration of itself in compare/operations/. The bytes that it must read and
// write follow from it.
struct Operation {
  std::string name;                         // "reduce"
  unsigned place = 0;                       // in listings and reports, in ascending order
  unsigned inputs = 1;                      // arrays of n elements that it reads
  Output output = Output::one_result;       // what it writes
  bool order_matters = false;               // elements are combined in their order
  std::vector<std::string> operators = {};  // the usual one first; empty: it has none
  // distributions: the first of these that a type and operator take is their usual one
  std::vector<std::string> usual_inputs = {};
  unsigned usual_bins = 0, most_bins = 0;  // 0: it has none

  LADDER_FIELDS(name, place, inputs, output, order_matters, operators, usual_inputs, usual_bins,
                most_bins)

  bool operator==(const Operation&) const = default;
};

// An implementation's description of itself (Card in compare/contract.hpp).
struct Rung {
  std::string operation, provider, rung;
  std::string idea, follows, step, costs, limited_by, repaired, to_know;
  std::vector<std::string> notes;
  std::string source;
  std::string library = {};  // of a call: "CUB 3.0.1"
  std::optional<Promise> promise = {};
  std::string from = {};
  std::string file = {};  // that has it, a path of the sources; empty: they are not there

  static void fields(auto& self, const auto& field) {
    LADDER_FIELD_WITH(operation, .meaning = "What it computes.", .rule = "name")
    LADDER_FIELD_WITH(rung, .meaning = "Its name, from its file.", .rule = "name", .title = "rung")
    LADDER_FIELD_WITH(provider, .meaning = "handwritten, or a library.", .rule = "name",
                      .title = "provider")
    LADDER_FIELD_WITH(
        library, .if_set = true,
        .meaning =
            "Of a library call: the library and its version. Missing where the program "
            "that wrote the file did not say it.",
        .title = "library")
    LADDER_FIELD_WITH(
        promise, .if_set = true,
        .meaning =
            "What it promises of the order in which it combines floats. Missing on the "
            "CPU, and where the program that wrote the file did not say it.",
        .title = "promise")
    LADDER_FIELD_WITH(idea, .meaning = "One sentence.", .title = "idea")
    LADDER_FIELD_WITH(follows,
                      .meaning =
                          "The rung one step down the ladder, or the call of the same library that "
                          "this one varies; empty where it follows none.",
                      .rule = "name_or_empty", .title = "follows")
    LADDER_FIELD_WITH(step, .meaning = "What is new against the rung it follows.",
                      .title = "what is new")
    LADDER_FIELD_WITH(costs, .meaning = "What that costs.", .title = "costs")
    LADDER_FIELD_WITH(limited_by, .meaning = "What bounds its speed.", .title = "limited by")
    LADDER_FIELD_WITH(repaired,
                      .meaning = "What was wrong in the study note, and what stands here instead.",
                      .title = "repaired")
    LADDER_FIELD_WITH(to_know,
                      .meaning = "Of a library call: what to know before its time is compared.",
                      .title = "to know")
    LADDER_FIELD_WITH(notes, .meaning = "Study notes it comes from, N1 to N5.",
                      .title = "study notes")
    LADDER_FIELD_WITH(source, .meaning = "Where the idea is from.", .title = "source")
    LADDER_FIELD_WITH(
        from, .if_set = true,
        .meaning =
            "The folder of kernels that it is of, as in /kernels. Absent: it is of this project.",
        .rule = "name")
    LADDER_FIELD_WITH(file, .if_set = true,
                      .meaning = "The file that has it, as in /sources. Absent: it is not there.",
                      .rule = "name")
  }

  bool operator==(const Rung&) const = default;
};

inline constexpr unsigned most_offset = 63, most_devices = 64;

// One input of one operation.
struct Input {
  std::string operation;
  std::optional<std::string> op;  // "operator" in the file
  std::string dtype;
  std::uint64_t n = 0;
  std::string distribution;
  std::optional<unsigned> bins;
  // elements by which arrays are displaced from a 256-byte boundary
  unsigned offset = 0;
  // over which the n elements are spread, in equal parts; 0: they lie on one
  unsigned devices = 0;
  // false: one process has all devices. True of references too: each process runs them.
  bool process_for_each_device = false;

  static void fields(auto& self, const auto& field) {
    LADDER_EACH_FIELD(operation)
    field("operator", self.op);
    LADDER_EACH_FIELD(dtype, n, distribution, bins)
    LADDER_FIELD_WITH(offset, .if_set = true)
    LADDER_FIELD_WITH(devices, .if_set = true)
    LADDER_FIELD_WITH(process_for_each_device, .if_set = true)
  }

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes its 0 for a pointer
  auto operator<=>(const Input&) const = default;
};

// The same input on one device: the key of a group of competitors, whose cells were measured beside
// each other. References have all of the input on the first device.
Input group_input(Input input);

// One of its implementations.
struct Who {
  std::string provider;  // handwritten, thrust, cub, cublas or std
  std::string rung;

  LADDER_FIELDS(provider, rung)

  auto operator<=>(const Who&) const = default;  // NOLINT(modernize-use-nullptr)
};

// How it was run. contract and cache are null where nothing is timed.
struct How {
  Backend backend = Backend::host;
  std::optional<Contract> contract;
  std::optional<Cache> cache;

  LADDER_FIELDS(backend, contract, cache)

  auto operator<=>(const How&) const = default;  // NOLINT(modernize-use-nullptr)
};

// The identity of a cell.
struct CellKey {
  Input input;
  Who who;
  How how;

  LADDER_FIELDS(input, who, how)

  auto operator<=>(const CellKey&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Time {  // microseconds
  double median = 0, ci95_low = 0, ci95_high = 0;
  double min = 0, p5 = 0, p25 = 0, p75 = 0, p95 = 0, max = 0;
  unsigned samples = 0;
  // samples more than 1.5 interquartile ranges outside the quartiles (Tukey). Counted; none is left
  // out.
  unsigned outliers = 0;

  LADDER_FIELDS(median, ci95_low, ci95_high, min, p5, p25, p75, p95, max, samples, outliers)
};

// On a GPU a shorter time is near the resolution of the clock: its events tell about 0.5 us apart.
constexpr double gpu_resolution_us(Contract contract) {
  return contract == Contract::device_result ? 10 : 1;
}

// On a GPU shorter runs are also timed back to back, as callers see them who enqueue many: a scan
// of 2^22 elements takes up to 30 us.
constexpr double gpu_back_to_back_us(Contract contract) {
  return contract == Contract::device_result ? 40 : gpu_resolution_us(contract);
}

// The medians of one process that measured a cell. Every ratio of the cell follows from these, and
// every interval over two processes or more.
struct ProcessMedian {
  unsigned process = 0;
  double time_us = 0;
  std::optional<double> back_to_back_us;  // mean of runs without a pause, where one run is short
  std::vector<double> devices_us = {};    // the median of each device, of data over devices

  static void fields(auto& self, const auto& field) {
    LADDER_EACH_FIELD(process, time_us, back_to_back_us)
    LADDER_FIELD_WITH(devices_us, .if_set = true)
  }
};

struct Bandwidth {
  double median = 0, ci95_low = 0, ci95_high = 0;

  LADDER_FIELDS(median, ci95_low, ci95_high)
};

struct Ratio {  // how many times as fast as the other: above 1 is faster
  double value = 0, ci95_low = 0, ci95_high = 0;
  Difference verdict = Difference::none_shown;

  LADDER_FIELDS(value, ci95_low, ci95_high, verdict)
};

struct Ratios {
  std::optional<Ratio> vs_first_rung, vs_followed, vs_fastest_library;
  // data over devices vs the fastest that has all of it on one device
  std::optional<Ratio> vs_one_device = {};
  // vs the limit of its input (Results::limits): 0.9 is 90 % of what is possible
  std::optional<Ratio> vs_limit = {};
  // a hand-written rung vs the fastest library that promises as much. Not in the file
  std::optional<Ratio> vs_same_promise = {};

  static void fields(auto& self, const auto& field) {
    LADDER_EACH_FIELD(vs_first_rung, vs_followed, vs_fastest_library)
    LADDER_FIELD_WITH(vs_one_device, .if_set = true)
    LADDER_FIELD_WITH(vs_limit, .if_set = true)
  }
};

// Runs back to back, from the cache.
struct BackToBack {
  double median_us = 0;                       // median over the processes
  std::optional<Ratio> vs_fastest_library;    // vs the library that is the fastest back to back
  std::optional<Ratio> vs_same_promise = {};  // like the one in Ratios. Not in the file

  LADDER_FIELDS(median_us, vs_fastest_library)
};

// The clock of the multiprocessors while a cell was measured.
struct Clocks {
  // lowest and highest of all processes, before the group's first sample and after the cell's last
  double sm_mhz_min = 0, sm_mhz_max = 0;
  std::vector<std::string> slowed_by;  // why the driver held it down: power cap, heat ..

  LADDER_FIELDS(sm_mhz_min, sm_mhz_max, slowed_by)
};

struct Timing {
  Time time_us;
  std::vector<ProcessMedian> processes;
  Bandwidth bandwidth_gbps;
  std::optional<double> percent_of_ceiling, percent_of_datasheet;
  Ratios ratios;
  std::optional<BackToBack> back_to_back;
  std::optional<double> sm_cycles;
  std::optional<Clocks> clocks;

  LADDER_FIELDS(time_us, processes, bandwidth_gbps, percent_of_ceiling, percent_of_datasheet,
                ratios, back_to_back, sm_cycles, clocks)
};

struct Error {
  std::optional<double> ulp_max = {}, relative = {};
  std::optional<double> bound = {};  // |error| allowed, the largest of all elements
  // |error| over what is allowed, the largest of all elements that may be off
  std::optional<double> of_bound = {};

  LADDER_FIELDS(ulp_max, relative, bound, of_bound)
};

// Totals of one run, over all launches. Requests are warp-wide instructions, sectors 32 bytes of
// global memory, wavefronts passes through the banks of shared memory.
struct Counters {
  using Count = std::optional<std::uint64_t>;
  using Mean = std::optional<double>;

  Count global_load_bytes, global_load_requests, global_load_sectors;
  Count global_store_bytes, global_store_requests, global_store_sectors;
  Count shared_requests, shared_wavefronts;
  Count atomics, atomic_requests;
  Mean atomic_contention;
  Count barriers;
  Mean barriers_per_thread, active_lanes;
  Count launches, blocks, steps, work;
  Count dram_read_bytes, dram_write_bytes;
  Count peer_load_bytes = {}, peer_store_bytes = {};

  static void fields(auto& self, const auto& field) {
    LADDER_FIELD_WITH(
        global_load_bytes,
        .meaning =
            "Bytes that load requests asked of global memory. Bytes that several lanes "
            "of a request ask for count once.",
        .unit = "bytes", .at_least = "global_load_requests")
    LADDER_FIELD_WITH(global_load_requests, .meaning = "Load requests to global memory.")
    LADDER_FIELD_WITH(global_load_sectors, .meaning = "Sectors that load requests touched.",
                      .at_least = "global_load_requests")
    LADDER_FIELD_WITH(
        global_store_bytes,
        .meaning = "Bytes that store requests wrote to global memory, counted in the same way.",
        .unit = "bytes", .at_least = "global_store_requests")
    LADDER_FIELD_WITH(global_store_requests, .meaning = "Store requests to global memory.")
    LADDER_FIELD_WITH(global_store_sectors, .meaning = "Sectors that store requests touched.",
                      .at_least = "global_store_requests")
    LADDER_FIELD_WITH(shared_requests, .meaning = "Requests to shared memory.")
    LADDER_FIELD_WITH(
        shared_wavefronts,
        .meaning = "Passes they took: more than one for a request is a bank conflict.",
        .at_least = "shared_requests")
    LADDER_FIELD_WITH(atomics, .meaning = "Atomic operations, one for each thread that does one.",
                      .title = "atomics", .in_words = "atomic operations, of all threads.",
                      .counted_by = CountedBy::emulator, .at_least = "atomic_requests")
    LADDER_FIELD_WITH(atomic_requests,
                      .meaning = "Atomic requests, to global and to shared memory.")
    LADDER_FIELD_WITH(atomic_contention,
                      .meaning = "Lanes of an atomic request that meet on its busiest word; mean.",
                      .rule = "contention_or_null", .title = "contention",
                      .in_words =
                          "average number of lanes of one atomic request that update its busiest "
                          "word. The hardware serializes them.",
                      .counted_by = CountedBy::emulator)
    LADDER_FIELD_WITH(barriers, .meaning = "Block barriers, each counted once for its block.",
                      .counted_by = CountedBy::emulator)
    LADDER_FIELD_WITH(barriers_per_thread,
                      .meaning = "Block barriers that a thread arrives at, mean.",
                      .counted_by = CountedBy::emulator)
    LADDER_FIELD_WITH(
        active_lanes, .meaning = "Mean lanes of a warp that take part in a memory request.",
        .rule = "lanes_or_null", .title = "active lanes",
        .in_words =
            "average number of lanes, of the 32 in a warp, that take part in a memory request.",
        .counted_by = CountedBy::emulator)
    LADDER_FIELD_WITH(launches, .meaning = "Kernel launches.", .title = "launches",
                      .in_words = "kernels started for one result.",
                      .counted_by = CountedBy::emulator)
    LADDER_FIELD_WITH(blocks, .meaning = "Thread blocks, over all launches.",
                      .at_least = "launches")
    LADDER_FIELD_WITH(steps,
                      .meaning =
                          "Longest chain of operations that wait for each other: the height of the "
                          "tree that combines a result.",
                      .title = "steps",
                      .in_words =
                          "longest chain of dependent operations: the height of the tree that "
                          "combines a result.",
                      .counted_by = CountedBy::emulator)
    LADDER_FIELD_WITH(
        work,
        .meaning =
            "Applications of the operator to two elements, by all threads. Combining "
            "with the identity does not count.",
        .title = "work",
        .in_words = "operations on two elements by all threads, unused results included.",
        .counted_by = CountedBy::emulator, .at_least = "steps")
    LADDER_FIELD_WITH(dram_read_bytes,
                      .meaning = "Bytes that the GPU read from its memory, by its own counters.",
                      .unit = "bytes", .counted_by = CountedBy::gpu)
    LADDER_FIELD_WITH(
        dram_write_bytes,
        .meaning = "Bytes that it wrote there. Results still in the L2 cache do not count.",
        .unit = "bytes", .counted_by = CountedBy::gpu)
    LADDER_FIELD_WITH(
        peer_load_bytes, .if_set = true,
        .meaning =
            "Of data over devices: bytes that kernels and copies read in the memory of "
            "other devices. Absent where that was not counted.",
        .unit = "bytes")
    LADDER_FIELD_WITH(
        peer_store_bytes, .if_set = true,
        .meaning =
            "Of data over devices: bytes that they wrote there. Absent where that was "
            "not counted.",
        .unit = "bytes")
  }
};

struct Measured {
  std::optional<Timing> timing;
  std::optional<Error> error;
  std::optional<Counters> counters;

  LADDER_FIELDS(timing, error, counters)
};

// Why a cell has no numbers.
struct Failure {
  Verdict verdict = Verdict::skipped;  // never pass
  std::string reason;
  std::optional<std::uint64_t> lost_counts = {};  // elements that a racy histogram did not count

  LADDER_FIELDS(verdict, reason, lost_counts)
};

// No verdict, no numbers: a cell that passed has measurements, any other has a reason, and none has
// both.
class Outcome {
 public:
  Outcome() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): it is one
  Outcome(Measured measured) : what_(std::move(measured)) {}
  // NOLINTNEXTLINE(google-explicit-constructor). Throws std::invalid_argument for pass
  Outcome(Failure failure);

  Verdict verdict() const;
  // null unless it passed
  const Measured* measured() const { return std::get_if<Measured>(&what_); }
  Measured* measured() { return std::get_if<Measured>(&what_); }
  const Failure* failure() const { return std::get_if<Failure>(&what_); }  // null if it passed

 private:
  std::variant<Failure, Measured> what_;
};

struct Bytes {
  std::uint64_t read = 0, written = 0;

  LADDER_FIELDS(read, written)

  std::uint64_t total() const { return read + written; }
  bool operator==(const Bytes&) const = default;
};

// What this operation must read once and write once for this input, by its declaration. A result,
// and each bin, is due on every device.
Bytes minimum_bytes(const Operation& operation, const Input& input);

// The largest number of bins for this element type: a byte has 256 values.
unsigned most_bins(const Operation& operation, const std::string& dtype);

// One implementation on one input: its identity, and its outcome.
struct Cell : CellKey {
  std::vector<std::string> flags;
  // what the operation must read and write once; 0 where no cell of this input got as far
  Bytes minimum_bytes;
  Outcome outcome;
  unsigned shard = 0;  // whose card measured it, from 1: in a merged set, and there alone

  const CellKey& key() const { return *this; }
  Verdict verdict() const { return outcome.verdict(); }
  bool passed() const { return verdict() == Verdict::pass; }
  std::string reason() const {
    return outcome.failure() == nullptr ? "" : outcome.failure()->reason;
  }
  std::optional<std::uint64_t> lost_counts() const {
    return outcome.failure() == nullptr ? std::nullopt : outcome.failure()->lost_counts;
  }
  // Null where that was not measured.
  const Timing* timing() const { return part(&Measured::timing); }
  const Error* error() const { return part(&Measured::error); }
  const Counters* counters() const { return part(&Measured::counters); }

 private:
  template <class T>
  const T* part(std::optional<T> Measured::*which) const {
    const Measured* measured = outcome.measured();
    return measured == nullptr || !(measured->*which) ? nullptr : &*(measured->*which);
  }
};

using Cells = std::vector<Cell>;

// Who of the cells of Results::limits.
inline constexpr std::string_view limit_provider = "limit";

// A run that took a part of a plan: each group of competitors is in one shard, whole.
struct Shard {
  unsigned number = 1, of = 1;
  std::uint64_t groups = 0;  // groups of competitors in the whole plan
  std::string plan;          // "sha256:<hex>" of the whole plan

  LADDER_FIELDS(number, of, groups, plan)
};

// A shard that a merged set is made of.
struct MergedShard {
  std::string id, date, command;  // of its run
  Machine machine;

  LADDER_FIELDS(id, date, command, machine)
};

// A folder of kernels from elsewhere, beside which this project's ran.
struct Kernels {
  std::string from;    // its name
  std::string commit;  // of its files; "unknown" where git does not know them
  bool dirty = false;  // they differed from the commit

  LADDER_FIELDS(from, commit, dirty)
};

// A file of a rung, or one that it includes, as it was when its program was built.
struct SourceFile {
  std::string path;  // from the root of its project: "handwritten/reduce/packed.cu"
  std::string text;

  LADDER_FIELDS(path, text)

  bool operator==(const SourceFile&) const = default;
};

struct Results {
  std::string schema = schema_version;
  Run run;
  Machine machine;
  Software software;
  std::vector<Operation> operations;  // by place
  std::vector<Rung> rungs;            // of each operation, in the order of its ladder
  std::vector<Ceiling> ceilings;
  std::vector<Overhead> overheads;
  Cells cells;
  // of inputs: a run that moves the bytes that an implementation has to move, and does nothing
  // else. It is no implementation, and measured beside them
  Cells limits = {};
  std::optional<Shard> shard = {};  // null: it is the whole of its plan
  // by number; empty: it is of one run. The machine is what all of them have in common
  std::vector<MergedShard> merged = {};
  std::optional<Kernels> kernels = {};   // null: all kernels are of this project
  std::vector<SourceFile> sources = {};  // of the rungs; none: the set does not have them

  static void fields(auto& self, const auto& field) {
    LADDER_EACH_FIELD(schema, run, machine, software, operations, rungs, ceilings, overheads, cells)
    LADDER_FIELD_WITH(limits, .if_set = true)
    LADDER_FIELD_WITH(shard, .if_set = true)
    LADDER_FIELD_WITH(merged, .if_set = true)
    LADDER_FIELD_WITH(kernels, .if_set = true)
    LADDER_FIELD_WITH(sources, .if_set = true)
  }
};

// A cell of a result set, and where it stands in the file: "/limits/3".
struct PlacedCell {
  std::string_view list;
  std::size_t index = 0;
  const Cell* cell = nullptr;

  const Cell& operator*() const { return *cell; }
  const Cell* operator->() const { return cell; }
  std::string place() const;
};

// The cells, and after them the limits. They point into the results.
std::vector<PlacedCell> placed_cells(const Results& results);

// The counter of this name; null where there is none, or it was not counted.
std::optional<double> counter_named(const Counters& counters, std::string_view name);

// What several looks at a GPU's clock say together.
void merge(const Clocks& more, std::optional<Clocks>& into);

}  // namespace ladder::reports
