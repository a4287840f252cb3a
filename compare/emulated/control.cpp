#include "compare/emulated/control.hpp"

#include "compare/emulated/monitor.hpp"
#include "compare/emulated/scheduler.hpp"

namespace ladder::emulated {

void set_schedule(std::uint64_t seed) {
  scheduler.set_schedule(seed);
}
void start_counting() {
  monitor.start_counting();
}
Counts stop_counting() {
  return monitor.stop_counting();
}

}  // namespace ladder::emulated
