#include "reports/tests/sample.hpp"

#include <fstream>
#include <iterator>

#include "reports/json.hpp"

namespace ladder::reports {
namespace {

constexpr std::uint64_t counted_n = 1 << 16, timed_n = 1 << 24, gpu_n = 1 << 28;

std::uint64_t size_of(const std::string& dtype) {
  return dtype.ends_with("64") ? 8 : 4;
}

Cell cell_of(const char* provider, const char* rung, const char* dtype, const char* op, std::uint64_t n) {
  Cell cell;
  cell.key = {"reduce", op, dtype, n, "random", {}, provider, rung, "emulated", {}, {}};
  cell.verdict = "pass";
  cell.minimum_bytes = (n + 1) * size_of(dtype);
  cell.error = Error{0, 0, 0};
  return cell;
}

Cell without(Cell cell, const char* verdict, const char* reason) {
  cell.verdict = verdict;
  cell.reason = reason;
  cell.counters.reset();
  cell.time_us.reset();
  cell.bandwidth_gbps.reset();
  cell.error.reset();
  return cell;
}

}  // namespace

Cell emulated_cell(const char* rung, const char* improves_on, const char* dtype, const char* op) {
  Cell cell = cell_of("handwritten", rung, dtype, op, counted_n);
  cell.improves_on = improves_on;
  cell.idea = "One sentence on this step.";
  cell.notes = {"N1", "N3"};
  Counters c;
  c.global_load_bytes = 2 * counted_n * size_of(dtype);
  c.global_load_requests = 4096, c.global_load_sectors = 4096 * size_of(dtype);
  c.global_store_bytes = counted_n * size_of(dtype);
  c.global_store_requests = 2048, c.global_store_sectors = 2048 * size_of(dtype);
  c.barriers = 640, c.blocks = 64, c.launches = 2, c.atomics = 0, c.active_lanes = 29.3;
  cell.counters = c;
  return cell;
}

Cell timed_cell(const char* provider, const char* rung, double us, const char* dtype, const char* op) {
  Cell cell = cell_of(provider, rung, dtype, op, timed_n);
  cell.key.backend = "host", cell.key.contract = "host_result", cell.key.cache = "cold";
  cell.idea = "The library's own call.";
  cell.time_us = Time{us, us * 0.99, us * 1.01, us * 0.97, us * 0.98, us * 0.99, us * 1.02, us * 1.1, us * 1.4, 180, 6, true, {}, 0};
  const double gbps = static_cast<double>(cell.minimum_bytes) / us / 1e3;
  cell.bandwidth_gbps = Bandwidth{gbps, gbps / 1.01, gbps / 0.99};
  cell.percent_of_ceiling = gbps / 0.2;
  return cell;
}

Cell gpu_cell(const char* provider, const char* rung, double us, const char* dtype) {
  Cell cell = timed_cell(provider, rung, us, dtype);
  cell.key.n = gpu_n;
  cell.key.backend = "cuda", cell.key.contract = "device_result";
  cell.minimum_bytes = (gpu_n + 1) * size_of(dtype);
  const double gbps = static_cast<double>(cell.minimum_bytes) / us / 1e3;
  cell.bandwidth_gbps = Bandwidth{gbps, gbps / 1.01, gbps / 0.99};
  cell.percent_of_ceiling = gbps / 43;
  return cell;
}

Results bare() {
  Results r;
  r.cells.emplace_back();
  r.cells[0].key = {"reduce", {}, "i32", 1, "random", {}, "std", "serial", "host", {}, {}};
  r.cells[0].verdict = "skipped";
  return r;
}

Results full() {
  Results r;
  r.run = {"",
           "2026-11-21T07:00:00Z",
           "./ladder run --preset full",
           "0123456789abcdef",
           true,
           ~0ull,
           false,
           {{"cuda", 6, 30, 50, 0.1}, {"host", 6, 30, 300, 1}},
           "sha256:0"};
  r.machine = {"A CPU", 16, 1ull << 37, 1u << 25,
               Gpu{"A GPU",
                   "GPU-1",
                   "9.0",
                   "580.1",
                   "0000:01:00.0",
                   132,
                   1ull << 37,
                   60u << 20,
                   3201,
                   6016,
                   4814,
                   true,
                   false,
                   700,
                   {1980, 3201, 35, 120, 0},
                   {1965, 3201, 48, 410, {}}}};
  r.software = {"Debian 12", "6.1", "g++ 12", "-O3", "g++ 12", "-O1", "nvcc 13.0", "-O3", "13.0", "3.0.1", "13.0", "3.0.1", "2021.8"};
  r.ceilings = {{"cuda", "copy", "dram", 1ull << 33, 4298}};
  r.overheads = {{"cuda", "device_result", "an empty kernel", 2.3}};
  Cell c = timed_cell("handwritten", "single_pass", 70.2);
  c.key = {"histogram", "sum", "i32", 1 << 26, "uniform", 256, "handwritten", "single_pass", "cuda", "device_result", "warm"};
  c.notes = {"N5"}, c.idea = "Each warp its own copy.", c.improves_on = "racy", c.reason = "none", c.flags = {"fits_in_cache"};
  c.time_us->batch_mean = 69.9, c.time_us->outliers = 3;
  c.percent_of_datasheet = 79.5;
  c.ratios = Ratios{Ratio{3.1, 3, 3.2, "faster"}, Ratio{1, 0.99, 1.01, "no difference shown"}};
  c.error = Error{1.5, 1e-7, 0.25, 0.5};
  c.sm_cycles = 894297, c.lost_counts = 7;
  c.clocks = Clocks{1965, 1980, {"power cap"}};
  c.counters = Counters{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11.5, 12, 13.5, 31.5, 15, 16, 17, 18, 19, 20};
  r.cells = {c};
  return r;
}

Results example() {
  Results r;
  r.run = {"",
           "2026-11-21T07:00:00Z",
           "./ladder run --operation reduce",
           "0123456789abcdef0123456789abcdef01234567",
           false,
           1,
           true,
           {{"host", 6, 30, 300, 1}},
           "sha256:0"};
  r.machine = {"Example CPU", 2, 8ull << 30, 32u << 20, {}};
  r.software.os = "Debian GNU/Linux 12", r.software.kernel = "6.1.0";
  r.software.host_compiler = r.software.emulated_compiler = "g++ 12.2.0";
  r.software.host_flags = "-O3", r.software.emulated_flags = "-O1 -g -fsanitize=thread -fno-tree-sra";
  r.software.thrust = "1.17.2", r.software.tbb = "2021.8";
  r.ceilings = {{"host", "read", "dram", 256u << 20, 20}, {"host", "copy", "dram", 512u << 20, 18.4}};
  for (const char* op : {"sum", "min"}) {
    for (const char* dtype : {"i32", "f32", "i64"}) {
      Cell global = emulated_cell("global_two_pass", "serial", dtype, op), shared = emulated_cell("shared_two_pass", "global_two_pass", dtype, op);
      global.idea = "A tree in global memory for each block, then one block for the partial results.";
      shared.idea = "The same tree in shared memory: global memory is read once.";
      shared.counters->global_load_bytes = shared.minimum_bytes, shared.counters->global_store_bytes = 65 * size_of(dtype);
      shared.counters->global_load_requests = 2050, shared.counters->global_load_sectors = 2050 * size_of(dtype);
      shared.counters->global_store_requests = shared.counters->global_store_sectors = 65;
      Cell serial = emulated_cell("serial", "", dtype, op);
      serial.idea = "One thread walks over the whole input.";
      serial.counters->global_load_bytes = counted_n * size_of(dtype), serial.counters->global_store_bytes = size_of(dtype);
      serial.counters->global_load_requests = serial.counters->global_load_sectors = counted_n;
      serial.counters->global_store_requests = serial.counters->global_store_sectors = 1;
      serial.counters->barriers = 0, serial.counters->blocks = serial.counters->launches = 1, serial.counters->active_lanes = 1;
      if (dtype[0] == 'f') serial.error = Error{37.5, 3e-6}, serial.flags = {"unbounded"};
      Cell larger = without(serial, "skipped", "one thread takes about a second for 2^24 elements");
      larger.key.n = 1 << 26;
      Cell racy = without(emulated_cell("racy", "serial", dtype, op), "expected_wrong", "the last writer wins: 812 instead of 32,768");
      racy.idea = "All threads add to one place, without atomics.";
      r.cells.insert(r.cells.end(), {serial, global, shared, racy, larger});

      const double scale = static_cast<double>(size_of(dtype)) / 4 * (dtype[0] == 'f' ? 1.02 : 1) * (op[0] == 'm' ? 1.01 : 1);
      Cell loop = timed_cell("std", "std_serial", 11'050 * scale, dtype, op), parallel = timed_cell("std", "std_parallel", 3'700 * scale, dtype, op),
           thrust = timed_cell("thrust", "thrust_host", 3'655 * scale, dtype, op);
      if (dtype[0] == 'f' && op[0] == 's') {
        loop.error = Error{1204, 7.18e-5, 61.3, 0.0019};
        parallel.error = Error{2, 1.19e-7, 0.031, 0.0625};
        thrust.error = Error{0, 0, 0.029, 0};
      }
      thrust.ratios = Ratios{{}, Ratio{1.012, 0.994, 1.03, "no difference shown"}};
      parallel.ratios = Ratios{{}, Ratio{0.97, 0.95, 0.99, "slower"}};
      parallel.time_us->converged = false, loop.flags = {"below_resolution"};
      if (dtype[0] == 'i' && op[0] == 'm') parallel = without(parallel, "crashed", "the worker ended with signal 11");
      r.cells.insert(r.cells.end(), {loop, parallel, thrust});
    }
  }
  return r;
}

Results of_gpu() {
  Results r;
  r.run = {"",
           "2026-11-22T08:00:00Z",
           "./ladder run --preset full",
           "89abcdef0123456789abcdef0123456789abcdef",
           false,
           1,
           true,
           {{"cuda", 6, 30, 50, 0.1}},
           "sha256:0"};
  r.machine = {"A CPU", 16, 1ull << 37, 1u << 25, full().machine.gpu};
  r.ceilings = {{"cuda", "read", "dram", 4ull << 30, 4300}};
  for (const char* dtype : {"f64", "i32"}) {
    const double scale = static_cast<double>(size_of(dtype)) / 4;
    Cell serial = without(gpu_cell("handwritten", "serial", 1, dtype), "skipped", "one thread takes minutes");
    Cell global = gpu_cell("handwritten", "global_two_pass", 1'500 * scale, dtype),
         shared = gpu_cell("handwritten", "shared_two_pass", 400 * scale, dtype);
    Cell only_there = gpu_cell("handwritten", "only_there", 262 * scale, dtype), cub = gpu_cell("cub", "cub", 261 * scale, dtype);
    global.improves_on = "serial", shared.improves_on = "global_two_pass", only_there.improves_on = "shared_two_pass";
    global.ratios = Ratios{Ratio{33.3, 33, 34, "faster"}, Ratio{0.174, 0.173, 0.175, "slower"}};
    only_there.ratios = Ratios{{}, Ratio{0.996, 0.99, 1.002, "no difference shown"}};
    Cell until_host = global, small = cub, warm = cub;
    until_host.key.contract = "host_result", until_host.time_us->median = 1'511 * scale;
    small.key.n = 1 << 24, small.time_us->median = 17;
    warm.key.cache = "warm", warm.time_us->median = 255;
    r.cells.insert(r.cells.end(), {serial, global, shared, only_there, cub, until_host, small, warm});
  }
  r.run.id = content_id(r);
  return r;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace ladder::reports
