#include "reports/numbers/metrics.hpp"

namespace ladder::reports {
namespace {

std::optional<double> sum(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::optional<double> quotient(std::optional<double> above, std::optional<double> below) {
  return above && below && *below > 0 ? std::optional(*above / *below) : std::nullopt;
}

}  // namespace

std::optional<double> traffic_over_minimum(const Cell& cell) {
  return quotient(sum(counter<&Counters::global_load_bytes>(cell),
                      counter<&Counters::global_store_bytes>(cell)),
                  static_cast<double>(cell.minimum_bytes.total()));
}

std::optional<double> dram_over_minimum(const Cell& cell) {
  return quotient(
      sum(counter<&Counters::dram_read_bytes>(cell), counter<&Counters::dram_write_bytes>(cell)),
      static_cast<double>(cell.minimum_bytes.total()));
}

std::optional<double> bytes_between_devices(const Cell& cell) {
  return sum(counter<&Counters::peer_load_bytes>(cell), counter<&Counters::peer_store_bytes>(cell));
}

std::optional<double> sector_use(const Cell& cell) {
  constexpr double sector_bytes = 32;
  const auto use = quotient(sum(counter<&Counters::global_load_bytes>(cell),
                                counter<&Counters::global_store_bytes>(cell)),
                            sum(counter<&Counters::global_load_sectors>(cell),
                                counter<&Counters::global_store_sectors>(cell)));
  return use ? std::optional(*use / sector_bytes) : std::nullopt;
}

std::optional<double> sectors_per_load(const Cell& cell) {
  return quotient(counter<&Counters::global_load_sectors>(cell),
                  counter<&Counters::global_load_requests>(cell));
}

std::optional<double> sectors_per_store(const Cell& cell) {
  return quotient(counter<&Counters::global_store_sectors>(cell),
                  counter<&Counters::global_store_requests>(cell));
}

std::optional<double> wavefronts_per_shared_request(const Cell& cell) {
  return quotient(counter<&Counters::shared_wavefronts>(cell),
                  counter<&Counters::shared_requests>(cell));
}

std::optional<double> barriers_per_block(const Cell& cell) {
  return quotient(counter<&Counters::barriers>(cell), counter<&Counters::blocks>(cell));
}

std::optional<double> barriers_per_thread(const Cell& cell) {
  return cell.counters() && cell.counters()->barriers_per_thread
             ? cell.counters()->barriers_per_thread
             : barriers_per_block(cell);
}

std::optional<double> memory_requests(const Cell& cell) {
  return sum(counter<&Counters::global_load_requests>(cell),
             counter<&Counters::global_store_requests>(cell));
}

}  // namespace ladder::reports
