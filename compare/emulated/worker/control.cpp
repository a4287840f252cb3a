#include "compare/emulated/worker/control.hpp"

#include <fmt/format.h>

#include "compare/emulated/checking/checker.hpp"
#include "compare/emulated/counting/traffic.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/source_line.hpp"

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

Checking::Checking() {
  checker.start();
}

Checking::~Checking() {
  checker.stop();
}

void Checking::call_arrays(std::string_view first, std::string_view others) {
  checker.call_arrays(first, others);
}

void Checking::unwritten(std::string_view array) {
  checker.unwritten(array);
}

std::uint64_t Checking::accesses() const {
  return checker.accesses();
}

void Checking::forget_findings() {
  checker.forget_findings();
}

std::vector<Finding> Checking::findings() const {
  return checker.findings(false);
}

std::vector<Finding> Checking::remarks() const {
  return checker.findings(true);
}

std::string Checking::absent_lanes() const {
  const auto& place = checker.absent_lanes();
  return place ? source_line(*place) : "";
}

std::string Checking::older_values() const {
  const auto& older = checker.older_found();
  return older ? fmt::format("{} may miss the store in {}", source_line(older->read),
                             source_line(older->store))
               : "";
}

}  // namespace ladder::emulated
