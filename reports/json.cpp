#include "reports/json.hpp"

namespace ladder::reports {
namespace {

// The fields of a cell under their names in the file, each named once for both directions. field(name, member)
template <class AnyKey, class Field>
void key_fields(AnyKey& key, const Field& field) {
  field("operation", key.operation);
  field("operator", key.op);
  field("dtype", key.dtype);
  field("n", key.n);
  field("distribution", key.distribution);
  field("bins", key.bins);
  field("provider", key.provider);
  field("rung", key.rung);
  field("backend", key.backend);
  field("contract", key.contract);
  field("cache", key.cache);
}

template <class AnyCell, class Field>
void cell_fields(AnyCell& cell, const Field& field) {
  key_fields(cell.key, field);
  field("notes", cell.notes);
  field("idea", cell.idea);
  field("improves_on", cell.improves_on);
  field("verdict", cell.verdict);
  field("reason", cell.reason);
  field("flags", cell.flags);
  field("time_us", cell.time_us);
  field("bandwidth_gbps", cell.bandwidth_gbps);
  field("percent_of_ceiling", cell.percent_of_ceiling);
  field("percent_of_datasheet", cell.percent_of_datasheet);
  field("minimum_bytes", cell.minimum_bytes);
  field("ratios", cell.ratios);
  field("error", cell.error);
  field("sm_cycles", cell.sm_cycles);
  field("clocks", cell.clocks);
  field("lost_counts", cell.lost_counts);
  field("counters", cell.counters);
}

auto into(nlohmann::json& json) {
  json = nlohmann::json::object();
  return [&json](const char* name, const auto& member) { json[name] = member; };
}

auto out_of(const nlohmann::json& json) {
  return [&json](const char* name, auto& member) { json.at(name).get_to(member); };
}

}  // namespace

std::string terminal_json(const nlohmann::json& document) {
  return document.dump(1, ' ', true, nlohmann::json::error_handler_t::replace);
}

void to_json(nlohmann::json& json, const CellKey& key) {
  key_fields(key, into(json));
}
void from_json(const nlohmann::json& json, CellKey& key) {
  key_fields(key, out_of(json));
}
void to_json(nlohmann::json& json, const Cell& cell) {
  cell_fields(cell, into(json));
}
void from_json(const nlohmann::json& json, Cell& cell) {
  cell_fields(cell, out_of(json));
}

}  // namespace ladder::reports
