// The clock of a backend that has one (cuda, host): what worker/measure.cpp times with.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "compare/contract.hpp"
#include "compare/operation.hpp"

namespace ladder::clock {

Stream stream();  // the stream that every timed run uses

std::vector<Contract> contracts();  // that it times

// Brings the cache into the state the sample asks for: "cold" (nothing of the input left) or "warm" (as the last run left it).
void treat_cache(std::string_view cache);

// Microseconds of one run under the contract. The restored input and the cache treatment are complete when the clock starts.
double time_us(Prepared& prepared, Problem& problem, Contract contract);

// A time under this is near what the clock can tell apart; such cells are flagged below_resolution.
double resolution_us(Contract contract);

// Data that fits in here may never reach memory again; such cells are flagged fits_in_cache.
std::uint64_t last_level_cache_bytes();

}  // namespace ladder::clock
