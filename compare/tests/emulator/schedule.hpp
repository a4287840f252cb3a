// The order in which threads run.
#pragma once

#include <cstdint>

#include "compare/emulated/worker/control.hpp"

namespace ladder {

// Sets a schedule for one scope.
class Schedule {
 public:
  explicit Schedule(std::uint64_t seed) { emulated::set_schedule(seed); }
  Schedule(const Schedule&) = delete;
  ~Schedule() { emulated::set_schedule(0); }
};

}  // namespace ladder
