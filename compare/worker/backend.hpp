// The page for whoever writes a backend: everything that one has to define. A worker program is this folder, the operations, the rungs and the
// definitions of one backend; what is missing, the linker names.
//
//   every backend         ladder::backend   memory of the device, and its name: compare/backend.hpp, which rungs see too
//                         ladder::probe     the machine and its limits: describe(), ceilings()
//   one that has a clock  ladder::clock     what a run takes; worker/measure.cpp, the library worker_timed, defines the rest of probe from it
//                         ladder::counters  the counters in the hardware; where they cannot be read, unavailable() says so
//   one that counts       ladder::probe     all of it
//
// compare/host/ is the shortest example of a backend that has a clock, compare/emulated/ is the one that counts.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/backend.hpp"
#include "compare/contract.hpp"
#include "compare/operation.hpp"
#include "compare/protocol.hpp"
#include "compare/worker/trees.hpp"
#include "reports/model.hpp"

// Every backend: the machine.
namespace ladder::probe {

// Fills in the fields of both that this backend knows.
void describe(reports::Machine& machine, reports::Software& software);

// How fast memory can be read, copied and written here, from memory and from the cache; none on a backend without a clock.
std::vector<reports::Ceiling> ceilings();

}  // namespace ladder::probe

// A backend that has a clock.
namespace ladder::clock {

// The stream that every timed run uses.
Stream stream();

// The contracts that it times, the usual one first.
std::vector<Contract> contracts();

// Brings the cache into the state the sample asks for: cold (nothing of the input left) or warm (as the last run left it).
void treat_cache(reports::Cache cache);

// Throws where the implementation that has just run left L2 lines set aside, so a cold run would hit the cache. Takes the lines back.
void inspect();

// Microseconds of one run under the contract. The restored input and the cache treatment are complete when the clock starts.
double time_us(Prepared& prepared, Problem& problem, Contract contract);

// Whether a run does its work outside the stream that it is given, where no event would time it: enqueues one behind a kernel that holds the stream,
// and asks is_done(), which may take its time, whether the answer is there all the same.
bool works_elsewhere(Prepared& prepared, const std::function<bool()>& is_done);

// Mean microseconds of one run, where many follow each other without a pause: what a run is worth that is too short to time alone. The data is in the
// cache then. Nothing where this clock cannot enqueue them as one, or the runs cannot follow each other.
std::optional<double> back_to_back_us(Prepared& prepared, Contract contract);

// What decides how long to warm up, whether a check is cheap and when a rung's time is over: the host's clock, or that of a test.
std::chrono::steady_clock::time_point now();

// What drives whatever runs now; nothing where that is not known.
std::optional<reports::Clocks> clocks();

// What this clock shows where nothing is timed, or next to nothing: part of every time, and never subtracted.
std::vector<reports::Overhead> overheads();

// A time under this is near what the clock can tell apart; such cells are flagged below_resolution.
double resolution_us(Contract contract);

// Data that fits in here may never reach memory again; such cells are flagged fits_in_cache.
std::uint64_t last_level_cache_bytes();

}  // namespace ladder::clock

// A backend that has a clock: the counters in its hardware.
namespace ladder::counters {

// Why they cannot be read, in one sentence; empty where they can.
std::string unavailable();

// Those of one run, which is done when it returns. Not all can be read at once, so there are several, each after a `prepare` that is not counted.
reports::Counters read(const std::function<void()>& prepare, const std::function<void()>& run);

}  // namespace ladder::counters

// A backend that counts: what it finds out by running implementations. For one with a clock, worker/measure.cpp defines these.
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

// What the clock shows where nothing is timed; none without a clock.
std::vector<reports::Overhead> overheads();

// The contracts that it times; none where it counts.
std::vector<Contract> contracts();

// Why a request for counters cannot be served; empty where it can.
std::string counters_unavailable();

}  // namespace ladder::probe
