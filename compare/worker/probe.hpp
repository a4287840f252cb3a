// What a worker can find out by running implementations. Defined once in each worker program: by emulated/probe.cpp, which counts, or by
// worker/measure.cpp, which times on top of the backend's clock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compare/contract.hpp"
#include "compare/operation.hpp"
#include "compare/protocol.hpp"
#include "compare/worker/trees.hpp"

namespace ladder::probe {

// Where a probe tells the driver what it is doing, as it goes.
struct Reporter {
  std::function<void(std::string_view path)> begin;
  std::function<void(const protocol::Sample&)> sample;
  std::function<void(const protocol::MeasuredCell&)> cell;
};

// Runs every rung of the request on `problem`, each verified before and after it is measured. Competitors are constructed together and interleaved.
void measure(const protocol::MeasureRequest& request, Problem& problem, const std::vector<const Implementation*>& rungs, Trees& trees,
             const Reporter& report);

// Runs every rung of the request under the checker, on a problem of its own. Throws std::invalid_argument on backends that cannot check.
void check(const protocol::CheckRequest& request, const Kind& kind, const std::vector<const Implementation*>& rungs,
           const std::function<void(std::string_view path)>& begin, const std::function<void(const protocol::Checked&)>& checked);

// Chooses the order in which threads run from here on; does nothing on backends that cannot choose.
void set_schedule(std::uint64_t schedule);

// Applications of Height to two elements in `run`; nothing on backends that cannot count.
std::optional<std::uint64_t> count_joins(const std::function<void()>& run);

void describe(reports::Machine& machine, reports::Software& software);
std::vector<reports::Ceiling> ceilings();
std::vector<reports::Overhead> overheads();
std::vector<Contract> contracts();   // that it times; none where it counts
std::string counters_unavailable();  // why a request for counters cannot be served; empty where it can

}  // namespace ladder::probe
