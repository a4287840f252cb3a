#include "compare/protocol.hpp"

#include <cmath>
#include <concepts>
#include <limits>
#include <stdexcept>

namespace ladder {
namespace {

using nlohmann::json;

template <class T, class Message>
concept Is = std::same_as<std::remove_const_t<T>, Message>;

// The fields of each message under their names, each named once for both directions, but for the
// devices of a problem and whether each has a process. field(name, member)
void fields(Is<ProblemSpec> auto& m, const auto& field) {
  field("operation", m.operation);
  field("op", m.op);
  field("dtype", m.dtype);
  field("n", m.n);
  field("distribution", m.distribution);
  field("bins", m.bins);
  field("seed", m.seed);
  field("offset", m.offset);
}

void fields(Is<protocol::Listing> auto& m, const auto& field) {
  field("operation", m.operation);
  field("operators", m.operators);
  field("provider", m.provider);
  field("rung", m.rung);
  field("path", m.path);
  field("notes", m.notes);
  field("idea", m.idea);
  field("follows", m.follows);
  field("step", m.step);
  field("costs", m.costs);
  field("limited_by", m.limited_by);
  field("repaired", m.repaired);
  field("to_know", m.to_know);
  field("source", m.source);
  field("library", m.library);
  field("promise", m.promise);
  field("from", m.from);
  field("dtypes", m.dtypes);
  field("backends", m.backends);
  field("contracts", m.contracts);
  field("requires", m.needs);
  field("max_elements", m.max_elements);
  field("max_reason", m.max_reason);
  field("same_bits_every_run", m.same_bits_every_run);
  field("expected_wrong", m.expected_wrong);
  field("over_devices", m.over_devices);
  field("collective", m.collective);
}

void fields(Is<protocol::OperationListing> auto& m, const auto& field) {
  field("operation", m.operation);
  field("op", m.op);
  field("dtype", m.dtype);
  field("distributions", m.distributions);
  field("usual_bins", m.usual_bins);
  field("most_bins", m.most_bins);
}

void fields(Is<protocol::VerifyRequest> auto& m, const auto& field) {
  field("problem", m.problem);
  field("contract", m.contract);
  field("rungs", m.rungs);
  field("repeats", m.repeats);
  field("schedules", m.schedules);
}

void fields(Is<protocol::Answer> auto& m, const auto& field) {
  field("path", m.path);
  field("pass", m.pass);
  field("reason", m.reason);
  field("ulp_max", m.ulp_max);
  field("relative", m.relative);
  field("bound", m.bound);
  field("bounded", m.bounded);
  field("output", m.output);
  field("same_bits", m.same_bits);
  field("skipped", m.skipped);
}

void fields(Is<protocol::CheckRequest> auto& m, const auto& field) {
  field("problem", m.problem);
  field("rungs", m.rungs);
  field("schedules", m.schedules);
  field("multiprocessors", m.multiprocessors);
}

void fields(Is<protocol::Finding> auto& m, const auto& field) {
  field("kind", m.kind);
  field("kernel", m.kernel);
  field("line", m.line);
  field("other_line", m.other_line);
  field("message", m.message);
  field("advice", m.advice);
  field("times", m.times);
}

void fields(Is<protocol::Checked> auto& m, const auto& field) {
  field("path", m.path);
  field("skipped", m.skipped);
  field("reason", m.reason);
  field("findings", m.findings);
  field("remarks", m.remarks);
  field("accesses", m.accesses);
}

void fields(Is<protocol::MeasureRequest> auto& m, const auto& field) {
  field("problem", m.problem);
  field("rungs", m.rungs);
  field("contract", m.contract);
  field("cache", m.cache);
  field("order_seed", m.order_seed);
  field("process", m.process);
  field("min_samples", m.min_samples);
  field("max_samples", m.max_samples);
  field("max_seconds", m.max_seconds);
  field("counters", m.counters);
}

void fields(Is<protocol::Sample> auto& m, const auto& field) {
  field("path", m.path);
  field("us", m.us);
  field("order", m.order);
  field("process", m.process);
}

void fields(Is<protocol::MeasuredCell> auto& m, const auto& field) {
  field("path", m.path);
  field("verdict", m.verdict);
  field("reason", m.reason);
  field("flags", m.flags);
  field("minimum_bytes", m.minimum_bytes);
  field("error", m.error);
  field("counters", m.counters);
  field("lost_counts", m.lost_counts);
  field("sm_cycles", m.sm_cycles);
  field("back_to_back_us", m.back_to_back_us);
  field("devices_us", m.devices_us);
  field("clocks", m.clocks);
}

// The library alone would take true for 1, 1.9 for 1 and -1 for 2^32 - 1.
void read(const json& in, bool& out) {
  if (!in.is_boolean()) throw std::invalid_argument("is not true or false");
  out = in.get<bool>();
}

void read(const json& in, std::unsigned_integral auto& out) {
  using T = std::remove_reference_t<decltype(out)>;
  const bool natural =
      in.is_number_unsigned() || (in.is_number_integer() && in.get<std::int64_t>() >= 0);
  if (!natural || in.get<std::uint64_t>() > std::numeric_limits<T>::max())
    throw std::invalid_argument("is not a whole number from 0 to " +
                                std::to_string(std::numeric_limits<T>::max()));
  out = in.get<T>();
}

void read(const json& in, double& out) {
  if (!in.is_number() && !in.is_null()) throw std::invalid_argument("is not a number");
  out = in.is_null() ? std::numeric_limits<double>::infinity() : in.get<double>();
}

void read(const json& in, std::string& out) {
  if (!in.is_string()) throw std::invalid_argument("is not a string");
  out = in.get<std::string>();
}

template <reports::Word E>
void read(const json& in, E& out) {
  if (!in.is_string()) throw std::invalid_argument("is not a string");
  out = reports::named<E>(in.get_ref<const std::string&>());
}

// The structs: of this file or of the result model.
template <class T>
requires std::is_class_v<T>
void read(const json& in, T& out) {
  if (!in.is_object()) throw std::invalid_argument("is not an object");
  in.get_to(out);
}

template <class T>
void read(const json& in, std::optional<T>& out) {
  if (in.is_null()) out.reset();
  else read(in, out.emplace());
}

template <class T>
void read(const json& in, std::vector<T>& out) {
  if (!in.is_array()) throw std::invalid_argument("is not an array");
  out.clear();
  for (const json& element : in) read(element, out.emplace_back());
}

template <class Message>
void write_message(json& out, const Message& message) {
  out = json::object();
  fields(message, [&](const char* name, const auto& member) { out[name] = member; });
}

void read_field(const json& in, const char* name, auto& member) {
  const auto found = in.find(name);
  if (found == in.end())
    throw std::invalid_argument(std::string("the field \"") + name + "\" is missing");
  try {
    read(*found, member);
  } catch (const std::exception& problem) {
    throw std::invalid_argument(std::string("the field \"") + name + "\": " + problem.what());
  }
}

template <class Message>
void read_message(const json& in, Message& message) {
  fields(message, [&](const char* name, auto& member) { read_field(in, name, member); });
}

}  // namespace

// Devices where the data is spread over some: plans and samples of all other data are as before
// there were any.
void to_json(json& out, const ProblemSpec& value) {
  write_message(out, value);
  if (value.devices != 0) out["devices"] = value.devices;
  if (value.process_for_each_device) out["process_for_each_device"] = true;
}
void from_json(const json& in, ProblemSpec& value) {
  read_message(in, value);
  value.devices = 0;
  if (in.contains("devices")) read_field(in, "devices", value.devices);
  value.process_for_each_device = false;
  if (in.contains("process_for_each_device"))
    read_field(in, "process_for_each_device", value.process_for_each_device);
}

namespace protocol {

void to_json(json& out, const Listing& value) {
  write_message(out, value);
}
void to_json(json& out, const OperationListing& value) {
  write_message(out, value);
}
void to_json(json& out, const VerifyRequest& value) {
  write_message(out, value);
}
void to_json(json& out, const Answer& value) {
  write_message(out, value);
}
void to_json(json& out, const CheckRequest& value) {
  write_message(out, value);
}
void to_json(json& out, const Finding& value) {
  write_message(out, value);
}
void to_json(json& out, const Checked& value) {
  write_message(out, value);
}
void to_json(json& out, const MeasureRequest& value) {
  write_message(out, value);
}
void to_json(json& out, const Sample& value) {
  write_message(out, value);
}
void to_json(json& out, const MeasuredCell& value) {
  write_message(out, value);
}

void from_json(const json& in, Listing& value) {
  read_message(in, value);
}
void from_json(const json& in, OperationListing& value) {
  read_message(in, value);
}
void from_json(const json& in, VerifyRequest& value) {
  read_message(in, value);
}
void from_json(const json& in, Answer& value) {
  read_message(in, value);
}
void from_json(const json& in, CheckRequest& value) {
  read_message(in, value);
}
void from_json(const json& in, Finding& value) {
  read_message(in, value);
}
void from_json(const json& in, Checked& value) {
  read_message(in, value);
}
void from_json(const json& in, MeasureRequest& value) {
  read_message(in, value);
}
void from_json(const json& in, Sample& value) {
  read_message(in, value);
}
void from_json(const json& in, MeasuredCell& value) {
  read_message(in, value);
}

}  // namespace protocol
}  // namespace ladder
