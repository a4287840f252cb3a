// The result model as JSON.
//
// Every field is always present, but those with if_set; what is null in the model is null in the
// file, and so is a number that is not finite.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "reports/model/model.hpp"

template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(json& out, const std::optional<T>& value) {
    if (value) out = *value;
    else out = nullptr;
  }
  static void from_json(const json& in, std::optional<T>& value) {
    if (in.is_null()) value.reset();
    else value = in.get<T>();
  }
};

namespace ladder::reports {

// For standard output, which may be a terminal: whatever the strings hold, printable ASCII and
// newlines.
std::string terminal_json(const nlohmann::json& document);

// Whether a field with if_set has something to say.
template <class T>
bool is_set(const T& value) {
  if constexpr (requires { value.empty(); }) return !value.empty();
  else if constexpr (requires { value.has_value(); }) return value.has_value();
  else if constexpr (requires { value != T{}; }) return value != T{};
  else return true;
}

// Enumerations are their words in the file.
template <Word E>
void to_json(nlohmann::json& json, const E& value) {
  json = std::string(name_of(value));
}
template <Word E>
void from_json(const nlohmann::json& json, E& value) {
  value = named<E>(json.get_ref<const std::string&>());
}

// The fields of a struct that names them itself (reports/model/fields.hpp).
template <HasFields T>
void to_json(nlohmann::json& json, const T& value) {
  json = nlohmann::json::object();
  T::fields(value, [&](const char* name, const auto& member, const FieldFacts& facts = {}) {
    if (!facts.if_set || is_set(member)) json[name] = member;
  });
}
template <HasFields T>
void from_json(const nlohmann::json& json, T& value) {
  T::fields(value, [&](const char* name, auto& member, const FieldFacts& facts = {}) {
    if (facts.if_set) {
      member = std::remove_reference_t<decltype(member)>{};
      if (!json.contains(name)) return;
      if constexpr (requires { member.emplace(); }) {  // if it is there, it is not null
        json.at(name).get_to(member.emplace());
        return;
      }
    }
    json.at(name).get_to(member);
  });
}

// The names of these structs in the file are those of their members.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Effort, backend, processes, min_samples, max_samples,
                                   max_seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Run, id, date, command, commit, dirty, seed, complete, efforts,
                                   samples)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GpuState, sm_clock_mhz, memory_clock_mhz, temperature_c, power_w,
                                   other_processes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Gpu, name, uuid, compute_capability, driver, pci_bus_id,
                                   multiprocessors, memory_bytes, l2_bytes, memory_clock_mhz,
                                   memory_bus_bits, datasheet_gbps, ecc, mig, power_limit_w, before,
                                   after)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FurtherGpu, name, uuid, pci_bus_id)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Link, from, to, peer_access, native_atomics, nvlink)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Operation, name, place, inputs, output, order_matters, operators,
                                   usual_inputs, usual_bins, most_bins)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Who, provider, rung)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(How, backend, contract, cache)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CellKey, input, who, how)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Time, median, ci95_low, ci95_high, min, p5, p25, p75, p95, max,
                                   samples, outliers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Bandwidth, median, ci95_low, ci95_high)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Ratio, value, ci95_low, ci95_high, verdict)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BackToBack, median_us, vs_fastest_library)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Clocks, sm_mhz_min, sm_mhz_max, slowed_by)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Timing, time_us, processes, bandwidth_gbps, percent_of_ceiling,
                                   percent_of_datasheet, ratios, back_to_back, sm_cycles, clocks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Error, ulp_max, relative, bound, of_bound)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measured, timing, error, counters)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Failure, verdict, reason, lost_counts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Bytes, read, written)
void to_json(nlohmann::json& json, const Cell& cell);
// throws std::invalid_argument for numbers of what did not pass
void from_json(const nlohmann::json& json, Cell& cell);
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Shard, number, of, groups, plan)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MergedShard, id, date, command, machine)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Kernels, from, commit, dirty)

}  // namespace ladder::reports
