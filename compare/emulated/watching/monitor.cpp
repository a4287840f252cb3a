#include "compare/emulated/watching/monitor.hpp"

#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/emulated/memory/shared_memory.hpp"

namespace ladder::emulated {

Monitor monitor;

void Monitor::begin(std::uint64_t /*seed*/) {
  program_ = find_program();
  shared_memory.statics.lies_at(program_.thread_locals.begin, program_.thread_locals.size());
}

void Monitor::begin_block(unsigned slot) {
  shared_memory.begin_block(slot, scheduler.grid().shared_bytes);
}

void Monitor::select(unsigned slot) {
  shared_memory.select(slot);
}

std::optional<Location> Monitor::locate(const MemoryAccess& access) {
  checker.settle();
  if (access.needs_alignment && access.address % access.size != 0)
    stop(access, FaultKind::misaligned);
  if (arena.contains(access.address)) {
    if (!arena.holds(access.address, access.size)) stop(access, FaultKind::out_of_bounds);
    return Location{global_memory, access.address};
  }
  if (const auto location = shared_location(access.address)) {
    const auto& [space, address] = *location;
    if (space.slot != scheduler.running().slot && !scheduler.is_of_cluster(space.slot))
      stop(access, FaultKind::foreign_shared);
    refuse_past_end(access, *location);
    if (access.access != Access::load && shared_memory.statics.contains(address))
      shared_memory.statics.stored(space.slot, address, access.size);
    return location;
  }
  if (program_.variables.contains(access.address)) {
    const bool is_inside = checker.active()
                               ? checker.is_variable(access.address, access.size)
                               : program_.variables.contains(access.address + access.size - 1);
    if (!is_inside) stop(access, FaultKind::out_of_variable);
    return Location{global_memory, access.address};  // a __device__ variable
  }
  if (!program_.whole.contains(access.address)) stop(access, FaultKind::foreign_memory);
  return {};
}

void Monitor::refuse_past_end(const MemoryAccess& access, const Location& shared) {
  const StaticShared& statics = shared_memory.statics;
  const auto& [space, address] = shared;
  if (!statics.contains(address)) {
    if (address - shared_memory.dynamic(space.slot) + access.size > scheduler.grid().shared_bytes)
      stop(access, FaultKind::out_of_shared);
    return;
  }
  const bool is_inside = checker.active()
                             ? checker.is_static_shared(address - statics.begin(), access.size)
                             : statics.contains(address + access.size - 1);
  if (!is_inside) stop(access, FaultKind::out_of_static_shared);
}

std::optional<Location> Monitor::shared_location(std::uintptr_t address) const {
  return shared_memory.locate(address, scheduler.grid().cluster > 1);
}

std::optional<Location> Monitor::shared_location(const void* pointer) const {
  return shared_location(address_of(pointer));
}

void Monitor::access(const MemoryAccess& access) {
  const auto location = locate(access);
  if (!location) return;
  count(access, location->space);
  check(access, *location);
}

void Monitor::count(const MemoryAccess& access, Space space) {
  if (traffic.active())
    traffic.access(scheduler.current / lanes_per_warp, scheduler.current % lanes_per_warp, access,
                   space);
}

void Monitor::check(MemoryAccess access, const Location& location) {
  if (!checker.active()) return;
  access.address = location.address;
  checker.access(scheduler.current, access, location.space);
}

Location Monitor::touch(const void* barrier, std::size_t size, const Place& place) {
  const MemoryAccess access{.access = Access::atomic,
                            .address = address_of(barrier),
                            .size = size,

                            .place = place};
  const auto location = locate(access);
  if (!location) stop(access, FaultKind::foreign_memory);
  check(access, *location);
  return *location;
}

Location Monitor::copy(Access access, const void* memory, std::size_t size, bool in_bulk,
                       const CopyId& id, const Place& place) {
  MemoryAccess half{.access = access,
                    .address = address_of(memory),
                    .size = size,
                    .place = place,
                    .needs_alignment = false};
  const auto location = locate(half);
  if (!location) stop(half, FaultKind::foreign_memory);
  if (!in_bulk) count(half, location->space);
  else if (traffic.active()) traffic.copy_in_bulk(half, location->space);
  half.address = location->address;
  if (checker.active()) checker.copy(scheduler.current, half, location->space, id, in_bulk);
  return *location;
}

void Monitor::copied(const void* to, const void* from, std::size_t size) {
  if (!checker.active()) return;
  const auto location = [&](const void* pointer) {
    const auto address = address_of(pointer);
    return arena.contains(address) ? Location{global_memory, address} : shared_location(address);
  };
  if (const auto a = location(to), b = location(from); a && b) checker.copied(*a, *b, size);
}

void Monitor::stop(const MemoryAccess& access, FaultKind kind) {
  std::uintptr_t address = access.address;  // or where the block itself has that memory
  if (const auto location = shared_location(address)) {
    address = location->address;
    if (!shared_memory.statics.contains(address))
      address += shared_memory.dynamic() - shared_memory.dynamic(location->space.slot);
  }
  scheduler.stop({.kind = kind,
                  .place = access.place,
                  .address = address,
                  .size = access.size,
                  .write = access.access != Access::load});
}

}  // namespace ladder::emulated
