// The clock of a backend that has one (cuda, host): what worker/measure.cpp times with.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "compare/backend.hpp"
#include "compare/contract.hpp"
#include "compare/operation.hpp"
#include "reports/model.hpp"

namespace ladder::clock {

Stream stream();  // the stream that every timed run uses

std::vector<Contract> contracts();  // that it times

// Brings the cache into the state the sample asks for: "cold" (nothing of the input left) or "warm" (as the last run left it).
void treat_cache(std::string_view cache);

// Throws where the implementation that has just run left something behind that makes its data come faster than memory gives it, and removes that.
void inspect();

// What an implementation that ran before left behind is nobody's fault now.
inline void forget_what_was() {
  try {
    inspect();
  } catch (const backend::DeviceLost&) {
    throw;
  } catch (const std::exception&) {
  }
}

// What decides how long to warm up, whether a check is cheap and when a rung's time is over: the host's clock, or that of a test.
std::chrono::steady_clock::time_point now();

// Microseconds of one run under the contract. The restored input and the cache treatment are complete when the clock starts.
double time_us(Prepared& prepared, Problem& problem, Contract contract);

// Whether a run does its work outside the stream that it is given, where no event would time it: enqueues one behind a kernel that holds the stream,
// and asks is_done(), which may take its time, whether the answer is there all the same.
bool works_elsewhere(Prepared& prepared, const std::function<bool()>& is_done);

// Mean microseconds of one run, where many follow each other without a pause: what a run is worth that is too short to time alone. The data is in the
// cache then. Nothing where this clock cannot enqueue them as one, or the runs cannot follow each other.
std::optional<double> back_to_back_us(Prepared& prepared, Contract contract);

// What drives whatever runs now; nothing where that is not known.
std::optional<reports::Clocks> clocks();

// What this clock shows where nothing is timed, or next to nothing: part of every time, and never subtracted.
std::vector<reports::Overhead> overheads();

// A time under this is near what the clock can tell apart; such cells are flagged below_resolution.
double resolution_us(Contract contract);

// Data that fits in here may never reach memory again; such cells are flagged fits_in_cache.
std::uint64_t last_level_cache_bytes();

}  // namespace ladder::clock
