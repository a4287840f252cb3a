#include "compare/emulated/watching/monitor.hpp"

#include <fmt/format.h>

#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/emulated/memory/program.hpp"
#include "compare/emulated/memory/shared_memory.hpp"

namespace ladder::emulated::monitor {

namespace {

Program program;

// Whose memory is there before anyone counts or checks.
class Memory final : public Observer {
  void begin(std::uint64_t /*seed*/) override {
    program = find_program();
    shared_memory.statics.lies_at(program.thread_locals.begin, program.thread_locals.size());
  }
  void begin_block(unsigned slot) override {
    shared_memory.begin_block(slot, scheduler::grid().shared_bytes);
  }
  void select(unsigned slot) override { shared_memory.select(slot); }
} memory;

// The first thing in the text is what the thread does: "thread 3 writes 4 bytes".
template <class... Values>
[[noreturn]] void stop(const MemoryAccess& access,
                       fmt::format_string<const std::string&, Values...> text, Values&&... values) {
  const std::string deed =
      fmt::format("{} {} {} bytes", scheduler::grid().shape.thread_in_words(scheduler::current),
                  access.access == Access::load ? "reads" : "writes", access.size);
  scheduler::stop(
      {.place = access.place, .text = fmt::format(text, deed, std::forward<Values>(values)...)});
}

[[noreturn]] void stop_at_foreign(const MemoryAccess& access) {
  stop(access,
       "illegal address: {} at {:#x}, which is {}. Kernels reach device memory, shared memory and "
       "their own variables.",
       access.address,
       access.address < 4096                 ? "a null pointer"
       : scheduler::is_local(access.address) ? "a local variable, which others do not reach"
                                             : "the host's memory");
}

std::optional<Location> shared_location(std::uintptr_t address) {
  return shared_memory.locate(address, scheduler::grid().cluster > 1);
}

void refuse_past_end(const MemoryAccess& access, const Location& shared) {
  const StaticShared& statics = shared_memory.statics;
  const auto& [space, address] = shared;
  if (!statics.contains(address)) {
    const std::size_t offset = address - shared_memory.dynamic(space.slot);
    if (offset + access.size > scheduler::grid().shared_bytes)
      stop(access,
           "out of bounds: {} at offset {} of {} bytes of dynamic shared memory. Ask for more in "
           "the launch, or mind the index.",
           offset, scheduler::grid().shared_bytes);
    return;
  }
  if (!statics.contains(address + access.size - 1) ||
      !checker::is_static_shared(address, access.size))
    stop(access,
         "out of bounds: {} past the end of a shared array{}. Mind the index, or make the array "
         "larger.",
         checker::past_shared_array(address));
}

[[noreturn]] void stop_at_misaligned(const MemoryAccess& access) {
  const auto shared = shared_location(access.address);
  if (!shared || shared_memory.statics.contains(shared->address))
    stop(access,
         "misaligned address: {} at {}, which is no multiple of {}. Read the elements before the "
         "first boundary one by one.",
         in_words(access.address), access.size);
  stop(access,
       "misaligned address: {} at offset {} of dynamic shared memory, which is no multiple of {}. "
       "Let each array there begin at a multiple of its element: the widest first.",
       shared->address - shared_memory.dynamic(shared->space.slot), access.size);
}

void refuse_shared(const MemoryAccess& access, const Location& shared) {
  const auto& [space, address] = shared;
  if (space.slot != scheduler::running().slot && !scheduler::is_of_cluster(space.slot))
    stop(access,
         "illegal address: {} in the shared memory of a block that has ended, or is not of its "
         "cluster. Shared memory is there until its block ends: let the blocks of a cluster meet "
         "at a barrier (cluster.sync()) before they end.");
  refuse_past_end(access, shared);
}

void refuse_global(const MemoryAccess& access) {
  if (arena.contains(access.address)) {
    if (!arena.holds(access.address, access.size))
      stop(access, "out of bounds: {} at {}. Compare the index with the number of elements first.",
           in_words(access.address));
  } else if (!program.variables.contains(access.address + access.size - 1) ||
             !checker::is_variable(access.address, access.size)) {
    stop(access,
         "out of bounds: {} past the end of a variable of the program{}. Mind the index, or make "
         "the array larger.",
         checker::past_variable(access.address));
  }
}

// Nothing: it is in no memory that kernels may write to.
std::optional<Location> location_of(std::uintptr_t address) {
  if (arena.contains(address) || program.variables.contains(address))  // a __device__ variable
    return Location{global_memory, address};
  return shared_location(address);
}

// Stops the kernel where it may not be; nothing: constants. It makes the location where the caller
// reads it. A copy would wait until its parts are stored.
std::optional<Location> locate(const MemoryAccess& access) {
  checker::settle();
  if (access.needs_alignment && (access.address & (access.size - 1)) != 0)
    stop_at_misaligned(access);
  auto location = location_of(access.address);
  if (!location) {
    if (!program.whole.contains(access.address)) stop_at_foreign(access);
  } else if (!location->space.is_shared()) {
    refuse_global(access);
  } else {
    refuse_shared(access, *location);
    StaticShared& statics = shared_memory.statics;
    if (access.access != Access::load && statics.contains(location->address))
      statics.stored(location->space.slot, location->address, access.size);
  }
  return location;
}

void count(const MemoryAccess& access, Space space) {
  if (traffic::active())
    traffic::access(scheduler::current / lanes_per_warp, scheduler::current % lanes_per_warp,
                    access, space);
}

void check(const MemoryAccess& access, const Location& location) {
  if (!checker::active()) return;
  MemoryAccess there = access;
  there.address = location.address;
  checker::access(scheduler::current, there, location.space);
}

}  // namespace

Observer& observer() {
  return memory;
}

void access(const MemoryAccess& access) {
  const auto location = locate(access);
  if (!location) return;
  count(access, location->space);
  check(access, *location);
}

Location touch(const void* barrier, std::size_t size, const Place& place) {
  const MemoryAccess access{
      .access = Access::atomic, .address = address_of(barrier), .size = size, .place = place};
  const auto location = locate(access);
  if (!location) stop_at_foreign(access);
  check(access, *location);
  return *location;
}

Location copy(Access access, const void* memory, std::size_t size, bool in_bulk, const CopyId& id,
              const Place& place) {
  MemoryAccess half{.access = access,
                    .address = address_of(memory),
                    .size = size,
                    .place = place,
                    .needs_alignment = false};
  const auto location = locate(half);
  if (!location) stop_at_foreign(half);
  if (!in_bulk) count(half, location->space);
  else if (traffic::active()) traffic::copy_in_bulk(half, location->space);
  half.address = location->address;
  if (checker::active()) checker::copy(scheduler::current, half, location->space, id, in_bulk);
  return *location;
}

void copied(const void* to, const void* from, std::size_t size) {
  if (!checker::active()) return;
  const auto location = [](const void* pointer) {
    const auto address = address_of(pointer);
    return arena.contains(address) ? Location{global_memory, address} : shared_location(address);
  };
  if (const auto a = location(to), b = location(from); a && b) checker::copied(*a, *b, size);
}

std::optional<Location> shared_location(const void* pointer) {
  return shared_location(address_of(pointer));
}

std::string in_words(std::uintptr_t address) {
  const Allocation* array = arena.contains(address) ? arena.nearest(address) : nullptr;
  if (array == nullptr) return fmt::format("{:#x}", address);
  const std::size_t size = array->end - array->begin;
  const std::string name = checker::name_of_array(array->begin);
  const std::string base = name.empty()
                               ? fmt::format("the array of {} bytes at {:#x}", size, array->begin)
                               : fmt::format("{} ({} bytes)", name, size);
  if (address < array->begin)
    return fmt::format("{} bytes before {}", array->begin - address, base);
  return fmt::format("offset {} of {}", address - array->begin, base);
}

}  // namespace ladder::emulated::monitor
