// What happens in a run, one event after the other: what a worker tells, and what becomes of it. A
// run goes on from its events, live or read back from its journal.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "compare/protocol.hpp"

namespace ladder::event {

// A backend has told its ceilings and overheads.
struct Limits {
  reports::Backend backend = reports::Backend::host;
  std::vector<reports::Ceiling> ceilings;
  std::vector<reports::Overhead> overheads;

  LADDER_FIELDS(backend, ceilings, overheads)
};

// A group begins in a process.
struct Start {
  std::size_t group = 0;
  unsigned process = 0;

  LADDER_FIELDS(group, process)
};

struct Sampled {
  std::size_t group = 0;
  unsigned process = 0;
  protocol::Sample sample;

  LADDER_FIELDS(group, process, sample)
};

struct Measured {
  std::size_t group = 0;
  unsigned process = 0;
  protocol::MeasuredCell cell;

  LADDER_FIELDS(group, process, cell)
};

// A rung lost with its worker: the worker ended, fell silent, sent a malformed reply, or refused
// the request.
struct Lost {
  std::size_t group = 0;
  std::string path;
  reports::Verdict verdict = reports::Verdict::crashed;
  std::string reason;

  LADDER_FIELDS(group, path, verdict, reason)
};

// Nothing of a group is left to do in this process.
struct Done {
  std::size_t group = 0;
  unsigned process = 0;

  LADDER_FIELDS(group, process)
};

// The set with this id is written next to the journal: it is about to be, or it is there and
// nothing is left to do.
struct Written {
  std::string id;
  bool finished = false;

  LADDER_FIELDS(id, finished)
};

}  // namespace ladder::event

namespace ladder {

using Event = std::variant<event::Limits, event::Start, event::Sampled, event::Measured,
                           event::Lost, event::Done, event::Written>;

json to_line(const Event& event);

// Throws std::invalid_argument where a value in it is not one that the schema of results allows.
void require_fit(const json& line);

// Throws std::invalid_argument for what is none or does not fit, or a json::exception.
Event from_line(const json& line);

}  // namespace ladder
