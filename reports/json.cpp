#include "reports/json.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

// The fields of an input under their names in the file, each named once for both directions, but for the offset. field(name, member)
void input_fields(auto& input, const auto& field) {
  field("operation", input.operation);
  field("operator", input.op);
  field("dtype", input.dtype);
  field("n", input.n);
  field("distribution", input.distribution);
  field("bins", input.bins);
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

}  // namespace

std::string terminal_json(const json& document) {
  return document.dump(1, ' ', true, json::error_handler_t::replace);
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
  rung.promise = in.contains("promise") ? std::optional(in.at("promise").get<Promise>()) : std::nullopt;
  rung.from = in.value("from", "");
}

void to_json(json& out, const Input& input) {
  input_fields(input, into(out));
  if (input.offset != 0) out["offset"] = input.offset;
}

void from_json(const json& in, Input& input) {
  input_fields(input, from(in));
  input.offset = in.value("offset", 0U);
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
  results.kernels = in.contains("kernels") ? std::optional(in.at("kernels").get<Kernels>()) : std::nullopt;
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
    if (measured.is_null() || !outcome.at("reason").is_null() || !outcome.at("lost_counts").is_null())
      throw std::invalid_argument("the verdict is pass, and what was measured is missing or a reason against it is there");
    cell.outcome = measured.get<Measured>();
  } else {
    if (!measured.is_null()) throw std::invalid_argument("the verdict is " + std::string(name_of(verdict)) + " and there are numbers");
    cell.outcome = Failure{verdict, outcome.at("reason").get<std::string>(), outcome.at("lost_counts").get<std::optional<std::uint64_t>>()};
  }
}

}  // namespace ladder::reports
