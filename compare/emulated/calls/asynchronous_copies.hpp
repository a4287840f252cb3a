// What the runtime asks about asynchronous copies, besides the kernels' calls (asynchronous.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "compare/emulated/machine/observer.hpp"

namespace ladder::emulated {

Observer& asynchronous_copies();

// "phase 3 of a barrier, where 2 arrivals and 128 bytes are missing"; empty where there is no
// barrier at the address.
std::string barrier_in_words(std::uintptr_t address);

}  // namespace ladder::emulated
