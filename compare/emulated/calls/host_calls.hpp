// What CUDA's calls for host code ask of the runtime (language/host_calls.hpp). `name` is that of
// the call; messages also name the line that they return to.
#pragma once

#include <cstddef>

#include "compare/backend.hpp"

namespace ladder::emulated {

// Enqueued in the stream of a device, else over on return. Each array is a device's or the host's.
void copy(const char* name, void* to, const void* from, std::size_t bytes, Stream stream);
void fill(const char* name, void* to, int value, std::size_t bytes, Stream stream);
// Not while a run is enqueued.
void* allocate(const char* name, std::size_t bytes, bool on_host);
void release(const char* name, void* array);
// Until all work is over. instead: what an operator() calls in its place; null: nothing.
void wait(const char* name, const char* instead = nullptr);

}  // namespace ladder::emulated
