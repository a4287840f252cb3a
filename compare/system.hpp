// What Linux says about this machine.
#pragma once

#include <cstdint>
#include <string>

namespace ladder::host {

std::string cpu_model();
// that this process may use: fewer where a job of a cluster has a part of its host
unsigned cores();
std::uint64_t total_memory();
// without driving the machine into swap, or a container over its limit
std::uint64_t available_memory();

// All caches of the highest level together: a processor of many dies has one for each. 32 MiB where
// the machine does not say.
std::uint64_t last_level_cache_bytes();

std::string os_name();      // "Debian GNU/Linux 12 (bookworm)"
std::string kernel_name();  // "Linux 6.1.0"

}  // namespace ladder::host
