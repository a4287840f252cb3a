#include "compare/emulated/watching/monitor.hpp"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstring>

#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/arena.hpp"

namespace ladder::emulated {

Monitor monitor;

void Monitor::begin(std::uint64_t seed) {
  find_program_memory();
  copies.begin(seed);
  if (checker.active()) checker.begin(seed);
  if (counting_) traffic_.begin();
}

void Monitor::begin_kernel() {
  if (checker.active()) checker.begin_kernel();
  if (counting_) ++traffic_.counts.launches;
}

void Monitor::begin_block(unsigned slot) {
  slot_ = slot;
  const Grid& grid = scheduler.grid();
  while (dynamic_.size() <= slot)
    dynamic_.push_back(std::make_unique_for_overwrite<DynamicShared>());
  // never what the last block left there
  std::memset(dynamic_[slot]->bytes, 0xff, grid.shared_bytes);
  static_shared_.begin_block(slot);
  copies.begin_block(slot, scheduler.number_in(slot));
  if (counting_) traffic_.begin_block(slot, grid.threads);
  if (checker.active()) checker.begin_block(slot);
}

void Monitor::select(unsigned slot) {
  slot_ = slot;
  static_shared_.select(slot);
  copies.select(slot);
  if (counting_) traffic_.select(slot);
  if (checker.active()) checker.select(slot);
}

void Monitor::exit(unsigned warp, unsigned lane) {
  if (counting_) traffic_.exit(warp, lane);
}

void Monitor::barrier(unsigned absent, const Place& place) {
  if (checker.active()) checker.barrier(absent, place);
  if (!counting_) return;
  ++traffic_.counts.barriers;
  traffic_.counts.barrier_arrivals += scheduler.grid().threads - absent;
  traffic_.converge_all();
}

void Monitor::converge(unsigned warp) {
  if (counting_) traffic_.converge(warp);
}

void Monitor::sync_warp(unsigned warp, std::uint32_t lanes) {
  if (checker.active()) checker.sync_warp(warp, lanes);
}

void Monitor::fence(Scope scope) {
  if (checker.active()) checker.fence(scheduler.current, scope);
}

void Monitor::copied_by_host(const void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  if (checker.active()) checker.written(to, bytes);
  if (counting_)
    traffic_.copied(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from),
                    bytes);
}

void Monitor::received(const void* to, std::size_t bytes, std::size_t from_others) {
  if (checker.active()) checker.written(to, bytes);
  if (counting_) traffic_.counts.peer_store_bytes += from_others;
}

// Where the host enqueued it, all arrays were there; memory is released after what uses it.
void Monitor::copy_of_queue(const QueuedCopy& copy, unsigned number, unsigned slot) {
  if (checker.active()) checker.copy_of_queue(copy, number, slot);
  for (const void* const from : copy.from) {
    if (from == copy.from.front()) std::memmove(copy.to, from, copy.bytes);
    else copy.combine(copy.to, from, copy.bytes);
    copied_by_host(copy.to, from, copy.bytes);
  }
}

void Monitor::start_counting() {
  counting_ = true;
  traffic_.counts = {};
}

std::optional<Location> Monitor::locate(const MemoryAccess& access) {
  settle();
  if (access.needs_alignment && access.address % access.size != 0)
    stop(access, FaultKind::misaligned);
  if (arena.contains(access.address)) {
    if (!arena.holds(access.address, access.size)) stop(access, FaultKind::out_of_bounds);
    return Location{global_memory, access.address};
  }
  if (const auto location = shared_location(access.address)) {
    const auto& [space, address] = *location;
    if (space.slot != slot_ && !scheduler.is_of_cluster(space.slot))
      stop(access, FaultKind::foreign_shared);
    if (!static_shared_.contains(address)) {
      if (address - dynamic_shared(space.slot) + access.size > scheduler.grid().shared_bytes)
        stop(access, FaultKind::out_of_shared);
      return location;
    }
    const bool is_inside =
        checker.active() ? checker.is_static_shared(address - static_shared_.begin(), access.size)
                         : static_shared_.contains(address + access.size - 1);
    if (!is_inside) stop(access, FaultKind::out_of_static_shared);
    if (access.access != Access::load) static_shared_.stored(space.slot, address, access.size);
    return location;
  }
  if (variables_.contains(access.address)) {
    const std::uintptr_t last = access.address + access.size - 1;
    if (checker.active() ? !checker.is_variable(access.address, access.size)
                         : !variables_.contains(last))
      stop(access, FaultKind::out_of_variable);
    return Location{global_memory, access.address};  // a __device__ variable
  }
  if (!program_.contains(access.address)) stop(access, FaultKind::foreign_memory);
  return {};
}

// The block's own, first.
std::optional<Location> Monitor::shared_location(std::uintptr_t address) const {
  const auto dynamic_of = [&](unsigned slot) {
    return address - dynamic_shared(slot) < most_shared_bytes;
  };
  if (dynamic_of(slot_) || static_shared_.contains(address))
    return Location{{true, slot_}, address};
  if (scheduler.grid().cluster == 1) return {};
  for (unsigned slot = 0; slot < dynamic_.size(); ++slot)
    if (dynamic_of(slot)) return Location{{true, slot}, address};
  return static_shared_.of_image(address);
}

void* Monitor::at(const Location& location) {
  if (location.space.is_shared && static_shared_.contains(location.address))
    return static_shared_.contents(location.space.slot, location.address);
  return reinterpret_cast<void*>(location.address);
}

void* Monitor::shared_of_rank(const void* pointer, unsigned rank, const Place& place) {
  const auto location = shared_location(reinterpret_cast<std::uintptr_t>(pointer));
  const auto slot = rank < scheduler.grid().cluster ? scheduler.slot_of(scheduler.cluster() + rank)
                                                    : std::nullopt;
  if (!location || !slot) {
    scheduler.stop({.kind = FaultKind::asynchronous,
                    .thread = scheduler.current,
                    .place = place,
                    .text = !location ? "maps an address that is not in shared memory."
                                      : fmt::format("maps an address to block {} of its cluster, "
                                                    "which has ended or does not exist.",
                                                    rank)});
  }
  const auto& [space, address] = *location;
  if (static_shared_.contains(address))
    return *slot == slot_ ? reinterpret_cast<void*>(address) : static_shared_.image(*slot, address);
  return reinterpret_cast<void*>(address - dynamic_shared(space.slot) + dynamic_shared(*slot));
}

unsigned Monitor::slot_of_shared(const void* pointer) const {
  const auto location = shared_location(reinterpret_cast<std::uintptr_t>(pointer));
  return location ? location->space.slot : slot_;
}

void Monitor::access(const MemoryAccess& access) {
  const auto location = locate(access);
  if (!location) return;
  if (counting_)
    traffic_.access(scheduler.current / lanes_per_warp, scheduler.current % lanes_per_warp, access,
                    location->space);
  if (checker.active()) check(access, *location);
}

void Monitor::check(const MemoryAccess& access, const Location& location) {
  MemoryAccess there = access;
  there.address = location.address;
  checker.access(scheduler.current, there, location.space);
}

Location Monitor::touch(const void* barrier, std::size_t size, const Place& place) {
  const MemoryAccess access{.access = Access::atomic,
                            .address = reinterpret_cast<std::uintptr_t>(barrier),
                            .size = size,
                            .needs_alignment = true,
                            .is_volatile = false,
                            .place = place};
  const auto location = locate(access);
  if (!location) stop(access, FaultKind::foreign_memory);
  if (checker.active()) check(access, *location);
  return *location;
}

Location Monitor::copy(Access access, const void* memory, std::size_t size, Mover mover,
                       const CopyId& id, const Place& place) {
  const bool in_bulk = mover == Mover::bulk;
  MemoryAccess half{.access = access,
                    .address = reinterpret_cast<std::uintptr_t>(memory),
                    .size = size,
                    .needs_alignment = false,
                    .is_volatile = false,
                    .place = place};
  const auto location = locate(half);
  if (!location) stop(half, FaultKind::foreign_memory);
  if (counting_ && in_bulk) traffic_.copy_in_bulk(half, location->space);
  if (counting_ && !in_bulk)
    traffic_.access(scheduler.current / lanes_per_warp, scheduler.current % lanes_per_warp, half,
                    location->space);
  half.address = location->address;
  if (checker.active()) checker.copy(scheduler.current, half, location->space, id, in_bulk);
  return *location;
}

void Monitor::copied(const Location& to, const Location& from, std::size_t size) {
  if (checker.active()) checker.copied(to.address, to.space, from.address, from.space, size);
}

void Monitor::copied(std::uintptr_t to, std::uintptr_t from, std::size_t size) {
  const auto location = [&](std::uintptr_t address) {
    return arena.contains(address) ? Location{global_memory, address} : shared_location(address);
  };
  if (const auto a = location(to), b = location(from); a && b) copied(*a, *b, size);
}

void Monitor::stop(const MemoryAccess& access, FaultKind kind) {
  std::uintptr_t address = access.address;  // or where the block itself has that memory
  if (const auto location = shared_location(address)) {
    address = location->address;
    if (!static_shared_.contains(address))
      address += dynamic_shared(slot_) - dynamic_shared(location->space.slot);
  }
  scheduler.stop({.kind = kind,
                  .thread = scheduler.current,
                  .place = access.place,
                  .address = address,
                  .size = access.size,
                  .write = access.access != Access::load});
}

void Monitor::static_shared_lies_at(std::uintptr_t begin, std::size_t size) {
  static_shared_.lies_at(begin, size);
  checker.static_shared_lies_at(begin);
}

// From the program's own headers: the first object that dl_iterate_phdr reports.
void Monitor::find_program_memory() {
  variables_ = program_ = {};
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* self) {
        Monitor& m = *static_cast<Monitor*>(self);
        const auto include = [](Range& range, std::uintptr_t begin, std::size_t size) {
          range.begin = range.end == 0 ? begin : std::min(range.begin, begin);
          range.end = std::max(range.end, begin + size);
        };
        for (unsigned k = 0; k < program->dlpi_phnum; ++k) {
          const auto& segment = program->dlpi_phdr[k];
          const std::uintptr_t begin = program->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_TLS)
            m.static_shared_lies_at(reinterpret_cast<std::uintptr_t>(program->dlpi_tls_data),
                                    segment.p_memsz);
          if (segment.p_type != PT_LOAD) continue;
          include(m.program_, begin, segment.p_memsz);
          if ((segment.p_flags & PF_W) != 0) include(m.variables_, begin, segment.p_memsz);
        }
        return 1;
      },
      this);
}

}  // namespace ladder::emulated
