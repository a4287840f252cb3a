// What follows from the counters of a cell.
#pragma once

#include <optional>

#include "reports/model/model.hpp"

namespace ladder::reports {

using NumberOf = std::optional<double> (*)(const Cell&);

// One of the counters of a cell; null where that was not counted.
template <auto Counters::*which>
std::optional<double> counter(const Cell& cell) {
  const Counters* counters = cell.counters();
  if (counters == nullptr || !(counters->*which)) return {};
  return static_cast<double>(*(counters->*which));
}

// null where one of the two is
template <NumberOf one, NumberOf other>
std::optional<double> sum_of(const Cell& cell) {
  const auto a = one(cell), b = other(cell);
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

// null where one of the two is, or the lower one is 0
template <NumberOf upper, NumberOf lower>
std::optional<double> quotient_of(const Cell& cell) {
  const auto above = upper(cell), below = lower(cell);
  return above && below && *below > 0 ? std::optional(*above / *below) : std::nullopt;
}

inline std::optional<double> must_move(const Cell& cell) {
  return static_cast<double>(cell.minimum_bytes.total());
}

constexpr NumberOf asked_for =
    sum_of<counter<&Counters::global_load_bytes>, counter<&Counters::global_store_bytes>>;

// a sector has 32 bytes
inline std::optional<double> touched(const Cell& cell) {
  const auto sectors =
      sum_of<counter<&Counters::global_load_sectors>, counter<&Counters::global_store_sectors>>(
          cell);
  return sectors ? std::optional(32 * *sectors) : std::nullopt;
}

constexpr NumberOf
    traffic_over_minimum = quotient_of<asked_for, must_move>,
    dram_over_minimum = quotient_of<
        sum_of<counter<&Counters::dram_read_bytes>, counter<&Counters::dram_write_bytes>>,
        must_move>,
    bytes_between_devices =
        sum_of<counter<&Counters::peer_load_bytes>, counter<&Counters::peer_store_bytes>>,
    sector_use = quotient_of<asked_for, touched>,
    sectors_per_load = quotient_of<counter<&Counters::global_load_sectors>,
                                   counter<&Counters::global_load_requests>>,
    sectors_per_store = quotient_of<counter<&Counters::global_store_sectors>,
                                    counter<&Counters::global_store_requests>>,
    wavefronts_per_shared_request =
        quotient_of<counter<&Counters::shared_wavefronts>, counter<&Counters::shared_requests>>,
    barriers_per_block = quotient_of<counter<&Counters::barriers>, counter<&Counters::blocks>>,
    memory_requests =
        sum_of<counter<&Counters::global_load_requests>, counter<&Counters::global_store_requests>>;

// from the counters of a GPU the mean of its blocks
inline std::optional<double> barriers_per_thread(const Cell& cell) {
  const auto counted = counter<&Counters::barriers_per_thread>(cell);
  return counted ? counted : barriers_per_block(cell);
}

}  // namespace ladder::reports
