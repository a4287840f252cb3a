#include "reports/model/json.hpp"

using nlohmann::json;
using namespace ladder::reports;

std::string ladder::reports::terminal_json(const json& document) {
  return document.dump(1, ' ', true, json::error_handler_t::replace);
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
    cell.outcome = outcome.get<Failure>();
  }
}
