// A backend of plain memory, which ends where a test says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace ladder::tests {

extern std::size_t device_bytes;  // larger allocations do not fit
extern std::uint64_t schedule;    // what probe::set_schedule was last told
extern bool can_capture;          // whether probe::replay can
// whether probe::run_together runs: on a GPU, its streams are held
extern bool are_held;
extern std::size_t fetched_bytes;              // by the host, from the device's memory
extern unsigned questions;                     // of the host to the device, which it waits for
extern std::function<void()> before_download;  // called, if it is set

}  // namespace ladder::tests
