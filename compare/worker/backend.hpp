// Everything that a backend has to define. A worker program links this folder, the operations, the
// rungs and the definitions of one backend. The linker names a missing definition.
//
//   every backend         ladder::backend   memory of the device, and its name:
//   compare/backend.hpp, which rungs see too
//                         ladder::probe     the machine and its ceilings: describe(), limits(),
//                                           contracts(), replay(), run_together(), mover()
//   with a clock          ladder::clock     the time of a run; worker/measure.cpp, the library
//   worker_timed, defines the rest of probe from it
//                         ladder::counters  the counters in the hardware; where they cannot be
//                         read, unavailable() says so
//   with counts           ladder::probe     all of it, and counters::unavailable()
//
// compare/host/ is the shortest example of a backend with a clock. compare/emulated/ is the backend
// with counts.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/backend.hpp"
#include "compare/operation.hpp"
#include "compare/protocol.hpp"
#include "compare/registry.hpp"
#include "compare/worker/movement.hpp"
#include "reports/model/model.hpp"

// Every backend: the machine.
namespace ladder {
class Trees;
}

namespace ladder::probe {

// Fills in the fields that this backend knows.
void describe(reports::Machine& machine, reports::Software& software);

// What is at best to be had here; nothing on a backend without a clock.
struct Limits {
  // how fast memory is read, copied and written, from memory and from the cache; of several devices
  // that reach each other, how fast one does it in the memory of another
  std::vector<reports::Ceiling> ceilings;
  // what the clock shows for nothing; how long a flag to another device takes
  std::vector<reports::Overhead> overheads;
};
Limits limits(unsigned devices);

// Null where the backend does not measure the limit of an input.
const Mover* mover();

// The contracts that it times, the usual one first; none where it counts.
std::vector<Contract> contracts();

// Makes one unit of several runs, and replays it: `replays` times before(), the unit, and after()
// when it is over. On a GPU it is a graph. False where the runs cannot be captured: a call that
// waits for its stream cannot, nor can any where nothing is enqueued.
bool replay(Prepared& prepared, unsigned runs, unsigned replays,
            const std::function<void()>& before, const std::function<void()>& after);

// An implementation and what it reads.
struct Instance {
  Prepared& prepared;
  std::vector<std::span<std::byte>> inputs;
};

// Runs all, several times in a row and at the same time, and returns when it is over. Where nothing
// is enqueued they take turns. On a GPU each has a stream, in which two launches before each run
// change its input and change it back. The second one takes its time, and lets the launch after it
// begin early (LaunchShape::early), which has to wait for it. Each has run before: the first run of
// a kernel loads it, and the driver may wait for every stream to do so, also for one that is held.
void run_together(const std::vector<Instance>& instances, unsigned runs);

// run_together() where nothing runs at the same time.
inline void take_turns(const std::vector<Instance>& instances, unsigned runs) {
  for (unsigned k = 0; k < runs; ++k) {
    for (const Instance& one : instances) {
      one.prepared.restore({});
      one.prepared.run({});
    }
  }
  for (const Instance& one : instances) one.prepared.wait({});
}

}  // namespace ladder::probe

// A backend with a clock.
namespace ladder::clock {

// The stream that every timed run uses.
Stream stream();

// Brings the cache into the state the sample asks for: cold (nothing of the input left) or warm (as
// the last run left it). devices: Prepared's.
void treat_cache(reports::Cache cache, unsigned devices);

// Throws where the implementation that has just run left L2 lines set aside, so a cold run would
// hit the cache. Takes the lines back.
void inspect();

// Microseconds of one run under the contract; over devices, until the last of them is done. The
// restored input and the cache treatment are complete when the clock starts. Nothing where not all
// of the run was enqueued within `hold`, for which its stream is held. of_devices: gets the time
// until each device of this process is done, where the clock knows it.
std::optional<double> time_us(Prepared& prepared, Problem& problem, Contract contract,
                              std::chrono::seconds hold, std::vector<double>* of_devices = nullptr);

// Whether a run does its work outside its stream, where no event would time it. Enqueues a run
// behind a kernel that holds the stream, and asks is_done(), which may take its time, whether the
// answer is there anyway. Nothing where that took longer than `hold`.
std::optional<bool> works_elsewhere(Prepared& prepared, std::chrono::seconds hold,
                                    const std::function<bool()>& is_done);

// Mean microseconds of one run, where many follow each other without a pause: the time of a run
// that is too short to time alone. The data is in the cache then. Nothing where this clock cannot
// enqueue the runs as one, or they cannot follow each other.
std::optional<double> back_to_back_us(Prepared& prepared, Contract contract);

// The host's clock, or a test's. It decides how long to warm up, whether a check is cheap and when
// a rung's time is over.
std::chrono::steady_clock::time_point now();

// The clocks of the device now; nothing where they are not known.
std::optional<reports::Clocks> clocks();

// What this clock shows for nothing: no kernel, and on a GPU an empty one; for host_result there,
// with a copy of four bytes. It is never subtracted.
std::vector<reports::Overhead> overheads();

// A shorter time is near the resolution of the clock; such cells are flagged below_resolution.
double resolution_us(Contract contract);

}  // namespace ladder::clock

// A backend with a clock: the counters in its hardware.
namespace ladder::counters {

// Why a request for them cannot be served, in one sentence; empty where it can. On every backend.
std::string unavailable();

// The counters of one run; `run` returns when it is done. Not all can be read at once, so it runs
// several times, each after an uncounted `prepare`.
reports::Counters read(const std::function<void()>& prepare, const std::function<void()>& run);

}  // namespace ladder::counters

// A backend with counts: what it finds out by running implementations. For a backend with a clock,
// worker/measure.cpp defines these.
namespace ladder::probe {

// A probe reports its progress to the driver through these.
struct Reporter {
  std::function<void(std::string_view path)> begin;
  std::function<void(const protocol::Sample&)> sample;
  std::function<void(const protocol::MeasuredCell&)> cell;
};

// A rung of the request, and the problem that it is to solve: of data over devices, rungs that know
// of no other have one with all of it on the first.
struct Entry {
  const Implementation* rung;
  Problem* problem;
};

// Runs every rung of the request, and verifies its answers. What it times is constructed together
// and takes turns.
void measure(const protocol::MeasureRequest& request, const std::vector<Entry>& entries,
             Trees& trees, const Reporter& report);

// Runs every rung of the request under the checker, on a problem of its own. asked_where: says
// where a kernel is, if the driver asks by SIGURG. Throws std::invalid_argument on backends that
// cannot check.
void check(const protocol::CheckRequest& request, const Kind& kind,
           const std::vector<const Implementation*>& rungs,
           const std::function<void(std::string_view path)>& begin,
           const std::function<void(const protocol::Checked&)>& checked,
           const std::function<void(const std::string& where)>& asked_where);

// Chooses the order in which threads run from here on; does nothing on backends that cannot choose.
void set_schedule(std::uint64_t schedule);

// Applications of Height to two elements in `run`; nothing on backends that cannot count.
std::optional<std::uint64_t> count_joins(const std::function<void()>& run);

}  // namespace ladder::probe
