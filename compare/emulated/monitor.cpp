#include "compare/emulated/monitor.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>

#include "compare/emulated/arena.hpp"
#include "compare/emulated/scheduler.hpp"

namespace ladder::emulated {

Monitor monitor;

void Monitor::begin_kernel(const Grid& grid, std::uint64_t seed) {
  grid_ = grid;
  find_program_memory();
  copies.begin_kernel(seed);
  if (checker.active()) checker.begin_kernel(grid.kernel, seed);
  if (!counting_) return;
  traffic_.begin_kernel();
  ++traffic_.counts.launches;
}

void Monitor::begin_block(unsigned slot, unsigned block) {
  slot_ = slot;
  while (dynamic_.size() <= slot) dynamic_.push_back(std::make_unique_for_overwrite<DynamicShared>());
  std::memset(dynamic_shared(), 0xff, grid_.shared_bytes);  // never what the last block left there
  static_shared_.begin_block(slot);
  copies.begin_block(slot);
  if (counting_) traffic_.begin_block(slot, grid_.threads);
  if (checker.active()) checker.begin_block(slot, block);
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
  traffic_.counts.barrier_arrivals += grid_.threads - absent;
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

void Monitor::start_counting() {
  counting_ = true;
  traffic_.counts = {};
}

std::optional<Space> Monitor::locate(const MemoryAccess& access) {
  settle();
  if (access.needs_alignment && access.address % access.size != 0) stop(access, FaultKind::misaligned);
  if (arena.contains(access.address)) {
    if (!arena.holds(access.address, access.size)) stop(access, FaultKind::out_of_bounds);
    return Space::global;
  }
  if (const auto offset = access.address - reinterpret_cast<std::uintptr_t>(dynamic_shared()); offset < most_shared_bytes) {
    if (offset + access.size > grid_.shared_bytes) stop(access, FaultKind::out_of_shared);
    return Space::shared;
  }
  if (static_shared_.contains(access.address)) {
    if (checker.active() && !checker.is_static_shared(access.address - static_shared_.begin(), access.size))
      stop(access, FaultKind::out_of_static_shared);
    if (access.access != Access::load) static_shared_.stored(access.address, access.size);
    return Space::shared;
  }
  if (variables_.contains(access.address)) {
    if (checker.active() && !checker.is_variable(access.address, access.size)) stop(access, FaultKind::out_of_variable);
    return Space::global;  // a __device__ variable
  }
  if (!program_.contains(access.address)) stop(access, FaultKind::foreign_memory);
  return {};
}

void Monitor::access(const MemoryAccess& access) {
  const auto space = locate(access);
  if (!space) return;
  if (counting_) traffic_.access(scheduler.current / lanes_per_warp, scheduler.current % lanes_per_warp, access, *space);
  if (checker.active()) checker.access(scheduler.current, access, *space, dynamic_shared());
}

void Monitor::touch(std::uintptr_t barrier, std::size_t size, const Place& place) {
  const MemoryAccess access{
      .access = Access::atomic, .address = barrier, .size = size, .needs_alignment = true, .is_volatile = false, .place = place};
  if (const auto space = locate(access); space && checker.active()) checker.access(scheduler.current, access, *space, dynamic_shared());
}

void Monitor::copy(Mover mover, const Transfer& transfer, const CopyId& read, const CopyId& written, const Place& place) {
  const bool in_bulk = mover == Mover::bulk;
  const auto from = reinterpret_cast<std::uintptr_t>(transfer.from), to = reinterpret_cast<std::uintptr_t>(transfer.to);
  const auto one_of_two = [&](Access access, std::uintptr_t address, std::size_t size, const CopyId& id) -> std::optional<Space> {
    if (size == 0) return {};
    const MemoryAccess half{.access = access, .address = address, .size = size, .needs_alignment = false, .is_volatile = false, .place = place};
    const auto space = locate(half);
    if (!space) return {};
    if (counting_ && in_bulk) traffic_.copy_in_bulk(half, *space);
    if (counting_ && !in_bulk) traffic_.access(scheduler.current / lanes_per_warp, scheduler.current % lanes_per_warp, half, *space);
    if (checker.active()) checker.copy(scheduler.current, half, *space, id, in_bulk, dynamic_shared());
    return space;
  };
  const std::size_t size = transfer.size - transfer.zeros;
  const auto from_space = one_of_two(Access::load, from, size, read);
  const auto to_space = one_of_two(Access::store, to, transfer.size, written);
  if (checker.active() && from_space && to_space) checker.copied(to, *to_space, from, *from_space, size);
}

std::optional<Space> Monitor::space_of(std::uintptr_t address) const {
  if (arena.contains(address)) return Space::global;
  if (address - reinterpret_cast<std::uintptr_t>(dynamic_shared()) < most_shared_bytes || static_shared_.contains(address)) return Space::shared;
  return {};
}

void Monitor::copied(std::uintptr_t to, std::uintptr_t from, std::size_t size) {
  const auto to_space = space_of(to), from_space = space_of(from);
  if (checker.active() && to_space && from_space) checker.copied(to, *to_space, from, *from_space, size);
}

void Monitor::stop(const MemoryAccess& access, FaultKind kind) {
  scheduler.stop({.kind = kind,
                  .thread = scheduler.current,
                  .where = access.place.where,
                  .instruction = access.place.instruction,
                  .address = access.address,
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
          if (segment.p_type == PT_TLS) m.static_shared_lies_at(reinterpret_cast<std::uintptr_t>(program->dlpi_tls_data), segment.p_memsz);
          if (segment.p_type != PT_LOAD) continue;
          include(m.program_, begin, segment.p_memsz);
          if ((segment.p_flags & PF_W) != 0) include(m.variables_, begin, segment.p_memsz);
        }
        return 1;
      },
      this);
}

}  // namespace ladder::emulated
