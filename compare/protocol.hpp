// How the driver and a worker program talk: one JSON object a line, requests on the worker's
// standard input, replies on its standard output. A worker prints nothing else there (what a kernel
// prints goes to standard error), and ends when its input does.
//
//   {"do":"list"} -> {"implementations":[..], "operations":[..], "kinds":[..], "contracts":[..],
//                     "has_limit":true, "devices":2, "left_out":[..]}
//       of Listing, reports::Operation and OperationListing; contracts: those it times; has_limit:
//       whether it measures the limit of an input (worker/limit.hpp); devices: that can work
//       together; left_out: LeftOut of registry.hpp, {"file":"..", "reason":"..",
//       "is_error":false}
//   {"do":"describe"} -> {"machine":{..}, "software":{..}}
//       the fields of reports::Machine and Software that this backend knows
//   {"do":"limits", "devices":2} -> {"ceilings":[..], "overheads":[..]}
//       reports::Ceiling, reports::Overhead; empty for the emulated backend. Of two devices and
//       more, those between them too
//   {"do":"new group"} -> {"group":"a name"}
//       for processes that have one device each of a team; one of them makes it
//   {"do":"join", "group":"a name", "rank":0, "ranks":2} -> {"joined":true}
//       when all have joined. Then every request goes to all of them. What they decide they decide
//       together: whether an answer is right, and how long a run took, which is the time of the
//       last one
//   {"do":"counters"} -> {"unavailable":"one sentence"}
//       why the hardware's counters cannot be read; empty where they can
//   {"do":"verify", ..VerifyRequest} -> for each rung {"begin":path} {"answer":{..}},
//                                       then {"done":true}
//       "verify replayed" and "verify together" run the rungs in other ways (verify.hpp)
//   {"do":"check", ..CheckRequest} -> for each rung {"begin":path} {"checked":{..}},
//                                     then {"done":true}
//       the emulated backend alone can
//   {"do":"measure", ..MeasureRequest} -> {"begin":path} and {"sample":{..}} as it goes,
//                                         {"cell":{..}} for each rung, then {"done":true}
//
// A request that it cannot serve gives {"error":"one sentence"}. A device that is lost to it gives
// {"lost":"one sentence"}, and it ends.
//
// Whatever was begun last is in flight: if the worker dies or is silent for too long, the driver
// blames that rung and goes on without it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compare/operation.hpp"
#include "reports/model/json.hpp"

namespace ladder::protocol {

// One implementation, over all its element types and operators: an element of `ladder list --json`,
// and of the reply to "list".
struct Listing : reports::Rung {
  std::string path;
  std::vector<std::string> operators;  // empty where the operation has none
  std::vector<std::string> dtypes;
  std::vector<reports::Backend> backends;
  std::vector<reports::Contract> contracts;  // that it can run under, on whatever backend
  std::string needs;                         // "requires" in JSON
  std::uint64_t max_elements = 0;
  std::string max_reason;
  bool same_bits_every_run = true;
  bool expected_wrong = false;
  bool over_devices = false;  // it takes data that is spread over devices
  bool collective = false;    // .. each of which may be of another process

  static void fields(auto& self, const auto& field) {
    Rung::fields(self, [&](const char* name, auto& member, const reports::FieldFacts& = {}) {
      field(name, member);  // also where a file leaves it out
    });
    LADDER_EACH_FIELD(operators, path, dtypes, backends, contracts, max_elements, max_reason,
                      same_bits_every_run, expected_wrong, over_devices, collective)
    field("requires", self.needs);
  }
};

// What inputs an operation takes, for one operator and element type.
struct OperationListing {
  std::string operation, op, dtype;
  std::vector<std::string> distributions;  // the usual one first
  unsigned usual_bins = 0, most_bins = 0;  // 0: it has none

  LADDER_FIELDS(operation, op, dtype, distributions, usual_bins, most_bins)
};

struct VerifyRequest {
  ProblemSpec problem;
  reports::Contract contract = reports::Contract::device_result;
  std::vector<std::string> rungs;  // paths; empty: all of this operation, operator and type
  unsigned repeats = 1;            // runs in a row on one prepared implementation, each checked
  std::vector<std::uint64_t> schedules = {
      // emulated backend: one round of repeats for each. 0: run each thread to its next barrier;
      // other: a seed
      0};

  LADDER_FIELDS(problem, contract, rungs, repeats, schedules)
};

struct Answer {
  std::string path;
  bool pass = false;
  std::string reason;
  double ulp_max = 0, relative = 0, bound = 0;
  bool bounded = true;
  // the result's bytes of the last run, in hexadecimal; outputs over 64 KiB: "checksum:<hex>"
  std::string output;
  std::string output_type = {};  // of its elements; empty: integers, or a checksum
  bool same_bits = true;         // every run of this request gave the same output
  bool skipped = false;          // not run: reason says why (over max_elements, out of memory)
  bool unsupported = false;      // skipped for what this backend cannot do

  LADDER_FIELDS(path, pass, reason, ulp_max, relative, bound, bounded, output, output_type,
                same_bits, skipped, unsupported)
};

// Runs each rung under the checker: a run for each schedule, of one prepared implementation. From
// the second on it has another input of that size.
struct CheckRequest {
  ProblemSpec problem;
  std::vector<std::string> rungs;        // paths; empty: all of this operation, operator and type
  std::vector<std::uint64_t> schedules;  // a run for each
  unsigned multiprocessors = 0;          // the number that kernels are told; 0: the usual one

  LADDER_FIELDS(problem, rungs, schedules, multiprocessors)
};

// What was found, at one pair of source lines.
struct Finding {
  std::string kind = {};  // "race"
  std::string kernel = {};
  std::string line = {}, other_line = {};  // "handwritten/reduce/serial.cu:20"; a race has two
  std::string message = {}, advice = {};   // what happened; what usually mends it
  std::uint64_t times = 0;
  // of several at the same lines the one with the most tells most: its mending mends the others
  unsigned reach = 0;

  LADDER_FIELDS(kind, kernel, line, other_line, message, advice, times, reach)
};

struct Checked {
  std::string path = {};
  bool skipped = false;  // not run, or not to its end: reason says why
  std::string reason = {};
  std::vector<Finding> findings = {};
  std::vector<Finding> remarks = {};  // on what is allowed, and often not meant
  std::uint64_t accesses = 0;         // of threads to memory, as many as the checker looked at
  bool unsupported = false;           // skipped for what this backend cannot do

  LADDER_FIELDS(path, skipped, reason, findings, remarks, accesses, unsupported)
};

struct MeasureRequest {
  ProblemSpec problem;
  // paths; of data over several devices, also of those that have all of it on the first; and that
  // of the limit
  std::vector<std::string> rungs;
  std::optional<reports::Contract> contract;  // null on the emulated backend
  std::optional<reports::Cache> cache;
  std::uint64_t order_seed = 1;  // of the random order in which competitors are interleaved
  unsigned process = 0;          // which of the fresh processes this is; recorded with every sample
  unsigned min_samples = 30, max_samples = 300;
  double max_seconds = 2;  // sampling time for each rung
  bool counters = false;   // read the hardware's counters of one run, and take no time

  LADDER_FIELDS(problem, rungs, contract, cache, order_seed, process, min_samples, max_samples,
                max_seconds, counters)
};

struct Sample {
  std::string path;
  double us = 0;
  unsigned order = 0;  // position in the whole sequence of this request
  unsigned process = 0;

  LADDER_FIELDS(path, us, order, process)
};

struct MeasuredCell {
  std::string path;
  reports::Verdict verdict = reports::Verdict::skipped;  // pass, fail, expected_wrong or skipped
  std::string reason;
  std::vector<std::string> flags;
  reports::Bytes minimum_bytes;
  std::optional<reports::Error> error;
  std::optional<reports::Counters> counters;
  std::optional<std::uint64_t> lost_counts = {};
  std::optional<double> sm_cycles = {};  // median
  std::optional<double> back_to_back_us = {};
  std::vector<double> devices_us = {};  // medians, of each device
  std::optional<reports::Clocks> clocks = {};

  LADDER_FIELDS(path, verdict, reason, flags, minimum_bytes, error, counters, lost_counts,
                sm_cycles, back_to_back_us, devices_us, clocks)
};

}  // namespace ladder::protocol
