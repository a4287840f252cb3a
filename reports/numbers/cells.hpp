// What every format needs to know of cells: their names, which of them tell most, and what follows
// from their counters.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "reports/model/model.hpp"
#include "reports/text/lists.hpp"

namespace ladder::reports {

// Until the result is in the GPU's memory, from cold caches: how kernels are compared.
inline constexpr How cold_on_gpu{Backend::cuda, Contract::device_result, Cache::cold};

// Whether a cell ran there.
inline auto of_backend(Backend backend) {
  return [backend](const Cell& cell) { return cell.how.backend == backend; };
}

bool has_flag(const Cell& cell, std::string_view flag);

bool any_timed(const Cells& cells, Backend backend);

// 0: none is over devices, and none is a reference of such
unsigned most_devices_of(const Cells& cells);

bool has_failed(const Cell& cell);  // a wrong answer that was to be right, or none

bool is_library(const Cell& cell);
bool is_limit(const Cell& cell);  // of Results::limits
bool has_share_of_limit(const Cell& cell);
// The one with the shortest time; null where none has one.
const Cell* fastest_of(const Cells& cells);

// the ratios of the others are against it, so it has none itself
bool is_fastest_library(const Cell& cell);

// Calls whose result ends up on the host when they end: they have no other time on a GPU, whatever
// was timed at a size.
class HostOnly {
 public:
  explicit HostOnly(const Cells& cells);
  bool contains(const Cell& cell) const;

 private:
  std::set<std::tuple<std::string, Who, Contract>> timed_;  // on the GPU
};

}  // namespace ladder::reports
