#include "reports/numbers/cells.hpp"

namespace ladder::reports {
bool has_flag(const Cell& cell, std::string_view flag) {
  return has(cell.flags, flag);
}

bool any_timed(const Cells& cells, Backend backend) {
  return std::ranges::any_of(only(cells, of_backend(backend)), &Cell::timing);
}

unsigned most_devices_of(const Cells& cells) {
  unsigned most = 0;
  for (const Cell& c : cells) most = std::max(most, c.input.devices);
  return most;
}

bool has_failed(const Cell& cell) {
  return cell.verdict() == Verdict::fail || cell.verdict() == Verdict::crashed ||
         cell.verdict() == Verdict::timeout;
}

bool is_library(const Cell& cell) {
  return cell.who.provider != "handwritten";
}

bool is_limit(const Cell& cell) {
  return cell.who.provider == limit_provider;
}

bool has_share_of_limit(const Cell& cell) {
  return cell.timing() != nullptr && cell.timing()->ratios.vs_limit.has_value();
}

const Cell* fastest_of(const Cells& cells) {
  const Cell* best = nullptr;
  for (const Cell& c : cells)
    if (c.timing() != nullptr &&
        (best == nullptr || c.timing()->time_us.median < best->timing()->time_us.median))
      best = &c;
  return best;
}

bool is_fastest_library(const Cell& cell) {
  return is_library(cell) && cell.timing() != nullptr && cell.timing()->processes.size() >= 2 &&
         !cell.timing()->ratios.vs_fastest_library;
}

HostOnly::HostOnly(const Cells& cells) {
  for (const Cell& c : cells)
    if (c.timing() != nullptr && c.how.backend == Backend::cuda && c.how.contract)
      timed_.emplace(c.input.operation, c.who, *c.how.contract);
}

bool HostOnly::contains(const Cell& cell) const {
  const auto timed = [&](Contract contract) {
    return timed_.contains({cell.input.operation, cell.who, contract});
  };
  return cell.verdict() == Verdict::skipped && cell.how.contract == Contract::device_result &&
         timed(Contract::host_result) && !timed(Contract::device_result);
}

}  // namespace ladder::reports
