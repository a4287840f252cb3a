#include "compare/emulated/worker/control.hpp"

#include "compare/emulated/machine/scheduler.hpp"

namespace ladder::emulated {

void set_schedule(std::uint64_t seed) {
  scheduler::set_schedule(seed);
}

}  // namespace ladder::emulated
