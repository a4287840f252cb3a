#include "reports/model/json.hpp"

using nlohmann::json;
using namespace ladder::reports;

std::string ladder::reports::terminal_json(const json& document) {
  return document.dump(1, ' ', true, json::error_handler_t::replace);
}

std::string ladder::reports::against_verdict(const json& cell) {
  const json &outcome = cell.at("outcome"), &verdict = outcome.at("verdict");
  const bool passed = verdict == "pass", is_measured = !cell.at("measured").is_null();
  if (passed && !is_measured) return "has the verdict pass, and nothing was measured";
  if (passed && !outcome.at("reason").is_null())
    return "has the verdict pass, and a reason against it";
  if (passed && !outcome.at("lost_counts").is_null())
    return "has the verdict pass, and lost counts";
  if (!passed && is_measured)
    return "has the verdict " + verdict.get<std::string>() + " and there are numbers";
  if (!passed && outcome.at("reason").is_null()) return "did not pass, and no reason is given";
  return {};
}

void nlohmann::adl_serializer<Cell>::to_json(json& out, const Cell& cell) {
  out = cell.key();
  if (cell.shard != 0) out["shard"] = cell.shard;
  out["flags"] = cell.flags;
  out["minimum_bytes"] = cell.minimum_bytes;
  const Failure* failure = cell.outcome.failure();
  out["outcome"] = {{"verdict", cell.verdict()}, {"reason", nullptr}, {"lost_counts", nullptr}};
  if (failure != nullptr) out["outcome"] = *failure;
  const Measured* measured = cell.outcome.measured();
  out["measured"] = measured == nullptr ? json() : json(*measured);
}

void nlohmann::adl_serializer<Cell>::from_json(const json& in, Cell& cell) {
  in.get_to(static_cast<CellKey&>(cell));
  cell.shard = in.value("shard", 0U);
  in.at("flags").get_to(cell.flags);
  in.at("minimum_bytes").get_to(cell.minimum_bytes);
  if (const auto what = against_verdict(in); !what.empty())
    throw std::invalid_argument("it " + what);
  const json& outcome = in.at("outcome");
  if (outcome.at("verdict") == "pass") cell.outcome = in.at("measured").get<Measured>();
  else cell.outcome = outcome.get<Failure>();
}
