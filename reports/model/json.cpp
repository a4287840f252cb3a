#include "reports/model/json.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

// The fields of an input under their names in the file, each named once for both directions, but
// for what few inputs have. field(name, member)
void input_fields(auto& input, const auto& field) {
  field("operation", input.operation);
  field("operator", input.op);
  field("dtype", input.dtype);
  field("n", input.n);
  field("distribution", input.distribution);
  field("bins", input.bins);
}

// But for the further GPUs, which only data over devices has.
void machine_fields(auto& machine, const auto& field) {
  field("cpu", machine.cpu);
  field("cores", machine.cores);
  field("memory_bytes", machine.memory_bytes);
  field("last_level_cache_bytes", machine.last_level_cache_bytes);
  field("gpu", machine.gpu);
}

// But for what sets of before do not have.
void software_fields(auto& software, const auto& field) {
  field("os", software.os);
  field("kernel", software.kernel);
  field("host_compiler", software.host_compiler);
  field("host_flags", software.host_flags);
  field("emulated_compiler", software.emulated_compiler);
  field("emulated_flags", software.emulated_flags);
  field("cuda_compiler", software.cuda_compiler);
  field("cuda_flags", software.cuda_flags);
  field("cuda_runtime", software.cuda_runtime);
  field("cccl", software.cccl);
  field("cublas", software.cublas);
  field("thrust", software.thrust);
  field("tbb", software.tbb);
}

// But for those that sets of before do not have.
void rung_fields(auto& rung, const auto& field) {
  field("operation", rung.operation);
  field("provider", rung.provider);
  field("rung", rung.rung);
  field("idea", rung.idea);
  field("follows", rung.follows);
  field("step", rung.step);
  field("costs", rung.costs);
  field("limited_by", rung.limited_by);
  field("repaired", rung.repaired);
  field("to_know", rung.to_know);
  field("notes", rung.notes);
  field("source", rung.source);
}

void ceiling_fields(auto& ceiling, const auto& field) {
  field("backend", ceiling.backend);
  field("access", ceiling.access);
  field("memory", ceiling.memory);
  field("bytes", ceiling.bytes);
  field("bandwidth_gbps", ceiling.bandwidth_gbps);
}

void overhead_fields(auto& overhead, const auto& field) {
  field("backend", overhead.backend);
  field("contract", overhead.contract);
  field("of", overhead.of);
  field("median_us", overhead.median_us);
}

// But for the ratio that only data over devices has.
void ratios_fields(auto& ratios, const auto& field) {
  field("vs_first_rung", ratios.vs_first_rung);
  field("vs_followed", ratios.vs_followed);
  field("vs_fastest_library", ratios.vs_fastest_library);
}

// But for those that only data over devices has.
void counters_fields(auto& counters, const auto& field) {
  field("global_load_bytes", counters.global_load_bytes);
  field("global_load_requests", counters.global_load_requests);
  field("global_load_sectors", counters.global_load_sectors);
  field("global_store_bytes", counters.global_store_bytes);
  field("global_store_requests", counters.global_store_requests);
  field("global_store_sectors", counters.global_store_sectors);
  field("shared_requests", counters.shared_requests);
  field("shared_wavefronts", counters.shared_wavefronts);
  field("atomics", counters.atomics);
  field("atomic_requests", counters.atomic_requests);
  field("atomic_contention", counters.atomic_contention);
  field("barriers", counters.barriers);
  field("barriers_per_thread", counters.barriers_per_thread);
  field("active_lanes", counters.active_lanes);
  field("launches", counters.launches);
  field("blocks", counters.blocks);
  field("steps", counters.steps);
  field("work", counters.work);
  field("dram_read_bytes", counters.dram_read_bytes);
  field("dram_write_bytes", counters.dram_write_bytes);
}

void process_fields(auto& median, const auto& field) {
  field("process", median.process);
  field("time_us", median.time_us);
  field("back_to_back_us", median.back_to_back_us);
}

void results_fields(auto& results, const auto& field) {
  field("schema", results.schema);
  field("run", results.run);
  field("machine", results.machine);
  field("software", results.software);
  field("operations", results.operations);
  field("rungs", results.rungs);
  field("ceilings", results.ceilings);
  field("overheads", results.overheads);
  field("cells", results.cells);
}

auto into(json& out) {
  out = json::object();
  return [&out](const char* name, const auto& member) { out[name] = member; };
}

auto from(const json& in) {
  return [&in](const char* name, auto& member) { in.at(name).get_to(member); };
}

// A field that is in the file only where it is known.
template <class T>
void write_known(json& out, const char* name, const std::optional<T>& value) {
  if (value) out[name] = *value;
}

template <class T>
void read_known(const json& in, const char* name, std::optional<T>& value) {
  value = in.contains(name) ? std::optional(in.at(name).get<T>()) : std::nullopt;
}

}  // namespace

std::string terminal_json(const json& document) {
  return document.dump(1, ' ', true, json::error_handler_t::replace);
}

void to_json(json& out, const Machine& machine) {
  machine_fields(machine, into(out));
  if (!machine.further_gpus.empty()) out["further_gpus"] = machine.further_gpus;
  if (!machine.links.empty()) out["links"] = machine.links;
}

void from_json(const json& in, Machine& machine) {
  machine_fields(machine, from(in));
  machine.further_gpus = in.value("further_gpus", std::vector<FurtherGpu>());
  machine.links = in.value("links", std::vector<Link>());
}

void to_json(json& out, const Software& software) {
  software_fields(software, into(out));
  write_known(out, "nccl", software.nccl);
}

void from_json(const json& in, Software& software) {
  software_fields(software, from(in));
  read_known(in, "nccl", software.nccl);
}

void to_json(json& out, const Rung& rung) {
  rung_fields(rung, into(out));
  if (!rung.library.empty()) out["library"] = rung.library;
  if (rung.promise) out["promise"] = *rung.promise;
  if (!rung.from.empty()) out["from"] = rung.from;
}

void from_json(const json& in, Rung& rung) {
  rung_fields(rung, from(in));
  rung.library = in.value("library", "");
  rung.promise =
      in.contains("promise") ? std::optional(in.at("promise").get<Promise>()) : std::nullopt;
  rung.from = in.value("from", "");
}

void to_json(json& out, const Input& input) {
  input_fields(input, into(out));
  if (input.offset != 0) out["offset"] = input.offset;
  if (input.devices != 0) out["devices"] = input.devices;
  if (input.process_for_each_device) out["process_for_each_device"] = true;
}

void from_json(const json& in, Input& input) {
  input_fields(input, from(in));
  input.offset = in.value("offset", 0U);
  input.devices = in.value("devices", 0U);
  input.process_for_each_device = in.value("process_for_each_device", false);
}

void to_json(json& out, const Ratios& ratios) {
  ratios_fields(ratios, into(out));
  write_known(out, "vs_one_device", ratios.vs_one_device);
}

void from_json(const json& in, Ratios& ratios) {
  ratios_fields(ratios, from(in));
  read_known(in, "vs_one_device", ratios.vs_one_device);
}

void to_json(json& out, const ProcessMedian& median) {
  process_fields(median, into(out));
  if (!median.devices_us.empty()) out["devices_us"] = median.devices_us;
}

void from_json(const json& in, ProcessMedian& median) {
  process_fields(median, from(in));
  median.devices_us = in.value("devices_us", std::vector<double>());
}

void to_json(json& out, const Counters& counters) {
  counters_fields(counters, into(out));
  write_known(out, "peer_load_bytes", counters.peer_load_bytes);
  write_known(out, "peer_store_bytes", counters.peer_store_bytes);
}

void from_json(const json& in, Counters& counters) {
  counters_fields(counters, from(in));
  read_known(in, "peer_load_bytes", counters.peer_load_bytes);
  read_known(in, "peer_store_bytes", counters.peer_store_bytes);
}

void to_json(json& out, const Ceiling& ceiling) {
  ceiling_fields(ceiling, into(out));
  if (ceiling.shard != 0) out["shard"] = ceiling.shard;
}

void from_json(const json& in, Ceiling& ceiling) {
  ceiling_fields(ceiling, from(in));
  ceiling.shard = in.value("shard", 0U);
}

void to_json(json& out, const Overhead& overhead) {
  overhead_fields(overhead, into(out));
  if (overhead.shard != 0) out["shard"] = overhead.shard;
}

void from_json(const json& in, Overhead& overhead) {
  overhead_fields(overhead, from(in));
  overhead.shard = in.value("shard", 0U);
}

void to_json(json& out, const Results& results) {
  results_fields(results, into(out));
  if (results.shard) out["shard"] = *results.shard;
  if (!results.merged.empty()) out["merged"] = results.merged;
  if (results.kernels) out["kernels"] = *results.kernels;
}

void from_json(const json& in, Results& results) {
  results_fields(results, from(in));
  results.shard = in.contains("shard") ? std::optional(in.at("shard").get<Shard>()) : std::nullopt;
  results.merged = in.value("merged", std::vector<MergedShard>());
  results.kernels =
      in.contains("kernels") ? std::optional(in.at("kernels").get<Kernels>()) : std::nullopt;
}

void to_json(json& out, const Cell& cell) {
  out = cell.key();
  if (cell.shard != 0) out["shard"] = cell.shard;
  out["flags"] = cell.flags;
  out["minimum_bytes"] = cell.minimum_bytes;
  const Failure* failure = cell.outcome.failure();
  out["outcome"] = {{"verdict", cell.verdict()},
                    {"reason", failure == nullptr ? json() : json(failure->reason)},
                    {"lost_counts", failure == nullptr ? json() : json(failure->lost_counts)}};
  const Measured* measured = cell.outcome.measured();
  out["measured"] = measured == nullptr ? json() : json(*measured);
}

void from_json(const json& in, Cell& cell) {
  in.get_to(static_cast<CellKey&>(cell));
  cell.shard = in.value("shard", 0U);
  in.at("flags").get_to(cell.flags);
  in.at("minimum_bytes").get_to(cell.minimum_bytes);
  const json &outcome = in.at("outcome"), &measured = in.at("measured");
  const auto verdict = outcome.at("verdict").get<Verdict>();
  if (verdict == Verdict::pass) {
    if (measured.is_null() || !outcome.at("reason").is_null() ||
        !outcome.at("lost_counts").is_null())
      throw std::invalid_argument(
          "the verdict is pass, and what was measured is missing or a reason against it is there");
    cell.outcome = measured.get<Measured>();
  } else {
    if (!measured.is_null())
      throw std::invalid_argument("the verdict is " + std::string(name_of(verdict)) +
                                  " and there are numbers");
    cell.outcome = Failure{verdict, outcome.at("reason").get<std::string>(),
                           outcome.at("lost_counts").get<std::optional<std::uint64_t>>()};
  }
}

}  // namespace ladder::reports
