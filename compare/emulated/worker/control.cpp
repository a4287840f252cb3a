#include "compare/emulated/worker/control.hpp"

#include "compare/emulated/counting/traffic.hpp"
#include "compare/emulated/machine/scheduler.hpp"

namespace ladder::emulated {

void set_schedule(std::uint64_t seed) {
  scheduler.set_schedule(seed);
}

Counts count(const std::function<void()>& run) {
  struct Counting {
    Counting() { traffic.start(); }
    ~Counting() { traffic.stop(); }  // after a fault too
  };
  const Counting counting;
  run();
  return traffic.counts;
}

std::uint64_t count_joins(const std::function<void()>& run) {
  const std::uint64_t before = traffic.joins;
  run();
  return traffic.joins - before;
}

}  // namespace ladder::emulated
