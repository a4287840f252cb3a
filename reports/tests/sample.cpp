#include "reports/tests/sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <utility>

#include "reports/file/result_file.hpp"
#include "reports/formats/report.hpp"
#include "reports/model/json.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/tests/formats.hpp"

namespace ladder::reports {
namespace {

constexpr std::uint64_t counted_n = 1 << 16, timed_n = 1 << 24, gpu_n = 1 << 28;

const std::string some_digest = "sha256:" + std::string(64, 'a');

std::uint64_t size_of(const std::string& dtype) {
  return dtype.ends_with("64") ? 8 : 4;
}

Cell sample_cell(const char* provider, const char* rung, const char* dtype, const char* op,
                 std::uint64_t n, How how) {
  Cell cell;
  cell.input = {"reduce", op, dtype, n, "random", {}};
  cell.who = {provider, rung}, cell.how = how;
  cell.minimum_bytes = {n * size_of(dtype), size_of(dtype)};
  cell.outcome = Measured{{}, Error{0, 0, 0, {}}, {}};
  return cell;
}

Timing timing_around(double us, bool is_library) {
  using Steps = std::array<int, 6>;
  const Steps steps = is_library ? Steps{1, -1, 1, -1, 0, 0} : Steps{0, 0, -1, 1, -1, 1};
  const double standard_error = std::sqrt(4.0 / 5 / 6),
               step = std::log(1.01) / (statistics::student_t_975(5) * standard_error);
  Timing timing;
  timing.time_us = {us,        us / 1.01, us * 1.01, us * 0.97, us * 0.98, us * 0.99,
                    us * 1.02, us * 1.1,  us * 1.4,  180,       0};
  for (unsigned p = 0; p < steps.size(); ++p)
    timing.processes.push_back({p, us * std::exp(step * steps[p]), {}});
  return timing;
}

}  // namespace

Cell without(Cell cell, Verdict verdict, const char* reason) {
  cell.outcome = Failure{verdict, reason};
  return cell;
}

Cell for_size(Cell cell, std::uint64_t n) {
  cell.input.n = n;
  cell.minimum_bytes.read = n * size_of(cell.input.dtype);
  return cell;
}

Measured& measured(Cell& cell) {
  return *cell.outcome.measured();
}

Timing& timing_of(Cell& cell) {
  return measured(cell).timing.value();
}

Counters& counters_of(Cell& cell) {
  return measured(cell).counters.value();
}

Rung rung_of(const std::string& name, const std::string& follows, const std::string& provider,
             const std::string& operation) {
  Rung rung;
  rung.operation = operation, rung.provider = provider, rung.rung = name, rung.follows = follows;
  rung.idea = provider == "handwritten" ? "One sentence on this step." : "The library's own call.";
  return rung;
}

Results with_cells(Results results, std::vector<Cell> cells) {
  results.cells = std::move(cells);
  for (const Cell& cell : results.cells) {
    const std::string& name = cell.input.operation;
    if (Order(results).operation(name) == nullptr)
      results.operations.push_back({.name = name,
                                    .place = static_cast<unsigned>(results.operations.size()),
                                    .operators = {"sum", "product", "min", "max"},
                                    .usual_inputs = {"random"}});
    if (Order(results).card(cell) == nullptr)
      results.rungs.push_back(rung_of(cell.who.rung, "", cell.who.provider, name));
  }
  sort_as_ladder(results.rungs);
  derive(results);
  return results;
}

Cell emulated_cell(const char* rung, const char* dtype, const char* op) {
  Cell cell = sample_cell("handwritten", rung, dtype, op, counted_n, {Backend::emulated, {}, {}});
  Counters c;
  c.global_load_bytes = 2 * counted_n * size_of(dtype);
  c.global_load_requests = 4096, c.global_load_sectors = 4096 * size_of(dtype);
  c.global_store_bytes = counted_n * size_of(dtype);
  c.global_store_requests = 2048, c.global_store_sectors = 2048 * size_of(dtype);
  c.barriers = 640, c.blocks = 64, c.launches = 2, c.atomics = 0, c.active_lanes = 29.3;
  measured(cell).counters = c;
  return cell;
}

Cell timed_cell(const char* provider, const char* rung, double us, const char* dtype,
                const char* op) {
  Cell cell = sample_cell(provider, rung, dtype, op, timed_n,
                          {Backend::host, Contract::host_result, Cache::cold});
  measured(cell).timing = timing_around(us, cell.who.provider != "handwritten");
  return cell;
}

Cell gpu_cell(const char* provider, const char* rung, double us, const char* dtype) {
  Cell cell = for_size(timed_cell(provider, rung, us, dtype), gpu_n);
  cell.how = {Backend::cuda, Contract::device_result, Cache::cold};
  timing_of(cell).clocks = Clocks{1980, 1980, {}};
  return cell;
}

Results bare() {
  Results r;
  r.run.date = "2026-11-21T07:00:00Z";
  r.run.commit = "unknown";
  r.cells.emplace_back();
  r.cells[0].input = {"reduce", {}, "i32", 1, "random", {}};
  r.cells[0].who = {"std", "serial"};
  return r;
}

Results full() {
  Results r;
  r.run = {"",
           "2026-11-21T07:00:00Z",
           "./ladder run --preset full",
           "0123456789abcdef0123456789abcdef01234567",
           true,
           ~0ull,
           false,
           {{Backend::cuda, 6, 30, 50, 0.1}, {Backend::host, 6, 30, 300, 1}},
           some_digest};
  r.machine = {"A CPU",
               16,
               1ull << 37,
               1u << 25,
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
                   4814.304,
                   true,
                   false,
                   700,
                   {1980, 3201, 35, 120, 0},
                   {1965, 3201, 48, 410, {}}},
               {{"A GPU", "GPU-2", "0000:02:00.0"}},
               {{0, 1, true, true, true}}};
  r.software = {"Debian 12", "6.1",    "g++ 12",
                "-O3",       "g++ 12", "-O1",
                "nvcc 13.0", "-O3",    "13.0",
                "3.0.1",     "13.0",   "2.28.9, built with 2.28.9, NVLink multicast off",
                "3.0.1",     "2021.8"};
  r.operations = {
      {"histogram", 4, 1, Output::one_per_bin, true, {"sum"}, {"uniform"}, 256, 1 << 16}};
  r.rungs = {{"histogram",
              "handwritten",
              "single_pass",
              "Each warp its own copy.",
              "racy",
              "Atomics.",
              "Space.",
              "Contention.",
              "Nothing.",
              "Nothing.",
              {"N5"},
              "A book.",
              "CUB 3.0.1",
              Promise::any_order}};
  r.ceilings = {{Backend::cuda, Access::copy, Memory::dram, 1ull << 33, 4298}};
  r.overheads = {{Backend::cuda, Contract::device_result, "an empty kernel", 2.3}};
  Cell c = timed_cell("handwritten", "single_pass", 70.2);
  c.input = {"histogram", "sum", "i32", 1 << 26, "uniform", 256, 1, 4, true};
  c.how = {Backend::cuda, Contract::device_result, Cache::warm};
  c.minimum_bytes = {1 << 28, 1024};
  c.flags = {"fits_in_cache"};
  Timing& t = timing_of(c);
  t.time_us.outliers = 3;
  for (ProcessMedian& one : t.processes)
    one.back_to_back_us = 69.9, one.devices_us = {60, 61, 62, 70};
  t.bandwidth_gbps = {3823, 3786, 3862}, t.percent_of_ceiling = 89, t.percent_of_datasheet = 79.5;
  t.ratios = {Ratio{3.1, 3, 3.2, Difference::faster}, Ratio{0.9, 0.8, 0.95, Difference::slower},
              Ratio{1, 0.99, 1.01, Difference::none_shown},
              Ratio{3.5, 3.4, 3.6, Difference::faster}, Ratio{0.8, 0.79, 0.81, Difference::slower}};
  t.back_to_back = BackToBack{69.9, Ratio{1.1, 1.05, 1.15, Difference::faster}};
  t.sm_cycles = 894297;
  t.clocks = Clocks{1965, 1980, {"power cap"}};
  measured(c).error = Error{1.5, 1e-7, 0.25, 0.5};
  Counters& counters = measured(c).counters.emplace();
  unsigned k = 0;
  Counters::fields(counters,
                   [&k](const char*, auto& counter, const FieldFacts& = {}) { counter = ++k; });
  r.shard = Shard{2, 7, 9, some_digest};
  r.kernels = Kernels{"my_kernels", "0123456789abcdef0123456789abcdef01234567", true};
  r.rungs[0].from = "my_kernels";
  r.rungs[0].file = "handwritten/histogram/mine.cu";
  r.sources = {{r.rungs[0].file, "__global__ void mine_kernel() {}\n"}};
  r.merged = {{"sha256:1", "2026-11-21T07:00:00Z", "./ladder run --shard 1/1", r.machine}};
  c.shard = r.ceilings[0].shard = r.overheads[0].shard = 1;
  r.cells = {c};
  c.who = {std::string(limit_provider), "read"};
  r.limits = {c};
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
           {{Backend::host, 6, 30, 300, 1}},
           some_digest};
  r.machine = {"Example CPU", 2, 8ull << 30, 32u << 20, {}};
  r.software.os = "Debian GNU/Linux 12", r.software.kernel = "6.1.0";
  r.software.host_compiler = r.software.emulated_compiler = "g++ 12.2.0";
  r.software.host_flags = "-O3",
  r.software.emulated_flags = "-O1 -g -fsanitize=thread -fno-tree-sra";
  r.software.thrust = "1.17.2", r.software.tbb = "2021.8";
  r.ceilings = {{Backend::host, Access::read, Memory::dram, 256u << 20, 20},
                {Backend::host, Access::copy, Memory::dram, 512u << 20, 18.4}};
  r.overheads = {{Backend::host, Contract::host_result, "no kernel", 0.021}};
  Rung serial_rung = rung_of("serial"), global_rung = rung_of("global_two_pass", "serial"),
       shared_rung = rung_of("shared_two_pass", "global_two_pass"),
       racy_rung = rung_of("racy", "serial");
  serial_rung.idea = "One thread walks over the whole input.";
  global_rung.idea =
      "A tree in global memory for each block, then one block for the partial results.";
  shared_rung.idea = "The same tree in shared memory: global memory is read once.";
  shared_rung.step = "Steps between the threads of a block stay on the chip.",
  shared_rung.costs = "Shared memory.";
  racy_rung.idea = "All threads add to one place, without atomics.";
  r.rungs = {serial_rung, global_rung, shared_rung, racy_rung};
  for (Rung& rung : r.rungs) rung.notes = {"N1", "N3"};
  const std::string before = "#include \"handwritten/tree.hpp\"\n\n";
  r.rungs[1].file = "handwritten/reduce/global_two_pass.cu";
  r.rungs[2].file = "handwritten/reduce/shared_two_pass.cu";
  r.sources = {
      {r.rungs[1].file, before + "// in global memory\n__global__ void kernel(int* data) {}\n"},
      {r.rungs[2].file,
       before + "__global__ void kernel(int* data) {\n  __shared__ int tree;\n}\n"},
      {"handwritten/tree.hpp", "#pragma once\n"}};
  std::vector<Cell> cells;
  for (const char* op : {"sum", "min"}) {
    for (const char* dtype : {"i32", "f32", "i64"}) {
      const Cell global = emulated_cell("global_two_pass", dtype, op);
      Cell shared = emulated_cell("shared_two_pass", dtype, op),
           serial = emulated_cell("serial", dtype, op);
      Counters& of_shared = counters_of(shared);
      of_shared.global_load_bytes = shared.minimum_bytes.total(),
      of_shared.global_store_bytes = 65 * size_of(dtype);
      of_shared.global_load_requests = 2050, of_shared.global_load_sectors = 2050 * size_of(dtype);
      of_shared.global_store_requests = of_shared.global_store_sectors = 65;
      Counters& of_serial = counters_of(serial);
      of_serial.global_load_bytes = counted_n * size_of(dtype),
      of_serial.global_store_bytes = size_of(dtype);
      of_serial.global_load_requests = of_serial.global_load_sectors = counted_n;
      of_serial.global_store_requests = of_serial.global_store_sectors = 1;
      of_serial.barriers = 0, of_serial.blocks = of_serial.launches = 1, of_serial.active_lanes = 1;
      if (dtype[0] == 'f') measured(serial).error = Error{37.5, 3e-6}, serial.flags = {"unbounded"};
      const Cell larger = for_size(
          without(serial, Verdict::skipped, "one thread takes about a second for 2^24 elements"),
          1 << 26);
      const Cell racy = without(emulated_cell("racy", dtype, op), Verdict::expected_wrong,
                                "the last writer wins: 812 instead of 32,768");
      cells.insert(cells.end(), {serial, global, shared, racy, larger});

      const double scale = static_cast<double>(size_of(dtype)) / 4 * (dtype[0] == 'f' ? 1.02 : 1) *
                           (op[0] == 'm' ? 1.01 : 1);
      Cell loop = timed_cell("std", "std_serial", 11'050 * scale, dtype, op),
           parallel = timed_cell("std", "std_parallel", 3'700 * scale, dtype, op),
           thrust = timed_cell("thrust", "thrust_host", 3'655 * scale, dtype, op);
      if (dtype[0] == 'f' && op[0] == 's') {
        measured(loop).error = Error{1204, 7.18e-5, 61.3, 0.0019};
        measured(parallel).error = Error{2, 1.19e-7, 0.031, 0.0625};
        measured(thrust).error = Error{0, 0, 0.029, 0};
      }
      loop.flags = {"below_resolution"};
      if (dtype[0] == 'i' && op[0] == 'm')
        parallel = without(parallel, Verdict::crashed, "the worker ended with signal 11");
      cells.insert(cells.end(), {loop, parallel, thrust});
    }
  }
  return with_cells(r, cells);
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
           {{Backend::cuda, 6, 30, 50, 0.1}},
           some_digest};
  r.machine = {"A CPU", 16, 1ull << 37, 1u << 25, full().machine.gpu};
  r.ceilings = {{Backend::cuda, Access::read, Memory::dram, 4ull << 30, 4300}};
  r.overheads = {{Backend::cuda, Contract::device_result, "no kernel", 1.3},
                 {Backend::cuda, Contract::device_result, "an empty kernel", 2.7},
                 {Backend::cuda, Contract::host_result, "an empty kernel", 12.4}};
  r.rungs = {rung_of("serial"), rung_of("global_two_pass", "serial"),
             rung_of("shared_two_pass", "global_two_pass"),
             rung_of("only_there", "shared_two_pass")};
  std::vector<Cell> cells;
  for (const char* dtype : {"f64", "i32"}) {
    const double scale = static_cast<double>(size_of(dtype)) / 4;
    const Cell serial = without(gpu_cell("handwritten", "serial", 1, dtype), Verdict::skipped,
                                "one thread takes minutes");
    const Cell global = gpu_cell("handwritten", "global_two_pass", 1'500 * scale, dtype),
               shared = gpu_cell("handwritten", "shared_two_pass", 400 * scale, dtype),
               only_there = gpu_cell("handwritten", "only_there", 262 * scale, dtype),
               cub = gpu_cell("cub", "cub", 261 * scale, dtype),
               small = for_size(gpu_cell("cub", "cub", 17 * scale, dtype), 1 << 24);
    Cell until_host = gpu_cell("handwritten", "global_two_pass", 1'511 * scale, dtype),
         warm = gpu_cell("cub", "cub", 255 * scale, dtype);
    until_host.how.contract = Contract::host_result, warm.how.cache = Cache::warm;
    cells.insert(cells.end(), {serial, global, shared, only_there, cub, until_host, small, warm});
  }
  r = with_cells(r, cells);
  r.run.id = content_id(r);
  return r;
}

std::string markdown(const Results& results, const std::vector<Results>& published,
                     const Soundness& soundness) {
  const Files files = markdown_files({results, published, soundness});
  std::string text = files.at("report.md");
  for (const auto& [name, page] : files)
    if (name != "report.md") text += page;
  return text;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace ladder::reports
