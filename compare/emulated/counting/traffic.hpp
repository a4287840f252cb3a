// Counts the memory traffic of kernels as a GPU would see it: in warp-wide requests, 32-byte
// sectors of global memory and passes through the banks of shared memory.
//
// The hooks report one lane's access at a time, lanes run one after another, and a warp's accesses
// belong to one request where the hardware would have issued them together. That is: the same warp,
// the same instruction (return address of the hook, or the line of an atomic), the same kind of
// memory, and the same how-many-eth execution of it by the lane since the warp last converged, at a
// block barrier or at a warp intrinsic of all its lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "compare/emulated/counting/counts.hpp"
#include "compare/emulated/machine/observer.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

// Counts what the kernels launched by `run` do. The counts are the same under every schedule, where
// what threads do does not depend on it.
Counts count(const std::function<void()>& run);

namespace traffic {

extern Counts counts;
// Applications of Height to two elements, counted always: it costs nothing.
extern std::uint64_t joins;

bool active();
Observer& observer();

void access(unsigned warp, unsigned lane, const MemoryAccess& access, Space space);
void copy_in_bulk(const MemoryAccess& access, Space space);  // no lane's
void copied_by_host(const void* to, const void* from, std::size_t bytes);

}  // namespace traffic
}  // namespace ladder::emulated
