// What follows from the counters of a cell.
#pragma once

#include <optional>

#include "reports/model/model.hpp"

namespace ladder::reports {

// One of the counters of a cell; null where that was not counted.
template <auto Counters::*which>
std::optional<double> counter(const Cell& cell) {
  const Counters* counters = cell.counters();
  if (counters == nullptr || !(counters->*which)) return {};
  return static_cast<double>(*(counters->*which));
}

// From the counters of a cell; null where one of the parts is missing or zero requests were made.
std::optional<double> traffic_over_minimum(const Cell& cell);
std::optional<double> dram_over_minimum(const Cell& cell);
std::optional<double> bytes_between_devices(const Cell& cell);
// bytes asked for, over 32 for each sector touched
std::optional<double> sector_use(const Cell& cell);
std::optional<double> sectors_per_load(const Cell& cell);
std::optional<double> sectors_per_store(const Cell& cell);
std::optional<double> wavefronts_per_shared_request(const Cell& cell);
std::optional<double> barriers_per_block(const Cell& cell);
std::optional<double> barriers_per_thread(const Cell& cell);
std::optional<double> memory_requests(const Cell& cell);

}  // namespace ladder::reports
