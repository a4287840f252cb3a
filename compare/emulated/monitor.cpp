#include "compare/emulated/monitor.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>

#include "compare/emulated/arena.hpp"
#include "compare/emulated/scheduler.hpp"

namespace ladder::emulated {

Monitor monitor;

void Monitor::begin_kernel(const Grid& grid) {
  grid_ = grid;
  find_program_memory();
  if (!counting_) return;
  traffic_.begin_kernel();
  ++traffic_.counts.launches;
}

void Monitor::begin_block() {
  std::memset(dynamic_, 0xff, grid_.shared_bytes);  // never what the last block left there
  static_shared_.poison();
  if (counting_) traffic_.begin_block(grid_.threads);
}

void Monitor::exit(unsigned warp, unsigned lane) {
  if (counting_) traffic_.exit(warp, lane);
}

void Monitor::barrier() {
  if (!counting_) return;
  ++traffic_.counts.barriers;
  traffic_.converge_all();
}

void Monitor::converge(unsigned warp) {
  if (counting_) traffic_.converge(warp);
}

void Monitor::start_counting() {
  counting_ = true;
  traffic_.counts = {};
}

void Monitor::access(const MemoryAccess& access) {
  if (access.needs_alignment && access.address % access.size != 0) stop(access, FaultKind::misaligned);
  if (arena.contains(access.address)) {
    if (!arena.holds(access.address, access.size)) stop(access, FaultKind::out_of_bounds);
    count(access, Space::global);
  } else if (const auto offset = access.address - reinterpret_cast<std::uintptr_t>(dynamic_); offset < most_shared_bytes) {
    if (offset + access.size > grid_.shared_bytes) stop(access, FaultKind::out_of_shared);
    count(access, Space::shared);
  } else if (static_shared_.contains(access.address)) {
    if (access.access != Access::load) static_shared_.stored(access.address, access.size);
    count(access, Space::shared);
  } else if (variables_.contains(access.address)) {
    count(access, Space::global);                   // a __device__ variable
  } else if (!program_.contains(access.address)) {  // else: constants
    stop(access, FaultKind::foreign_memory);
  }
}

void Monitor::count(const MemoryAccess& access, Space space) {
  if (counting_) traffic_.access(scheduler.current / lanes_per_warp, scheduler.current % lanes_per_warp, access, space);
}

void Monitor::stop(const MemoryAccess& access, FaultKind kind) {
  scheduler.stop({.kind = kind,
                  .thread = scheduler.current,
                  .where = access.where,
                  .instruction = access.instruction,
                  .address = access.address,
                  .size = access.size,
                  .write = access.access != Access::load});
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
          if (segment.p_type == PT_TLS) m.static_shared_.lies_at(reinterpret_cast<std::uintptr_t>(program->dlpi_tls_data), segment.p_memsz);
          if (segment.p_type != PT_LOAD) continue;
          include(m.program_, begin, segment.p_memsz);
          if ((segment.p_flags & PF_W) != 0) include(m.variables_, begin, segment.p_memsz);
        }
        return 1;
      },
      this);
}

}  // namespace ladder::emulated
