#include "compare/emulated/worker/control.hpp"

#include <fmt/format.h>

#include "compare/emulated/checking/findings.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/source_line.hpp"
#include "compare/emulated/watching/monitor.hpp"

namespace ladder::emulated {

void set_schedule(std::uint64_t seed) {
  scheduler.set_schedule(seed);
}

Counts count(const std::function<void()>& run) {
  struct Counting {
    Counting() { monitor.start_counting(); }
    ~Counting() { monitor.stop_counting(); }  // after a fault too
  };
  const Counting counting;
  run();
  return monitor.counts();
}

Checking::Checking() {
  monitor.checker.start();
}

Checking::~Checking() {
  monitor.checker.stop();
}

void Checking::call_arrays(std::string_view first, std::string_view others) {
  monitor.checker.call_arrays(first, others);
}

void Checking::unwritten(std::string_view array) {
  monitor.checker.unwritten(array);
}

std::uint64_t Checking::accesses() const {
  return monitor.checker.accesses();
}

std::string Checking::absent_lanes() const {
  const auto& place = monitor.checker.absent_lanes();
  return place ? source_line(*place) : "";
}

void Checking::forget_findings() {
  monitor.checker.forget_findings();
}

std::vector<Finding> Checking::findings() const {
  auto all = monitor.checker.findings();
  std::erase_if(all, [](const Finding& finding) { return finding.is_remark(); });
  return all;
}

std::vector<Finding> Checking::remarks() const {
  auto all = monitor.checker.findings();
  std::erase_if(all, [](const Finding& finding) { return !finding.is_remark(); });
  return all;
}

std::string Checking::older_values() const {
  const auto& older = monitor.checker.older_found();
  return older ? fmt::format("{} may miss the store in {}", source_line(older->read),
                             source_line(older->store))
               : "";
}

std::uint64_t count_joins(const std::function<void()>& run) {
  const std::uint64_t before = monitor.joins();
  run();
  return monitor.joins() - before;
}

}  // namespace ladder::emulated
